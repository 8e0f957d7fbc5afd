// Copies a hill, while it serves, from one snapshot into a folder. Decisions 110 to 112.
//
// The snapshot is that of one REPEATABLE READ transaction, and nobody waits for it. Each table is locked (ACCESS SHARE)
// only while it is copied: the lock goes with a savepoint that is undone. What a snapshot does not cover is watched
// for: a table that the bell renames is followed by its id, and if one was dropped, truncated or rewritten the backup
// begins anew.
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { withClient } from '../db/connect.ts';
import { checkout } from '../process/config.ts';
import { messageOf, StartError } from '../process/start-error.ts';
import { checkRoom, makeFolder, type NewFolder } from './folder.ts';
import type { BackedUpTable, Manifest } from './manifest.ts';
import { inBytes, type Progress } from './progress.ts';

/** Whoever holds a backup can read it, tonight's sealed moves included. */
const mode = { folder: 0o700, file: 0o600 };
const mostTries = 5;
/** Rows as compressed text take less than the pages that they lie on. */
const shareOfPages = 0.6;

/** `afterSnapshot` is for tests: what happens on the hill while the backup is under way. */
export async function backUp(
  url: string,
  setting: string,
  target: string,
  progress: Progress,
  afterSnapshot: (table: string) => Promise<void> = async () => {},
): Promise<Manifest> {
  for (let tries = 1; ; tries++) {
    try {
      let manifest: Manifest | undefined;
      await makeFolder(target, mode, progress.stopping, (folder) =>
        withClient(url, setting, async (client) => {
          manifest = await copyHill(client, setting, folder, target, progress, afterSnapshot);
          return manifest;
        }),
      );
      return manifest as Manifest;
    } catch (error) {
      if (/^XX00[12]$/.test((error as { code?: string }).code ?? ''))
        throw new StartError(
          `The database is damaged: ${messageOf(error)}. Restore an earlier backup into a new place.`,
          { cause: error },
        );
      if (!(error instanceof Changed)) throw error;
      if (tries === mostTries)
        throw new StartError(`${error.message}, ${mostTries} times: try again when no migration runs.`);
    } finally {
      progress.clear();
    }
  }
}

/** What the snapshot shows cannot be read any more. */
class Changed extends Error {}

async function copyHill(
  client: pg.Client,
  setting: string,
  folder: NewFolder,
  target: string,
  progress: Progress,
  afterSnapshot: (table: string) => Promise<void>,
): Promise<Manifest> {
  await checkLogin(client, setting);
  await client.query(`
    set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0; set transaction_timeout = 0;
    set search_path = pg_catalog; set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
    set extra_float_digits = 1; set client_encoding = 'UTF8';
    -- an error, and never fewer rows
    set row_security = off;
    begin transaction isolation level repeatable read read only`);
  const facts = await readFacts(client);
  const tables = await listTables(client);
  const all = tables.reduce((sum, { size }) => sum + size, 0);
  await checkRoom(path.dirname(target), all * shareOfPages, 'this backup');

  await client.query('savepoint before');
  const copied: BackedUpTable[] = [];
  let sealedAt: string | null = null;
  let sent = 0;
  for (const [i, table] of tables.entries()) {
    await afterSnapshot(table.name);
    const name = await held(client, table);
    const file = `${table.schema}.${table.name}.copy.gz`;
    const stream = client.query(
      copyTo(`copy ${name} (${table.columns.map(pg.escapeIdentifier).join(', ')}) to stdout`),
    );
    const { bytes } = await folder.write(file, stream, (more) => {
      sent += more;
      progress.show(`${i + 1} of ${tables.length} tables, ${inBytes(sent)}: ${table.schema}.${table.name}`);
    });
    if (table.name === 'sealed_moves') sealedAt = await latest(client, name);
    await client.query('rollback to savepoint before');
    const { schema, name: called, partition_of, day, columns } = table;
    copied.push({ schema, name: called, partition_of, day, columns, rows: stream.rowCount, bytes, file });
  }
  const lastNight = tables.find(({ partition_of, day }) => partition_of === 'moves' && day === facts.last_night);
  let last_deposit_at = sealedAt;
  if (!sealedAt && lastNight) last_deposit_at = await latest(client, await held(client, lastNight));
  // Last: what a sequence gives is never undone, and by now it has given more than the rows have.
  const sequences = await readSequences(client);
  await client.query('commit');
  return { format: 'hill backup 1', hill: version(), ...facts, last_deposit_at, sequences, tables: copied };
}

async function checkLogin(client: pg.Client, setting: string): Promise<void> {
  const { rows } = await client.query<{ role: string; unbound: boolean; reads: boolean; hill: boolean }>(`
    select r.rolname as role, r.rolsuper or r.rolbypassrls as unbound, r.rolsuper or pg_has_role(r.oid, 'pg_read_all_data', 'USAGE') as reads,
           exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'hill' and c.relname = 'settings') as hill
      from pg_roles r where r.rolname = current_user`);
  const { role, unbound, reads, hill } = rows[0] as { role: string; unbound: boolean; reads: boolean; hill: boolean };
  if (!unbound || !reads)
    throw new StartError(
      `${setting}: "${role}" may not read all rows: row-level security binds it, as it binds the owner. A backup needs a login that may: docs/backup.md says how a superuser makes one; set BACKUP_DATABASE_URL to its URL.`,
    );
  if (!hill) throw new StartError(`${setting}: there is no hill in the database "${client.database}".`);
}

