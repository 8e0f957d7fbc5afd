// A new, empty hill for each demonstration.
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { makeHillDatabase } from '../db/hill-database.ts';
import { guard } from '../db/owner-database.ts';
import { makeDir } from '../embedded/data-dir.ts';
import { startCluster } from '../embedded/index.ts';
import type { Config } from '../process/config.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import type { Logger } from '../process/log.ts';

/** A folder of its own: the hill of `npm start` is never touched. */
export const demoDir = (config: Config): string => path.join(config.dataDir, 'demo');

/** What was signed of its log: never in the file of another hill. */
export const demoCheckpoint = (config: Config): string => path.join(demoDir(config), 'log', 'checkpoint');

/** Returns the owner's URL. Deletes the hill of the last demonstration, and what was signed of it. */
export async function freshDatabase(config: Config, life: Lifecycle, log: Logger): Promise<string> {
  makeDir(config.dataDir); // so that PostgreSQL's user can enter it
  const cluster = await startCluster({ dir: demoDir(config) });
  life.onStop(cluster.stop, cluster.abandon);
  guard(cluster, life, log);
  const admin = new pg.Client({ connectionString: cluster.url(), application_name: 'hill demo' });
  await admin.connect();
  try {
    await admin.query('drop database if exists hill with (force)');
  } finally {
    await admin.end();
  }
  fs.rmSync(demoCheckpoint(config), { force: true });
  return makeHillDatabase(cluster);
}
