// Brings a database up to this code: tables by graphile-migrate, the queue's by graphile-worker, then everything in
// sql/.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type pg from 'pg';
import { checkout } from '../process/config.ts';
import { messageOf, StartError } from '../process/start-error.ts';
import { call } from './call.ts';
import { type Place, urlOf, withClient } from './connect.ts';
import { engineSource } from './engine-source.ts';
import { Failure } from './errors.ts';
import { isLoaded, loadSqlFolder } from './load-sql.ts';
import { migrateQueue } from './queue.ts';
import { sqlFolder } from './sql-folder.ts';

interface Sources {
  readonly migrations: string;
  readonly sql: string;
}

export const ownSources: Sources = { migrations: path.join(checkout, 'migrations'), sql: sqlFolder };

/**
 * Stands in a database from the beginning of a restore to its end, so that what a killed one left is never taken for a
 * hill.
 */
export const restoreMark = 'graphile_migrate.unfinished_restore';

/** Safe to call from several processes at once: one does the work, the others wait and then find nothing to do. */
export async function prepareDatabase(place: Place, sources = ownSources, { restoring = false } = {}): Promise<void> {
  const ownerUrl = urlOf(place);
  await withClient(place, 'DATABASE_URL', async (owner) => {
    await checkVersion(owner);
    if (!restoring) await checkRestored(owner);
    await inTurn(ownerUrl, async () => {
      const committed = await committedMigrations(sources.migrations);
      const done = await migrationsDone(owner, committed);
      await dropInvalidIndexes(owner);
      if (done < committed.length) await migrateTables(ownerUrl, sources.migrations);
      await migrateQueue(owner, ownerUrl);
      await loadSqlFolder(owner, committed.at(-1)?.hash ?? '', sources.sql, () => engineSource(sources));
      await holdOldNames(owner);
    });
  });
}

/**
 * Names from before each was one account's own, in pieces; where somebody is being renamed, the piece gives way and is
 * tried again.
 */
async function holdOldNames(owner: pg.Client): Promise<void> {
  const hold = async (): Promise<number> => {
    try {
      await owner.query(`begin; set local role hill_owner; set local lock_timeout = '${lockPatience}'`);
      const looked = await call<number>(owner, 'trusted.hold_old_names', { at_most: 200 });
      await owner.query('commit');
      return looked;
    } catch (error) {
      await owner.query('rollback');
      throw error instanceof Failure ? error.cause : error;
    }
  };
  while ((await givingWay(hold)) > 0);
}

/**
 * Locks a table of the owner's, since anybody could take an advisory lock; on a connection of its own, since the work
 * has its own transactions.
 */
async function inTurn(ownerUrl: string, work: () => Promise<void>): Promise<void> {
  await withClient(ownerUrl, 'DATABASE_URL', async (turn) => {
    for (;;) {
      try {
        await turn.query(
          'create schema if not exists graphile_migrate; create table if not exists graphile_migrate.turns ()',
        );
        break;
      } catch (error) {
        // another process is creating it
        if (!['23505', '42P06', '42P07'].includes((error as pg.DatabaseError).code ?? '')) throw error;
      }
    }
    await turn.query(`
      set lock_timeout = 0; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set transaction_timeout = 0;
      begin; lock table graphile_migrate.turns in exclusive mode`);
    await work();
  });
}

/**
 * Drops what an interrupted "create index concurrently" left behind: no query uses it, and the next try would fail on
 * it.
 */