type Facts = Pick<
  Manifest,
  'postgresql' | 'taken_at' | 'clock' | 'day_one' | 'last_night' | 'last_bell_at' | 'migrations' | 'signing_key'
>;

/** The first query takes the snapshot. Of tables alone: the functions may be of an older version than this code. */
async function readFacts(client: pg.Client): Promise<Facts> {
  const { rows } = await client.query<Facts>(`
    select current_setting('server_version') as postgresql, ${iso('clock_timestamp()')} as taken_at, s.clock, s.day_one::text as day_one,
           coalesce(n.day, 0) as last_night, ${iso('n.bell_at')} as last_bell_at,
           (select jsonb_agg(jsonb_build_object('filename', m.filename, 'hash', m.hash) order by m.filename) from graphile_migrate.migrations m) as migrations,
           (select jsonb_build_object('kid', k.kid, 'sealed_private', translate(encode(k.sealed_private, 'base64'), e'\\n', ''))
              from oauth.signing_keys k order by k.signs_from desc limit 1) as signing_key
      from (values (true)) v
      left join hill.settings s on true
      left join (select * from hill.nights order by day desc limit 1) n on true`);
  const facts = rows[0] as Facts;
  if (!facts.clock) throw new StartError('This hill was never started: there is nothing to back up.');
  return facts;
}

const iso = (instant: string) => `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

interface Listed {
  readonly oid: number;
  readonly filenode: string;
  readonly schema: 'hill' | 'oauth';
  readonly name: string;
  readonly partition_of: string | null;
  readonly day: number | null;
  readonly columns: string[];
  readonly size: number;
}

/**
 * Every table with rows, as the snapshot has them: first what a bell or the worker takes away (it renames tonight's
 * moves and drops old boards). Not the key of proofs, which each start writes anew from the secret, and not the files
 * of nights, which the worker makes again: docs/backup.md.
 */
async function listTables(client: pg.Client): Promise<Listed[]> {
  const { rows } = await client.query<Listed>(`
    select c.oid::bigint::double precision as oid, c.relfilenode::text as filenode, n.nspname as schema, c.relname as name, p.relname as partition_of,
           substring(pg_get_expr(c.relpartbound, c.oid) from $re$\\((\\d+)\\)$re$)::integer as day,
           array(select a.attname::text from pg_attribute a
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
           greatest(c.relpages, 1) * 8192::double precision as size
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      left join pg_inherits i on i.inhrelid = c.oid
      left join pg_class p on p.oid = i.inhparent
     where n.nspname in ('hill', 'oauth') and c.relkind = 'r' and c.relnatts > 0
       and (n.nspname, c.relname) not in (('oauth', 'proof_keys'), ('oauth', 'next_proof_keys'), ('hill', 'address_questions'), ('oauth', 'stripe_keys'), ('oauth', 'stripe_modes'), ('hill', 'archives'), ('hill', 'archive_pieces'))
     order by c.relname <> 'sealed_moves', p.relname is distinct from 'leaderboard', n.nspname, c.relname`);
  return rows;
}

/** Locks a table, until the savepoint is undone, and returns the name that it has now. */
async function held(client: pg.Client, { oid, filenode, schema, name }: Listed): Promise<string> {
  const now = async () => {
    const { rows } = await client.query<{ name: string; filenode: string | null }>(
      'select $1::oid::regclass::text as name, pg_relation_filenode($1::oid)::text as filenode',
      [oid],
    );
    return rows[0] as { name: string; filenode: string | null };
  };
  for (;;) {
    const before = await now();
    if (before.filenode !== filenode)
      throw new Changed(`The table ${schema}.${name} was dropped or rewritten during the backup`);
    try {
      await client.query(`lock table only ${before.name} in access share mode`);
    } catch (error) {
      // renamed or dropped while we waited for the lock
      if ((error as { code?: string }).code !== '42P01') throw error;
      await client.query('rollback to savepoint before');
      continue;
    }
    const after = await now();
    if (after.name === before.name && after.filenode === filenode) return before.name;
  }
}

async function latest(client: pg.Client, name: string): Promise<string | null> {
  const { rows } = await client.query<{ at: string | null }>(`select ${iso('max(m.at)')} as at from only ${name} m`);
  return rows[0]?.at ?? null;
}

async function readSequences(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ schema: 'hill' | 'oauth'; name: string }>(`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('hill', 'oauth') and c.relkind = 'S' order by 1, 2`);
  const sequences: Manifest['sequences'] = [];
  for (const { schema, name } of rows) {
    const read = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${schema}.${pg.escapeIdentifier(name)}`,
    );
    sequences.push({ schema, name, ...(read.rows[0] as { last: string; called: boolean }) });
  }
  return sequences;
}

const version = (): string =>
  (JSON.parse(fs.readFileSync(path.join(checkout, 'package.json'), 'utf8')) as { version: string }).version;
