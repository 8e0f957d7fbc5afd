// The PostgreSQL that everything is measured on: an embedded cluster of its own, as durable as in earnest, removed
// afterwards.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { makeHillDatabase } from '../src/db/hill-database.ts';
import { keepProofKey } from '../src/db/kept-settings.ts';
import { makeLogins } from '../src/db/logins.ts';
import { prepareDatabase } from '../src/db/migrate.ts';
import { openHill } from '../src/db/open-hill.ts';
import { startCluster } from '../src/embedded/index.ts';

/** HILL_SIGNING_SECRET of all processes that are measured. */
export const secret = 'a secret of the benchmarks, of more than thirty-two characters';

export interface Server {
  url(database: string): string;
  /** Makes a database, empty or as a copy of another to which nobody is connected. */
  create(database: string, template?: string): Promise<void>;
  drop(database: string): Promise<void>;
  /** Runs a file or statements as superuser, after settings such as population.accounts. */
  run(database: string, sql: string, settings?: Readonly<Record<string, string>>): Promise<void>;
  rows<T extends pg.QueryResultRow>(database: string, sql: string): Promise<T[]>;
  /** A database with the hill in it, on the simulated clock, that has never rung. */
  readonly hill: string;
  /** The worker's login of a database that is a copy of the hill. */
  worker(database: string): string;
  /** The web login likewise. */
  web(database: string): string;
  stop(): Promise<void>;
}

export const file = (name: string) => fs.readFileSync(path.join(import.meta.dirname, name), 'utf8');

export async function startServer(): Promise<Server> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-bench-'));
  fs.chmodSync(dir, 0o711);
  // fsync, checksums, autovacuum and synchronous_commit stay as they are: on. A checkpoint in the middle of a run would
  // be luck.
  const cluster = await startCluster({
    dir,
    settings: {
      shared_buffers: '2GB',
      max_wal_size: '16GB',
      checkpoint_timeout: '30min',
      maintenance_work_mem: '512MB',
    },
  });
  const hill = 'bench_hill';
  const ownerUrl = await makeHillDatabase(cluster, hill);
  await prepareDatabase(ownerUrl);
  await openHill(ownerUrl, { dayOne: new Date().toISOString().slice(0, 10), clock: 'simulated' });
  await keepProofKey(secret, ownerUrl);
  const { worker, web } = await makeLogins(ownerUrl);

  const withClient = async <T>(database: string, use: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client(cluster.url(database));
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  };
  const server: Server = {
    url: (database) => cluster.url(database),
    create: (database, template) =>
      withClient('postgres', async (client) => {
        if (template)
          await client.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1`, [
            template,
          ]);
        await client.query(`create database ${database} ${template ? `template ${template} strategy file_copy` : ''}`);
        await client.query(`grant connect on database ${database} to public`);
        await client.query('checkpoint');
      }),
    drop: (database) =>
      withClient('postgres', async (client) => void (await client.query(`drop database ${database} with (force)`))),
    run: (database, sql, settings = {}) =>
      withClient(database, async (client) => {
        for (const [name, value] of Object.entries(settings))
          await client.query('select set_config($1, $2, false)', [name, value]);
        await client.query(sql);
      }),
    rows: (database, sql) => withClient(database, async (client) => (await client.query(sql)).rows),
    hill,
    worker: (database) => Object.assign(new URL(worker), { pathname: `/${database}` }).href,
    web: (database) => Object.assign(new URL(web), { pathname: `/${database}` }).href,
    async stop() {
      await cluster.stop();
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
  // closed by sql/harden.sql: what a measured login has written is measured on its own connection
  await server.run(hill, 'grant execute on function pg_current_wal_insert_lsn() to public');
  return server;
}

/** Seven empty nights, and the clock at the start of the day on which everybody may play, standing still or running. */
export const launchDay = (rate: 0 | 1) =>
  `select api_worker.set_clock(engine.bell_at(7), ${rate}); select api_worker.ring_next_bell() from generate_series(1, 7)`;

/** Milliseconds and bytes of WAL of some statements or calls, on a connection that is there. */
export async function measure(
  client: pg.Client,
  work: readonly string[] | (() => Promise<void>),
): Promise<{ ms: number; wal: number }> {
  const lsn = async (): Promise<string> =>
    (await client.query('select pg_current_wal_insert_lsn() as lsn')).rows[0].lsn;
  const before = await lsn();
  const started = performance.now();
  if (typeof work === 'function') await work();
  else for (const statement of work) await client.query(statement);
  const ms = performance.now() - started;
  const { rows } = await client.query('select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)::float8 as wal', [
    before,
  ]);
  return { ms, wal: rows[0].wal };
}

/** The same on a new connection, as a role would send it. */
export async function measureAlone(url: string, statements: readonly string[]): Promise<{ ms: number; wal: number }> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await measure(client, statements);
  } finally {
    await client.end();
  }
}