async function dropInvalidIndexes(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where not i.indisvalid and c.relkind = 'i' and c.relnamespace::regnamespace::text in ('hill', 'oauth')`,
  );
  for (const { name } of rows) await owner.query(`drop index concurrently if exists ${name}`);
}

export async function checkVersion(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ version: string; number: number }>(
    "select current_setting('server_version') as version, current_setting('server_version_num')::int as number",
  );
  const { version, number } = rows[0] as { version: string; number: number };
  if (number < 180000)
    throw new StartError(`DATABASE_URL: Hill needs PostgreSQL 18 or newer, and that server is ${version}.`);
}

export async function checkRestored(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query(`select 1 where to_regclass('${restoreMark}') is not null`);
  if (rows.length > 0)
    throw new StartError(
      'This database holds a restore that has not finished. If none is running, it was interrupted: restore into a new database (of the embedded one, delete the folder data in HILL_DATA_DIR first).',
    );
}

/**
 * For a restore: the tables as the migrations of a backup made them, without what sql/ defines. `migrations` are the
 * first ones of this code.
 */
export async function makeTables(ownerUrl: string, migrations: readonly Committed[], folder: string): Promise<void> {
  const names = await migrationFiles(folder);
  const first = names.slice(0, migrations.length);
  const scratch = await fs.mkdtemp(path.join(os.tmpdir(), 'hill-migrations-'));
  try {
    await fs.mkdir(path.join(scratch, 'committed'));
    for (const name of first)
      await fs.copyFile(path.join(folder, 'committed', name), path.join(scratch, 'committed', name));
    await migrateTables(ownerUrl, scratch);
  } finally {
    await fs.rm(scratch, { recursive: true });
  }
}

/** Whether this code has all these migrations, as its first ones. */
export async function knowsMigrations(
  migrations: readonly Committed[],
  folder = ownSources.migrations,
): Promise<boolean> {
  const ours = await committedMigrations(folder);
  return migrations.every(({ filename, hash }, i) => ours[i]?.filename === filename && ours[i].hash === hash);
}

interface Committed {
  /** As graphile-migrate stores it: the number without the description. */
  readonly filename: string;
  readonly hash: string;
}

const migrationFiles = async (folder: string): Promise<string[]> =>
  (await fs.readdir(path.join(folder, 'committed'))).filter((name) => /^\d{6}.*\.sql$/.test(name)).sort();

async function committedMigrations(folder: string): Promise<Committed[]> {
  const names = await migrationFiles(folder);
  return Promise.all(
    names.map(async (name) => {
      const text = await fs.readFile(path.join(folder, 'committed', name), 'utf8');
      return { filename: `${name.slice(0, 6)}.sql`, hash: /^--! Hash: (.+)$/m.exec(text)?.[1]?.trim() ?? '' };
    }),
  );
}

/** How many migrations of this code the database has, of how many. Throws if it has others. */
export async function migrationsOf(owner: pg.Client): Promise<{ done: number; all: number }> {
  const committed = await committedMigrations(ownSources.migrations);
  return { done: await migrationsDone(owner, committed), all: committed.length };
}

/** Whether the database has sql/ as it is here. */
export async function hasSqlFolder(owner: pg.Client): Promise<boolean> {
  const committed = await committedMigrations(ownSources.migrations);
  return isLoaded(owner, committed.at(-1)?.hash ?? '');
}

/**
 * How many of these migrations the database has. Throws if it has others: old code could do harm on a newer schema
 * without noticing.
 */
async function migrationsDone(owner: pg.Client, committed: Committed[]): Promise<number> {
  const { rows: found } = await owner.query("select 1 where to_regclass('graphile_migrate.migrations') is not null");
  if (found.length === 0) return 0;
  const { rows } = await owner.query<Committed>(
    'select filename, hash from graphile_migrate.migrations order by filename',
  );
  for (const { filename, hash } of rows) {
    const ours = committed.find((migration) => migration.filename === filename);
    if (!ours)
      throw new StartError(
        `The database is ahead of this code: it has migration ${filename}, which migrations/committed does not. Update the code.`,
      );
    if (ours.hash !== hash)
      throw new StartError(
        `The database has another migration ${filename} than this code: one of them was changed after it was committed. Use the code that made the database, or a new database.`,
      );
  }
  return rows.length;
}

/**
 * Shorter than deadlock_timeout: nobody waits long behind a migration, and in a deadlock it is the migration that gives
 * way.
 */
const lockPatience = '500ms';
const longestMs = 60_000;

async function migrateTables(ownerUrl: string, folder: string): Promise<void> {
  // Loaded here, since most starts have nothing to migrate.
  const { Logger, migrate } = await import('graphile-migrate');
  // Its pools outlive their use by 200 ms, and end the process if the database goes away in that time. No public
  // function closes them sooner.
  const { clearAllPools } = await import('graphile-migrate/dist/pgReal.js');
  const url = new URL(ownerUrl);
  // Nobody waits for the disk after each migration: sql/ is loaded after the last one, and that commit is durable only
  // with all before it.
  url.searchParams.set('options', `-c lock_timeout=${lockPatience} -c synchronous_commit=off`);
  try {
    await givingWay(() =>
      migrate({ connectionString: url.href, migrationsFolder: folder, logger: new Logger(() => () => {}) }),
    );
  } catch (error) {
    throw failed(error);
  } finally {
    clearAllPools();
  }
}

/** Tries again what gave way to somebody's lock. */
async function givingWay<T>(work: () => Promise<T>): Promise<T> {
  for (const patience = Date.now() + longestMs; ; ) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { code?: string };
      if ((code !== '55P03' && code !== '40P01') || Date.now() > patience) throw error;
      await sleep(200 + 800 * Math.random());
    }
  }
}

function failed(error: unknown): StartError {
  // graphile-migrate leaves an excerpt with the failing line on the error, in colours.
  const { _gmMessageOverride: picture } = error as { _gmMessageOverride?: string };
  const account = picture ? `\n${stripVTControlCharacters(picture)}` : ` ${messageOf(error)}`;
  return new StartError(`A migration failed and was rolled back:${account}`, { cause: error });
}
