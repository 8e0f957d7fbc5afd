// The verifier's own release in a cluster of its own that ends with it: what holds a hill's engine against it, and what
// stands in for that engine where it has the same sources. Rules 20.10, 20.51.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { engineSource } from '../../db/engine-source.ts';
import { hillDatabase, makeHillDatabase } from '../../db/hill-database.ts';
import { ownSources, prepareDatabase } from '../../db/migrate.ts';
import { startCluster } from '../../embedded/index.ts';
import type { Logger } from '../../process/log.ts';
import type { Database } from '../engine.ts';
import type { Verification } from '../index.ts';
import { withEngineAt, withEngineOf } from './cluster.ts';

const copy = 'hill_copy';

/** What verifyHill asks, in PostgreSQL. */
export function inPostgres(log: Logger): Pick<Required<Verification>, 'withEngine' | 'withRelease'> {
  const own = engineSource(ownSources);
  let copyUrl: URL | undefined;
  return {
    withEngine: (source, use) =>
      copyUrl && own.equals(source) ? withEngineAt(copyUrl, log, use) : withEngineOf(source, log, use),
    withRelease: (use) =>
      withRelease(async (release, url) => {
        copyUrl = url;
        try {
          return await use(release);
        } finally {
          copyUrl = undefined;
        }
      }),
  };
}

/**
 * As a superuser: what guards the nights of a hill stands in the way of who follows those of another. Beside it is a
 * copy in which nothing is followed.
 */
async function withRelease<T>(use: (release: Database, copyUrl: URL) => Promise<T>): Promise<T> {
  const cluster = await startCluster({
    dir: fs.mkdtempSync(path.join(os.tmpdir(), 'hill-verify-')),
    ephemeral: true,
  });
  const as = async <R>(database: string, work: (client: pg.Client) => Promise<R>): Promise<R> => {
    const client = new pg.Client({ connectionString: cluster.url(database), application_name: 'hill verify' });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  try {
    const url = new URL(await makeHillDatabase(cluster));
    await prepareDatabase(url.href);
    await as('postgres', (client) => client.query(`create database ${copy} owner ${url.username} template hill`));
    const copyUrl = Object.assign(new URL(url), { pathname: `/${copy}` });
    return await as(hillDatabase, (client) => use(client, copyUrl));
  } finally {
    await cluster.stop();
  }
}
