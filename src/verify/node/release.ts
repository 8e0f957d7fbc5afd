// The verifier's own release in a cluster of its own that ends with it: what holds a hill's engine against it. Rules
// 20.51.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { hillDatabase, makeHillDatabase } from '../../db/hill-database.ts';
import { prepareDatabase } from '../../db/migrate.ts';
import { startCluster } from '../../embedded/index.ts';
import type { Database } from '../chain.ts';

/** As a superuser: what guards the nights of a hill stands in the way of who follows those of another. */
export async function withRelease<T>(use: (release: Database) => Promise<T>): Promise<T> {
  const cluster = await startCluster({
    dir: fs.mkdtempSync(path.join(os.tmpdir(), 'hill-verify-')),
    ephemeral: true,
  });
  try {
    await prepareDatabase(await makeHillDatabase(cluster));
    const client = new pg.Client({ connectionString: cluster.url(hillDatabase), application_name: 'hill verify' });
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  } finally {
    await cluster.stop();
  }
}
