// Builds a hill in an empty database from a backup: tables by the backup's migrations, its rows, and then what this
// version adds. Decisions 113.
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { call } from '../db/call.ts';
import { withClient } from '../db/connect.ts';
import { checkVersion, makeTables, ownSources, prepareDatabase, restoreMark } from '../db/migrate.ts';
import { StartError } from '../process/start-error.ts';
import { damaged } from './folder.ts';
import type { BackedUpTable, Manifest } from './manifest.ts';
import { inBytes, type Progress } from './progress.ts';
import { type Verdict, verify } from './verify.ts';

export interface RestoreOptions {
  /** The secret that sealed the signing keys is gone for good: what it sealed is left out. */
  readonly secretLost: boolean;
  /** Called when all rows are there, before they are verified. */
  readonly whenLoaded: (rows: number) => Promise<void>;
}

export async function restoreInto(
  ownerUrl: string,
  folder: string,
  manifest: Manifest,
  progress: Progress,
  { secretLost, whenLoaded }: RestoreOptions,
  sources = ownSources,
): Promise<Verdict> {
  return withClient(ownerUrl, 'DATABASE_URL', async (owner) => {
    await checkVersion(owner);
    await checkEmpty(owner);
    progress.stopping.throwIfAborted();
    await owner.query(`create schema graphile_migrate; create table ${restoreMark} ()`);
    progress.show('Making the tables …');
    await makeTables(ownerUrl, manifest.migrations, sources.migrations);
    await loadRows(owner, folder, manifest, progress, secretLost);
    progress.show('Making functions and policies …');
    await prepareDatabase(ownerUrl, sources, { restoring: true });
    await closePartitions(owner);
    progress.show('Analyzing the tables …');
    await owner.query('set client_min_messages = error; analyze; reset client_min_messages');
    await whenLoaded(manifest.tables.reduce((sum, { rows }) => sum + rows, 0));
    progress.stopping.throwIfAborted();
    const verdict = await verify(owner, progress);
    await owner.query(`drop table ${restoreMark}`);
    return verdict;
  });
}

/** A restore never mixes with what is there, least of all with a hill that serves. */
async function checkEmpty(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ tables: string; hill: boolean; marked: boolean }>(
    `select count(*) as tables, to_regclass('hill.nights') is not null as hill, to_regclass('${restoreMark}') is not null as marked
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`,
  );
  const { tables, hill, marked } = rows[0] as { tables: string; hill: boolean; marked: boolean };
  if (tables === '0') return;
  const what = marked ? 'a restore that was interrupted, or is running' : hill ? 'a hill' : 'tables';
  throw new StartError(
    `The database "${owner.database}" is not empty: it holds ${what}. Restore into a new database, or, for the embedded one, into another HILL_DATA_DIR. Nothing was changed.`,
  );
}

const quoted = ({ schema, name }: { schema: string; name: string }) =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;

/** As the tables' owner, whom no policy binds while the load goes on; no trigger or policy of sql/ is there yet. */
async function loadRows(
  owner: pg.Client,
  folder: string,
  manifest: Manifest,
  progress: Progress,
  secretLost: boolean,
): Promise<void> {
  await owner.query(`
    set role hill_owner; set statement_timeout = 0; set lock_timeout = 0; set synchronous_commit = off; set client_encoding = 'UTF8';
    set timezone = 'UTC'; set datestyle = 'ISO'; set maintenance_work_mem = '256MB'`);
  const { rows: made } = await owner.query<{ schema: string; name: string; forced: boolean }>(
    `select n.nspname as schema, c.relname as name, c.relforcerowsecurity as forced from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('hill', 'oauth') and c.relkind in ('r', 'p')`,
  );
  const forced = made.filter((table) => table.forced).map(quoted);
  for (const name of forced) await owner.query(`alter table ${name} no force row level security`);
  // what the migrations themselves insert
  await owner.query(`truncate ${made.map(quoted).join(', ')}`);

  const bytes = manifest.tables.reduce((sum, table) => sum + table.bytes, 0);
  let loaded = 0;
  for (const table of await inOrder(owner, folder, manifest.tables)) {
    progress.show(`${inBytes(loaded)} of ${inBytes(bytes)}: ${table.schema}.${table.name}`);
    await loadTable(owner, folder, table, progress.stopping);
    loaded += table.bytes;
  }
  for (const { schema, name, last, called } of manifest.sequences)
    await owner.query('select setval($1::regclass, $2::bigint, $3)', [quoted({ schema, name }), last, called]);
  // A simulated clock that runs goes on from the backup: no day passes on a hill that is not there.
  await owner.query(
    `update hill.settings set shown_at = shown_at + make_interval(secs => extract(epoch from $1::timestamptz - set_at)::double precision * rate),
            set_at = clock_timestamp() where rate > 0`,
    [manifest.taken_at],
  );
  // Keys that nobody can open would keep the hill from starting, and such webhooks its worker busy; links of
  // mails are derived from it.
  if (secretLost)
    await owner.query(`
      delete from oauth.signing_keys;
      update hill.subscriptions set ended_at = clock_timestamp(), ended_because = 'failing' where ended_at is null;
      update oauth.mail_addresses set stopped_at = clock_timestamp(), stopped_because = 'secret_lost' where address is not null and stopped_at is null;
      update oauth.mail_addresses set asked_id = null, asked_hash = null, asked_stop_hash = null, asked_address = null, asked_at = null`);
  for (const name of forced) await owner.query(`alter table ${name} force row level security`);
  await owner.query('reset role; reset synchronous_commit');
}

