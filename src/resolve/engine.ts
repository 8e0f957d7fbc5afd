// A database that has the engine: the embedded one of a running hill, or a temporary one.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { makeHillDatabase, ownerUrl } from '../db/hill-database.ts';
import { prepareDatabase } from '../db/migrate.ts';
import { makePool } from '../db/pool.ts';
import { findCluster, type RunningCluster, startCluster } from '../embedded/index.ts';
import type { Config } from '../process/config.ts';
import { makeLog } from '../process/log.ts';

export async function withEngine(config: Config, use: (engine: pg.Pool) => Promise<void>): Promise<void> {
  const running = readable(config.dataDir);
  if (running && (await hasEngine(config, ownerUrl(running)))) return withPool(config, ownerUrl(running), use);

  const cluster = await startCluster({ dir: fs.mkdtempSync(path.join(os.tmpdir(), 'hill-resolve-')), ephemeral: true });
  try {
    const url = await makeHillDatabase(cluster);
    await prepareDatabase(url);
    await withPool(config, url, use);
  } finally {
    await cluster.stop();
  }
}

/** Not the hill of another user of this machine, whose password file cannot be read. */
function readable(dataDir: string): RunningCluster | undefined {
  try {
    return findCluster(dataDir);
  } catch {
    return undefined;
  }
}

/** A hill of an older version, or one that is still being created, may not have it. */
async function hasEngine(config: Config, url: string): Promise<boolean> {
  let has = false;
  await withPool(config, url, async (engine) => {
    const { rows } = await engine.query("select to_regprocedure('engine.resolve_line(text)') is not null as has");
    has = rows[0]?.has === true;
  }).catch(() => {});
  return has;
}

async function withPool(config: Config, url: string, use: (engine: pg.Pool) => Promise<void>): Promise<void> {
  const engine = makePool({
    url: asReader(url),
    name: 'hill resolve',
    log: makeLog({ logLevel: 'error', logFormat: config.logFormat }),
    max: Math.min(4, os.availableParallelism()),
    statementTimeoutMs: 0,
  });
  try {
    await use(engine);
  } finally {
    await engine.end();
  }
}

/** The engine reads no table, so a role that may read only what is published can call it. */
function asReader(url: string): string {
  const reader = new URL(url);
  reader.searchParams.set('options', '-c role=hill_dba -c default_transaction_read_only=on');
  return reader.href;
}
