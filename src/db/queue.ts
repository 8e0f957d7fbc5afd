// Migrates graphile-worker's own tables, all owned by hill_queue.
//
// The worker's login was a member of hill_queue once, so it could have replaced the queue's functions. Therefore no
// code of the queue may run with the rights of the database's owner, not even its migrations: they run in a session
// that logs in as a member of hill_queue alone.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { checkout } from '../process/config.ts';
import { roleName } from './role-name.ts';
import { scramVerifier } from './scram.ts';

export async function migrateQueue(owner: pg.Client, ownerUrl: string): Promise<void> {
  // Only another version of the library has other tables; and who makes its schema anew gets them anew.
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(checkout, 'package.json'), 'utf8'));
  const version = `${dependencies['graphile-worker']} quiet`;
  await owner.query(
    'create table if not exists graphile_migrate.queue (one boolean primary key default true check (one), version text not null)',
  );
  const { rows } = await owner.query<{ version: string }>(
    "select version from graphile_migrate.queue where exists (select from pg_tables where (schemaname, tablename) = ('graphile_worker', '_private_jobs'))",
  );
  if (rows[0]?.version === version) return;

  const login = roleName(owner.database as string, 'queue_setup');
  const quoted = pg.escapeIdentifier(login);
  const database = pg.escapeIdentifier(owner.database as string);
  const password = randomBytes(24).toString('base64url');
  const drop = async () => {
    const { rowCount } = await owner.query('select 1 from pg_roles where rolname = $1', [login]);
    if (rowCount) await owner.query(`revoke connect on database ${database} from ${quoted}; drop role ${quoted}`);
  };
  await drop(); // left by a start that was killed
  await owner.query(`create role ${quoted} login noinherit password '${scramVerifier(password)}'`);
  try {
    await owner.query(
      `grant hill_queue to ${quoted} with inherit false, set true; grant connect on database ${database} to ${quoted}`,
    );
    const url = new URL(ownerUrl);
    url.username = login;
    url.password = password;
    await migrateAs(url.href);
  } finally {
    await drop();
  }
  // What sql/ grants on the tables is granted on the new ones. At a first start there is nothing yet to forget.
  const { rows: loaded } = await owner.query("select where to_regclass('graphile_migrate.sql_items') is not null");
  if (loaded.length > 0)
    await owner.query(
      "delete from graphile_migrate.sql_folder; delete from graphile_migrate.sql_items where name ~ 'graphile_worker' or \"on\" ~ 'graphile_worker'",
    );
  await owner.query(
    'insert into graphile_migrate.queue (version) values ($1) on conflict (one) do update set version = excluded.version',
    [version],
  );
}

async function migrateAs(connectionString: string): Promise<void> {
  const { Logger, runMigrations } = await import('graphile-worker');
  // Of the waits for the disk the caller's suffices, which comes last.
  const pool = new pg.Pool({
    connectionString,
    max: 1,
    options: '-c role=hill_queue -c synchronous_commit=off',
    application_name: 'hill setup',
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    // Unless it finds this table, graphile-worker begins with "create schema if not exists", and hill_queue may not
    // create schemas.
    await pool.query(
      'create table if not exists graphile_worker.migrations (id int primary key, ts timestamptz not null default now(), breaking boolean not null default false)',
    );
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) });
    await pool.query(quiet);
  } finally {
    await pool.end();
  }
}

/**
 * What notifies fails when the queue of notifications is full, and any login can fill that. So adding a job notifies
 * nobody: the functions find another pg_notify first. Whoever runs jobs looks for them each second (worker/queue.ts).
 * Decisions 480.
 */
const quiet = `
  create or replace function graphile_worker.pg_notify(text, text) returns void language sql immutable as '';
  comment on function graphile_worker.pg_notify is 'Notifies nobody, for the functions of this schema.';
  do $$
  declare
    v_function regprocedure;
  begin
    for v_function in
      select p.oid from pg_proc p where p.pronamespace = 'graphile_worker'::regnamespace and p.prosrc ~ 'pg_notify'
    loop
      execute format('alter function %s set search_path to graphile_worker, pg_catalog, pg_temp', v_function);
    end loop;
  end
  $$`;