/** Each after those that it refers to. The partitions come last: they refer to none. */
async function inOrder(owner: pg.Client, folder: string, tables: readonly BackedUpTable[]): Promise<BackedUpTable[]> {
  const { rows } = await owner.query<{ from: string; to: string }>(
    `select distinct conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint where contype = 'f' and conrelid <> confrelid`,
  );
  const before = new Map<string, string[]>();
  for (const { from, to } of rows) before.set(from, [...(before.get(from) ?? []), to]);
  const ordered = new Set<BackedUpTable>();
  const named = new Map(
    tables.filter(({ day }) => day === null).map((table) => [`${table.schema}.${table.name}`, table]),
  );
  const add = (name: string, way: readonly string[]) => {
    const table = named.get(name);
    if (!table || ordered.has(table)) return;
    if (way.includes(name))
      throw damaged(folder, 'manifest.json', `has tables that refer to each other: ${way.join(', ')}`);
    for (const other of before.get(name) ?? []) add(other, [...way, name]);
    ordered.add(table);
  };
  for (const name of named.keys()) add(name, []);
  return [...ordered, ...tables.filter(({ day }) => day !== null)];
}

async function loadTable(owner: pg.Client, folder: string, table: BackedUpTable, stopping: AbortSignal): Promise<void> {
  const { columns, file, rows, partition_of: parent, day } = table;
  if (parent !== null && day !== null)
    await owner.query(
      `create table ${quoted(table)} partition of ${quoted({ schema: table.schema, name: parent })} for values in (${day})`,
    );
  const stream = owner.query(
    copyFrom(`copy ${quoted(table)} (${columns.map(pg.escapeIdentifier).join(', ')}) from stdin`),
  );
  await pipeline(fs.createReadStream(path.join(folder, file)), createGunzip(), stream, { signal: stopping });
  if (stream.rowCount !== rows)
    throw damaged(folder, file, `has ${stream.rowCount} rows, and the manifest says ${rows}`);
  if (parent === 'moves') await indexMoves(owner, table);
}

/** The indexes that a night's moves have from the time when they were tonight's. */
async function indexMoves(owner: pg.Client, { name }: BackedUpTable): Promise<void> {
  const { rows } = await owner.query<{ statement: string }>(
    `select replace(pg_get_indexdef(i.indexrelid), 'sealed_moves', $1) as statement from pg_index i
      where i.indrelid = 'hill.sealed_moves'::regclass and not i.indisprimary`,
    [name],
  );
  for (const { statement } of rows) await owner.query(statement);
}

async function closePartitions(owner: pg.Client): Promise<void> {
  await owner.query('set role hill_owner');
  const { rows } = await owner.query<{ name: string }>('select p.name from engine.day_partitions() p');
  for (const { name } of rows) await call(owner, 'engine.close_partition', { name });
  const nights = await owner.query<{ day: number }>('select n.day from hill.nights n order by n.day');
  for (const { day } of nights.rows) await call(owner, 'trusted.index_night', { day });
  await owner.query('reset role');
}
