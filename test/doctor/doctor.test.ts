// npm run doctor: a healthy hill of real processes has no fault, each planted one is named with its code and what to
// type, and nobody learns of a deposit from it.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { rememberBackup, rememberRestore } from '../../src/backup/record.ts';
import { checks, examine, type Found, withSight } from '../../src/doctor/index.ts';
import { inJson, onScreen, statusOf } from '../../src/doctor/report.ts';
import { verifierKey } from '../../src/log/note.ts';
import { derivedSigner, signCheckpoint, witnessSigners } from '../../src/log/signing.ts';
import { apiVersion, eventTypes } from '../../src/outside/stripe.ts';
import { type Config, checkout, parseConfig } from '../../src/process/config.ts';
import { read } from '../support/documents.ts';
import { bare, type HillProcess, runHillForFile, hill as runToItsEnd } from '../support/hill/hill-process.ts';
import { anAccount, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { aMailServer } from '../support/peers/mail-server.ts';
import { useStripe } from '../support/peers/stripe-server.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

const hill = useHill({
  server: { fsync: 'on', shared_preload_libraries: 'pg_stat_statements', max_notify_queue_pages: '64' },
});
const stripe = useStripe();
const start = runHillForFile();
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-doctor-'));
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

let worker: HillProcess;
let config: Config;
let env: Record<string, string>;
/** Where nobody listens. */
let closed: string;
/** Where another database serves. */
const other = http.createServer((_req, res) => void res.writeHead(404, { 'Hill-Address': 'another' }).end());
let strange: string;
afterAll(() => void other.close());

beforeAll(async () => {
  const [port, console, metrics] = [await freePort(), await freePort(), await freePort()];
  fs.writeFileSync(path.join(dir, 'signing-secret'), `${secret}\n`, { mode: 0o600 });
  env = {
    HILL_CLOCK: 'simulated',
    HILL_DATA_DIR: dir,
    HILL_CHECKPOINT: path.join(dir, 'checkpoint'),
    PORT: String(port),
    CONSOLE_PORT: String(console),
    WEB_DATABASE_URL: hill.url('web'),
    WORKER_DATABASE_URL: hill.url('worker'),
    CONSOLE_DATABASE_URL: hill.url('console'),
    HILL_SIGNING_SECRET_FILE: path.join(dir, 'signing-secret'),
  };
  await hill.clock.ringBell();
  const [web, desk] = [start(['web'], env), start(['console'], env)];
  worker = start(['worker'], { ...env, METRICS_PORT: String(metrics) });
  await Promise.all([web.says('Hill is open'), desk.says('the staff console'), worker.says('waiting for the bell')]);
  env = { ...env, METRICS_PORT: String(metrics), DATABASE_URL: hill.ownerUrl };
  config = parseConfig(env, undefined, 'doctor');
  closed = `http://localhost:${await freePort()}`;
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  strange = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  let found: Found[] = [];
  const isWell = async () => {
    found = await look();
    return wrong(found).length === 0;
  };
  await until('all is well', isWell).catch(() => {});
  expect(wrong(found), 'once all has begun').toEqual([]);
});

const look = (given: Partial<Config> = {}, asked: readonly string[] = [], only = checks): Promise<Found[]> =>
  withSight({ ...config, ...given }, { demo: path.join(dir, 'demo'), asked }, (sight) => examine(sight, only));
const wrong = (found: readonly Found[]) => found.filter(({ state }) => state !== 'ok' && state !== 'none');

/** While the worker is held, it puts nothing right. */
async function whileHeld<T>(work: () => Promise<T>): Promise<T> {
  worker.child.kill('SIGSTOP');
  try {
    return await work();
  } finally {
    worker.child.kill('SIGCONT');
  }
}

const nameOf = (door: 'web' | 'worker' | 'console') => new URL(hill.url(door)).username;
const root =
  (...statements: string[]) =>
  async () => {
    for (const statement of statements) await hill.root.query(statement);
  };
const inServer = (setting: string) =>
  root(`alter system ${setting}`, 'select pg_reload_conf()', 'select pg_sleep(0.3)');

test('a healthy hill has nothing that is wrong, and each check has said so', async () => {
  const found = await look();
  expect(wrong(found)).toEqual([]);
  expect(statusOf(found)).toBe(0);
  expect(found.map(({ code }) => code).toSorted()).toEqual(checks.map(({ code }) => code).toSorted());
  expect(new Set(checks.map(({ code }) => code)).size).toBe(checks.length);
  const named = found.filter(({ state }) => state === 'none').map(({ code }) => code);
  expect(named, 'what is not there').toEqual([
    'log.witnesses',
    'standby.connected',
    'payments.endpoint',
    'payments.secret',
    'payments.events',
    'mail.server',
    'mail.sent',
    'sign-in.providers',
    'backup.made',
    'backup.tried',
  ]);
});

interface Fault {
  readonly code: string;
  readonly what: string;
  readonly state: 'warn' | 'FAIL';
  /** What it says, and what to type. */
  readonly says: RegExp;
  readonly type: RegExp;
  readonly plant?: () => Promise<unknown>;
  readonly mend?: () => Promise<unknown>;
  readonly given?: () => Partial<Config>;
  readonly asked?: readonly string[];
  /** The worker would put it right meanwhile. */
  readonly held?: boolean;
}

const last = '(select max(filename) from graphile_migrate.migrations)';
const aBackup = (hours: number) => {
  const at = new Date(Date.now() - hours * 3_600_000).toISOString();
  const folder = fs.mkdtempSync(path.join(dir, 'backups-'));
  const dataDir = fs.mkdtempSync(path.join(dir, 'data-'));
  return { at, folder, dataDir, made: () => rememberBackup(dataDir, { folder, taken_at: at }) };
};
/** A backup belongs to production, and so does a standby. */
const inProduction = { env: 'production' as const, signingSecret: secret };
const paid = () => ({ stripe: { secretKey: stripe.secretKey, apiUrl: stripe.url } });
const registered = (more: Partial<(typeof stripe.endpoints)[number]> = {}) =>
  stripe.endpoints.splice(0, 9, {
    url: `${config.baseUrl}/stripe/events`,
    status: 'enabled',
    enabled_events: [...eventTypes],
    api_version: apiVersion,
    ...more,
  });
const smtp = (port: number, login: { user: string; pass: string } | null = null) => ({
  smtp: { host: '127.0.0.1', port, secure: false, loopback: true, login },
});
/** A witness signed three hours ago: the last checkpoint, or one so many entries before. */
const cosigned = (before: number) =>
  hill.root.query(
    `insert into hill.log_cosignatures (generation, size, witness, signature, seen_at)
     select c.generation, c.size - $2, $1, '— ended AAAA', now() - interval '185 minutes'
       from hill.log_checkpoints c order by 1 desc, c.size desc limit 1`,
    [ended().key, before],
  );
const ended = () => ({
  name: 'ended',
  key: witnessSigners(secret, 'ended').map(verifierKey)[0] as string,
  url: closed,
});
const uncosigned = () =>
  hill.asRoot((client) =>
    client.query('begin; set local session_replication_role = replica; delete from hill.log_cosignatures; commit'),
  );
const forgotten = () =>
  hill.asRoot((client) =>
    client.query('begin; set local session_replication_role = replica; delete from hill.payment_events; commit'),
  );
const refused = (type: string, id: string) =>
  hill.root.query(
    `insert into hill.payment_events (id, type, sent_at, taken_at, outcome, payment)
     values ($1, $2, now(), now(), 'refused: no such top-up', 'pi_1')`,
    [id, type],
  );
const aFile = (name: string, text: string, mode = 0o600) => {
  const file = path.join(dir, name);
  fs.writeFileSync(file, text);
  fs.chmodSync(file, mode);
  return file;
};
let copied: string;
let holding: pg.PoolClient;
/** The machine of the doctor is ahead of the database's. */
const ahead = (ms: number) => async () => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
const inTime = async () => void vi.useRealTimers();

const faults: readonly Fault[] = [
  {
    code: 'database.version',
    what: 'a server that says it is of version 17',
    state: 'FAIL',
    says: /needs PostgreSQL 18 or newer, and that server is 17\.6/,
    type: /pg_upgradecluster, or npm run backup and npm run restore/,
    plant: root(
      'create schema older',
      `create function older.current_setting(text) returns text language sql as $$
         select case $1 when 'server_version' then '17.6' when 'server_version_num' then '170006'
                        else pg_catalog.current_setting($1) end $$`,
      'grant usage on schema older to public',
      'alter role hill set search_path to older, pg_catalog',
    ),
    mend: root('alter role hill reset search_path', 'drop schema older cascade'),
  },
  {
    code: 'clock.apart',
    what: 'clocks that are a minute and a half apart',
    state: 'FAIL',
    says: /90 seconds apart.*no bell rings/,
    type: /timedatectl set-ntp true/,
    plant: ahead(90_000),
    mend: inTime,
  },
  {
    code: 'clock.apart',
    what: 'clocks that are five seconds apart',
    state: 'warn',
    says: /[45]\.\d s apart/,
    type: /clock-stepped/,
    plant: ahead(5_100),
    mend: inTime,
  },
  {
    code: 'bell.queue',
    what: 'a session that holds notifications back',
    state: 'FAIL',
    says: /\d\d % of PostgreSQL's queue of notifications/,
    type: /psql -d hill -c "select pid, .* from engine.in_the_way\(\)/,
    plant: async () => {
      holding = await hill.root.connect();
      await holding.query('listen doctor');
      await holding.query('begin');
      await hill.root.query("select pg_notify('doctor', n || repeat('x', 7900)) from generate_series(1, 20) n");
    },
    mend: async () => {
      await holding.query('rollback');
      await holding.query('unlisten *');
      holding.release();
    },
  },
  {
    code: 'payments.events',
    what: 'an event that was refused',
    state: 'warn',
    says: /1 event of the last week was refused/,
    type: /page Money.*payment-waits/,
    plant: () => refused('refund.created', 'evt_refund'),
    mend: forgotten,
  },
  {
    code: 'payments.events',
    what: 'a list of events that nobody reads',
    state: 'FAIL',
    says: /list of events was read 3 h.* ago/,
    type: /npm start/,
    plant: root("insert into hill.payment_listing (listed_until) values (now() - interval '3 hours 5 minutes')"),
    mend: root('delete from hill.payment_listing'),
    given: paid,
  },
  {
    code: 'payments.waiting',
    what: 'a payment that was taken and not credited',
    state: 'warn',
    says: /wait for a person: 1 not_credited/,
    type: /page Money.*payment-waits/,
    plant: () => refused('checkout.session.completed', 'evt_checkout'),
    mend: forgotten,
  },
  {
    code: 'seal.log',
    what: 'log_error_verbosity of the server',
    state: 'FAIL',
    says: /log_error_verbosity/,
    type: /alter system set log_error_verbosity = 'terse'.*pg_reload_conf/,
    plant: inServer("set log_error_verbosity = 'default'"),
    mend: inServer('reset log_error_verbosity'),
  },
  {
    code: 'seal.log',
    what: "log_min_error_statement and log_parameter_max_length_on_error of the web's login alone",
    state: 'FAIL',
    says: /log_parameter_max_length_on_error, log_min_error_statement/,
    type: /log_min_error_statement = 'panic'.*\\drds/,
    plant: async () => {
      await hill.root.query(`alter role ${nameOf('web')} set log_min_error_statement = 'error'`);
      await hill.root.query(`alter role ${nameOf('web')} set log_parameter_max_length_on_error = '64'`);
    },
    mend: async () => hill.root.query(`alter role ${nameOf('web')} reset all`),
  },
  {
    code: 'seal.statistics',
    what: 'statistics that a newer sql/harden.sql closes',
    state: 'FAIL',
    says: /when moves are deposited/,
    type: /psql -d hill -f sql\/harden.sql.*npm run migrate/,
    plant: root('grant execute on function pg_catalog.pg_stat_get_backend_wal(integer) to public'),
    mend: root('revoke execute on function pg_catalog.pg_stat_get_backend_wal(integer) from public'),
  },
  {
    code: 'seal.statements',
    what: 'pg_stat_statements that came after sql/harden.sql',
    state: 'FAIL',
    says: /pg_stat_statements/,
    type: /sql\/harden.sql/,
    plant: root('create extension pg_stat_statements schema public'),
    mend: root('drop extension pg_stat_statements'),
  },
  {
    code: 'connections.reserve',
    what: 'a worker that may not use reserved connections',
    state: 'warn',
    says: /worker's login may not use reserved/,
    type: /grant pg_use_reserved_connections to hill with admin option/,
    plant: async () => hill.owner.query(`revoke pg_use_reserved_connections from ${nameOf('worker')}`),
    mend: async () =>
      hill.owner.query(`grant pg_use_reserved_connections to ${nameOf('worker')} with inherit true, set false`),
  },
  {
    code: 'connections.limit',
    what: 'a worker that may open two',
    state: 'FAIL',
    says: /may open 2, and a worker opens 9/,
    type: /alter role hill_worker_login connection limit -1/,
    plant: async () => hill.root.query(`alter role ${nameOf('worker')} connection limit 2`),
    mend: async () => hill.root.query(`alter role ${nameOf('worker')} connection limit -1`),
    held: true,
  },
  {
    code: 'connections.room',
    what: 'more web processes than PostgreSQL has room for',
    state: 'FAIL',
    says: /room for 197 connections, and web \(300\)/,
    type: /alter system set max_connections/,
    given: () => ({ webProcesses: 30 }),
  },
  {
    code: 'roles.missing',
    what: 'a console that may not log in',
    state: 'FAIL',
    says: /no login that is let in serves the console/,
    type: /CONSOLE_DATABASE_URL=.*npm run migrate/,
    plant: async () => hill.root.query(`alter role ${nameOf('console')} nologin`),
    mend: async () => hill.root.query(`alter role ${nameOf('console')} login`),
  },
  {
    code: 'roles.mighty',
    what: 'a web login that can become the owner',
    state: 'FAIL',
    says: /hill_web_login serves, and could become the owner/,
    type: /\\drg hill_web_login/,
    plant: async () => hill.root.query(`grant hill_owner to ${nameOf('web')}`),
    mend: async () => hill.root.query(`revoke hill_owner from ${nameOf('web')}`),
  },
  {
    code: 'roles.login',
    what: 'a password that is another one',
    state: 'FAIL',
    says: /WEB_DATABASE_URL: .*does not let "hill_web_login" in/,
    type: /npm run migrate/,
    given: () => {
      const url = new URL(hill.url('web'));
      url.password = 'wrong';
      return { loginUrls: { ...config.loginUrls, web: url.href } };
    },
  },
  {
    code: 'roles.members',
    what: 'a login that watches the server',
    state: 'warn',
    says: /watcher in pg_monitor/,
    type: /revoke pg_monitor from watcher/,
    plant: root('create role watcher login in role pg_monitor'),
    mend: root('drop role watcher'),
  },
  {
    code: 'roles.members',
    what: 'a login that owns the queue',
    state: 'FAIL',
    says: /queuer in hill_queue/,
    type: /revoke hill_queue from queuer/,
    plant: root('create role queuer login in role hill_queue'),
    mend: root('drop role queuer'),
  },
  {
    code: 'roles.elsewhere',
    what: 'a database that is open to all',
    state: 'warn',
    says: /\(postgres\)/,
    type: /revoke connect, temporary on database postgres from public/,
    plant: root('grant connect on database postgres to public'),
    mend: root('revoke connect on database postgres from public'),
  },
  {
    code: 'roles.ending',
    what: 'a hill that may end no session',
    state: 'warn',
    says: /may not end sessions/,
    type: /sql\/harden.sql/,
    plant: async () => hill.owner.query('revoke pg_signal_backend from hill_owner'),
    mend: async () => hill.owner.query('grant pg_signal_backend to hill_owner with inherit true, set false'),
  },
  {
    code: 'database.migrations',
    what: 'a migration that was not run',
    state: 'FAIL',
    says: /1 of \d+ migrations have not been run/,
    type: /npm run migrate/,
    plant: root(
      `create table kept as select * from graphile_migrate.migrations where filename = ${last}`,
      `delete from graphile_migrate.migrations where filename = ${last}`,
    ),
    mend: root('insert into graphile_migrate.migrations select * from kept', 'drop table kept'),
  },
  {
    code: 'database.migrations',
    what: 'a migration of a newer version',
    state: 'FAIL',
    says: /ahead of this code/,
    type: /git .* pull/,
    plant: root("insert into graphile_migrate.migrations (filename, hash) values ('999999.sql', 'sha1:none')"),
    mend: root("delete from graphile_migrate.migrations where filename = '999999.sql'"),
  },
  {
    code: 'database.functions',
    what: 'sql/ of another version',
    state: 'FAIL',
    says: /another version/,
    type: /npm run migrate/,
    plant: root("update graphile_migrate.sql_folder set hash = 'x' || hash"),
    mend: root('update graphile_migrate.sql_folder set hash = substr(hash, 2)'),
  },
  {
    code: 'database.restored',
    what: 'a restore that did not end',
    state: 'FAIL',
    says: /has not finished/,
    type: /npm run restore/,
    plant: async () => hill.owner.query('create table graphile_migrate.unfinished_restore ()'),
    mend: async () => hill.owner.query('drop table graphile_migrate.unfinished_restore'),
  },
  {
    code: 'database.settings',
    what: 'another day one',
    state: 'FAIL',
    says: /day/,
    type: /HILL_DAY_ONE/,
    given: () => ({ dayOne: '2031-01-01' }),
  },
  {
    code: 'database.durable',
    what: 'a server that does not wait for its disk',
    state: 'FAIL',
    says: /fsync off/,
    type: /alter system set fsync = on.*pg_reload_conf/,
    plant: inServer('set fsync = off'),
    mend: inServer('reset fsync'),
  },
  {
    code: 'disk.writes',
    what: 'a database that takes no writes',
    state: 'FAIL',
    says: /default_transaction_read_only/,
    type: /reset default_transaction_read_only/,
    plant: inServer('set default_transaction_read_only = on'),
    mend: inServer('reset default_transaction_read_only'),
    held: true,
  },
  {
    code: 'bell.worker',
    what: 'a worker that is silent',
    state: 'FAIL',
    says: /30 seconds/,
    type: /npm start/,
    plant: root("update hill.watch set beat_at = beat_at - interval '1 min'"),
    mend: root('update hill.watch set beat_at = clock_timestamp()'),
    held: true,
  },
  {
    code: 'bell.books',
    what: 'a night that failed its checks',
    state: 'FAIL',
    says: /must hold/,
    type: /sql\/verify\/ledger.sql/,
    plant: root(
      "insert into hill.bell_failures (night, code, first_at, last_at) values (1, 'VERIFICATION_FAILED', now(), now())",
    ),
    mend: root('delete from hill.bell_failures'),
  },
  {
    code: 'bell.checked',
    what: 'books that nobody has checked',
    state: 'warn',
    says: /not checked for a day: .*payments/,
    type: /npm start/,
    plant: root('create table checked as select checks from hill.watch', "update hill.watch set checks = '[]'"),
    mend: root('update hill.watch set checks = (select checks from checked)', 'drop table checked'),
  },
  {
    code: 'log.signed',
    what: 'a log that is not signed',
    state: 'FAIL',
    says: /half an hour/,
    type: /log-not-signed/,
    plant: root("update hill.watch set log_signed_at = log_signed_at - interval '1 h'"),
    mend: root("update hill.watch set log_signed_at = log_signed_at + interval '1 h'"),
  },
  {
    code: 'log.address',
    what: 'an address where nobody serves',
    state: 'FAIL',
    says: /does not answer \(ECONNREFUSED\)/,
    type: /npm start/,
    given: () => ({ baseUrl: closed }),
  },
  {
    code: 'log.database',
    what: 'an address where another database serves',
    state: 'FAIL',
    says: /leads to another database: this one is a copy/,
    type: /log-not-signed/,
    plant: root("insert into hill.address_questions values (repeat('0', 64), repeat('1', 64))"),
    mend: root("delete from hill.address_questions where question = repeat('0', 64)"),
    given: () => ({ baseUrl: strange }),
  },
  {
    code: 'processes.web',
    what: 'an address where nobody serves',
    state: 'FAIL',
    says: /does not answer \(ECONNREFUSED\)/,
    type: /npm start/,
    given: () => ({ baseUrl: closed }),
  },
  {
    code: 'log.file',
    what: 'a file that is not there',
    state: 'FAIL',
    says: /is not there/,
    type: /--adopt/,
    given: () => ({ checkpointFile: path.join(dir, 'none', 'checkpoint') }),
  },
  {
    code: 'log.file',
    what: "another hill's file",
    state: 'FAIL',
    says: /of another.example\/log/,
    type: /--adopt/,
    plant: async () => {
      const origin = 'another.example/log';
      const head = { origin, size: 7, root: Buffer.alloc(32, 7) };
      copied = aFile('another', signCheckpoint(head, [derivedSigner(secret, origin, 'ed25519')], 1));
    },
    given: () => ({ checkpointFile: copied }),
  },
  {
    code: 'log.witnesses',
    what: 'a witness that never signed',
    state: 'warn',
    says: /gone has never signed/,
    type: /grep witness/,
    given: () => ({
      witnesses: [
        { name: 'gone', key: witnessSigners(secret, 'gone').map(verifierKey)[0] as string, url: 'http://localhost:1' },
      ],
    }),
  },
  {
    code: 'log.witnesses',
    what: 'a witness that signed for some days and then ended',
    state: 'warn',
    says: /ended signed 3 h.* ago, and nothing since/,
    type: /ask its operator: docs\/operations.md#witnesses/,
    plant: () => cosigned(1),
    mend: uncosigned,
    given: () => ({ witnesses: [ended()] }),
  },
  {
    code: 'secrets.signing',
    what: 'another secret',
    state: 'FAIL',
    says: /is not the one/,
    type: /the-signing-secret/,
    given: () => ({ signingSecret: `${secret} but another` }),
  },
  {
    code: 'secrets.files',
    what: 'a secret that everybody reads',
    state: 'FAIL',
    says: /open-secret \(644\)/,
    type: /chmod 600 .*open-secret/,
    plant: async () => aFile('open-secret', 'hush', 0o644),
    given: () => ({ secretFiles: { HILL_SIGNING_SECRET: path.join(dir, 'open-secret') } }),
  },
  {
    code: 'payments.endpoint',
    what: 'no webhook at Stripe',
    state: 'FAIL',
    says: /no webhook to http.*\/stripe\/events/,
    type: /dashboard.stripe.com\/webhooks/,
    given: paid,
  },
  {
    code: 'payments.endpoint',
    what: 'a webhook that leaves events out',
    state: 'FAIL',
    says: /does not send refund.failed$/,
    type: /docs\/operations.md#payments/,
    plant: async () => registered({ enabled_events: eventTypes.filter((type) => type !== 'refund.failed') }),
    mend: async () => stripe.endpoints.splice(0),
    given: paid,
  },
  {
    code: 'payments.endpoint',
    what: 'a webhook that Stripe has switched off',
    state: 'FAIL',
    says: /switched .* off/,
    type: /dashboard/,
    plant: async () => registered({ status: 'disabled' }),
    mend: async () => stripe.endpoints.splice(0),
    given: paid,
  },
  {
    code: 'payments.endpoint',
    what: 'a key that Stripe does not take',
    state: 'FAIL',
    says: /does not take STRIPE_SECRET_KEY/,
    type: /STRIPE_SECRET_KEY=/,
    given: () => ({ stripe: { secretKey: 'sk_test_another', apiUrl: stripe.url } }),
  },
  {
    code: 'payments.secret',
    what: "a webhook's secret that the database was not told",
    state: 'FAIL',
    says: /does not know the secret/,
    type: /STRIPE_WEBHOOK_SECRET=whsec_… npm run migrate/,
    given: paid,
  },
  {
    code: 'mail.server',
    what: 'a mail server that is not there',
    state: 'FAIL',
    says: /127.0.0.1:1 cannot be used \(unreachable\)/,
    type: /nc -zv/,
    given: () => smtp(1),
  },
  {
    code: 'mail.sent',
    what: 'mail that waits',
    state: 'FAIL',
    says: /waited for more than an hour/,
    type: /npm start/,
    plant: async () => {
      const { id } = await anAccount(hill);
      await hill.root.query(
        `insert into hill.mails (account_id, address_id, kind, about, made_at, until, due_at)
         values ($1, $2, 'confirm', 'x', now() - interval '2 h', now() + interval '1 d', now() + interval '1 h')`,
        [id, randomUUID()],
      );
    },
    mend: root('delete from hill.mails'),
  },
  {
    code: 'sign-in.providers',
    what: 'a provider that does not answer',
    state: 'FAIL',
    says: /localhost:1 does not answer/,
    type: /GOOGLE_CLIENT_ID/,
    given: () => ({
      providers: {
        google: null,
        github: { clientId: 'x', clientSecret: 'y', url: 'http://localhost:1', apiUrl: 'http://localhost:1' },
      },
    }),
  },
  {
    code: 'backup.made',
    what: 'no backup',
    state: 'FAIL',
    says: /no backup is known/,
    type: /npm run backup -- /,
    given: () => inProduction,
  },
  {
    code: 'backup.made',
    what: 'a backup of the week before',
    state: 'FAIL',
    says: /7 d ago/,
    type: /hill-backup.timer/,
    given: () => {
      const { dataDir, made } = aBackup(7 * 24);
      made();
      return { ...inProduction, dataDir };
    },
  },
  {
    code: 'backup.tried',
    what: 'a backup that nobody has tried to restore',
    state: 'warn',
    says: /no restore of a backup was tried/,
    type: /npm run restore -- FOLDER/,
    given: () => {
      const { dataDir, made } = aBackup(1);
      made();
      return { ...inProduction, dataDir };
    },
  },
  {
    code: 'backup.tried',
    what: 'a restore that did not agree',
    state: 'FAIL',
    says: /did not agree/,
    type: /npm run restore/,
    given: () => {
      const { dataDir, folder, made } = aBackup(1);
      made();
      rememberRestore(folder, false);
      return { ...inProduction, dataDir };
    },
  },
  {
    code: 'standby.connected',
    what: 'a standby that is not there',
    state: 'FAIL',
    says: /0 of the 1 .*ANY 1 \(second, third\)/,
    type: /replica-lag/,
    plant: inServer("set synchronous_standby_names = 'ANY 1 (second, third)'"),
    mend: inServer('reset synchronous_standby_names'),
  },
  {
    code: 'standby.connected',
    what: 'production without one',
    state: 'warn',
    says: /none is synchronous/,
    type: /scaling.md#a-standby/,
    given: () => inProduction,
  },
  {
    code: 'processes.watched',
    what: 'two processes that are gone',
    state: 'FAIL',
    says: /localhost:1\/readyz does not answer.*localhost:2\/readyz does not answer/,
    type: /METRICS_PORT/,
    asked: ['localhost:1', 'localhost:2'],
  },
  {
    code: 'processes.console',
    what: 'a console that is gone',
    state: 'FAIL',
    says: /does not answer/,
    type: /npm start/,
    given: () => ({ consolePort: 1 }),
  },
];

describe('each planted fault is named, with what to type', () => {
  test.each(faults)('$code: $what', async ({ code, state, says, type, plant, mend, given, asked, held }) => {
    const seen = async () => {
      await plant?.();
      try {
        const only = checks.filter((check) => check.code === code);
        return (await look(given?.(), asked, only))[0];
      } finally {
        await mend?.();
      }
    };
    expect(await (held ? whileHeld(seen) : seen())).toMatchObject({
      state,
      says: expect.stringMatching(says),
      type: expect.stringMatching(type),
    });
  });

  test('and all of them are gone with what was planted', async () => {
    await until('all is well again', async () => wrong(await look()).length === 0);
  });
});

test('a bell that does not ring, and a night that was not closed as promised, until the next one was', async () => {
  const ofCode = async (code: string) =>
    (
      await look(
        {},
        [],
        checks.filter((check) => check.code === code),
      )
    )[0];
  await whileHeld(async () => {
    const bob = await anAccount(hill, { credits: 5_000 });
    await hill.asAgent(bob).play({ slot: 1, move: 'PEACE' });
    const day = await hill.clock.day();
    await hill.clock.toMidnight();
    await hill.clock.at('00:03');
    await hill.root.query('update hill.settings set rate = 1'); // nothing is overdue while a clock stands still
    expect(await ofCode('bell.rung')).toMatchObject({
      state: 'FAIL',
      says: expect.stringMatching(/overdue/),
      type: expect.stringMatching(/docs\/runbook.md#bell-overdue/),
    });
    await hill.root.query('update hill.settings set rate = 0');
    await hill.as('worker').query('select api_worker.close_next_day()'); // and nobody signs that
    await hill.asStaff().call('api_staff.let_bell_ring', { day, reason: 'the log cannot be signed' });
    await hill.clock.ringBell();
    expect(await ofCode('log.closing')).toMatchObject({
      state: 'FAIL',
      says: `night ${day} is UNSEALED: its closing was not signed before its bell`,
      type: expect.stringMatching(/docs\/runbook.md#closing-not-signed/),
    });
  });
  await hill.clock.toMidnight();
  await until('all is well again', async () => wrong(await look()).length === 0);
});

const apart = ['--user', '--map-root-user', '--mount', '--pid', '--fork', '--mount-proc', 'sh', '-c'];
const canMount = spawnSync('unshare', [...apart, 'mount -t tmpfs none /mnt']).status === 0;

describe('the disk', () => {
  const disk = checks.filter(({ code }) => code === 'disk.data');
  const told = async (given: Partial<Config> = {}) => (await look(given, [], disk))[0];

  test('of a PostgreSQL of its own is told where that runs on this machine, and how long it lasts after a week', async () => {
    const before = await told();
    expect(before).toMatchObject({
      state: 'ok',
      says: expect.stringMatching(/^\d+ % of the disk of the database is free; \d/),
    });
    await hill.clock.toDay(9);
    expect(await told({ clock: 'real' })).toMatchObject({
      says: expect.stringMatching(/of the disk of the database is free, enough for (more than a year|\d+ months) at/),
    });
  });

  test.skipIf(!canMount)('that is full is named, also where the database is elsewhere (unshare of Linux)', async () => {
    const full = path.join(dir, 'full');
    fs.mkdirSync(full);
    const fill = `mount -t tmpfs -o size=64k none "$HILL_DATA_DIR" && { head -c 100000 /dev/zero > "$HILL_DATA_DIR/full"; exec "$0" "$@"; }`;
    const { stdout } = spawnSync(
      'unshare',
      [...apart, fill, process.execPath, '--import', './src/process/check-node.mjs', 'src/main.ts', 'doctor', '--json'],
      { cwd: checkout, env: { ...bare(), ...env, HILL_DATA_DIR: full }, encoding: 'utf8' },
    );
    const { checks: found } = JSON.parse(stdout) as { checks: Found[] };
    expect(found.find(({ code }) => code === 'disk.data')).toMatchObject({
      state: 'FAIL',
      says: 'the disk of the database is not seen from here; 0 % of the disk of HILL_DATA_DIR is free',
      type: expect.stringMatching(/df -h.*docs\/runbook.md#disk-full/),
    });
  });
});

test('a witness that has signed the last checkpoint is well, however long nothing was signed since', async () => {
  const only = checks.filter(({ code }) => code === 'log.witnesses');
  const found = await whileHeld(async () => {
    await cosigned(0);
    return look({ witnesses: [ended()] }, [], only).finally(uncosigned);
  });
  expect(found).toMatchObject([{ state: 'ok', says: expect.stringMatching(/^ended signed 3 h[^,]* ago$/) }]);
});

test('no check is without its fault here', () => {
  const planted = new Set([...faults.map(({ code }) => code), 'bell.rung', 'log.closing', 'disk.data']);
  expect(checks.map(({ code }) => code).filter((code) => !planted.has(code))).toEqual([]);
});

test('/readyz of a web and of a worker names what the seal and the bell lack, and each forgets it', async () => {
  const named = async () => {
    const [web, working] = await Promise.all(
      [`${config.baseUrl}/readyz`, `http://127.0.0.1:${config.metrics?.port}/readyz`].map(async (address) =>
        (await fetch(address)).json(),
      ),
    );
    const { failed = [] } = web as { failed?: string[] };
    const { checks: all } = working as { checks: Record<string, { ok: boolean }> };
    return JSON.stringify([failed, Object.keys(all).filter((check) => !all[check]?.ok)]);
  };
  const lacking = ['seal', 'reserve'];
  await hill.rows('grant execute on function pg_catalog.pg_lock_status() to public');
  await hill.owner.query(`revoke pg_use_reserved_connections from ${nameOf('worker')}`);
  await until('both name it', async () => (await named()) === JSON.stringify([lacking, lacking]));
  await hill.rows('revoke execute on function pg_catalog.pg_lock_status() from public');
  await hill.owner.query(`grant pg_use_reserved_connections to ${nameOf('worker')} with inherit true, set false`);
  await until('both are ready', async () => (await named()) === '[[],[]]');
});

test('what is in order elsewhere is said so: a webhook, a mail server, a backup that was restored', async () => {
  registered();
  const mail = await aMailServer();
  await hill.root.query(
    "insert into oauth.stripe_keys (inner_block, outer_block, set_at) values (decode(repeat('00', 64), 'hex'), decode(repeat('00', 64), 'hex'), now())",
  );
  const { dataDir, folder, made } = aBackup(1);
  made();
  rememberRestore(folder, true);
  const found = await look({ ...paid(), ...smtp(mail.port), ...inProduction, dataDir });
  expect(found.filter(({ code, state }) => /^(payments|mail|backup)\./.test(code) && state !== 'ok')).toEqual([]);
  expect(mail.received).toEqual([]);
});

test('without the owner it says what it could not look at, and looks at the rest', async () => {
  const found = await look({ databaseUrl: null });
  const unseen = found.filter(({ state }) => state === 'unseen');
  expect(unseen.map(({ code }) => code)).toEqual([
    'database.restored',
    'database.migrations',
    'database.functions',
    'database.settings',
    'bell.checked',
    'log.database',
    'log.witnesses',
    'payments.events',
    'mail.sent',
  ]);
  expect(new Set(unseen.map(({ says }) => says))).toEqual(new Set(['DATABASE_URL is not set']));
  expect(found.filter(({ state }) => state === 'warn' || state === 'FAIL')).toEqual([]);
});

test('a deposit, and another in its place, change nothing that it shows', async () => {
  const ann = await anAccount(hill, { credits: 5_000 });
  const shown = async () =>
    onScreen(await look(), 'the hill', false)
      .replace(/\d+\.\d s apart/, '')
      .replace(/\d+ % of the disk/, '');
  const before = await shown();
  await hill.asAgent(ann).play({ slot: 3, move: 'WAR', stake_cents: 900 });
  expect(await shown()).toBe(before);
  await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
  expect(await shown()).toBe(before);
});

test('whichever login it has, it writes nothing', async () => {
  const write = async (given: Partial<Config>, role?: string) =>
    withSight({ ...config, ...given }, { demo: dir }, async ({ asOwner, as }) => {
      const statement = 'update hill.watch set beat_at = beat_at';
      return role
        ? asOwner((owner) => owner.query(statement), role)
        : as('worker', (login) => login.query('select api_worker.beat()'));
    }).then(
      () => 'written',
      (error: { code?: string }) => error.code,
    );
  expect(await write({}, 'hill_api_worker')).toBe('25006');
  expect(await write({ databaseUrl: null })).toBe('25006');
});

test('the command: a screen or JSON, with its exit status; no secret, and no colour', async () => {
  const healthy = await runToItsEnd(['doctor'], env);
  expect(healthy).toMatchObject({ code: 0, output: expect.stringContaining('Healthy: ') });
  expect(healthy.output.split('\n').length).toBeLessThan(24);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
  expect(healthy.output).not.toMatch(/\x1b/);

  const sick = await runToItsEnd(['doctor', '--json', '--ask', 'localhost:1'], env);
  expect(sick.code).toBe(1);
  expect(JSON.parse(sick.output)).toMatchObject({
    healthy: false,
    checks: expect.arrayContaining([expect.objectContaining({ code: 'processes.watched', state: 'FAIL' })]),
  });
  for (const url of [hill.ownerUrl, hill.url('web'), hill.url('worker'), hill.url('console')])
    expect(healthy.output + sick.output).not.toContain(new URL(url).password);
  expect(healthy.output + sick.output).not.toContain(secret);

  for (const [args, settings, says] of [
    [['doctor'], { HILL_DATA_DIR: path.join(dir, 'nothing') }, /No hill .* npm start, or npm run demo/],
    [
      ['doctor'],
      {
        ...env,
        DATABASE_URL: 'postgres://hill@localhost:1/hill',
        WEB_DATABASE_URL: '',
        WORKER_DATABASE_URL: '',
        CONSOLE_DATABASE_URL: '',
      },
      /nothing answers at localhost:1/,
    ],
    [['doctor', '--jsn'], env, /takes --json/],
    [['doctor'], { ...env, HILL_DAY_ON: 'x' }, /HILL_DAY_ON is not a setting/],
  ] as const)
    expect(await runToItsEnd([...args], settings as Record<string, string>)).toMatchObject({
      code: 2,
      output: expect.stringMatching(says),
    });
});

test('what to type is there: scripts, files and headings that it names', async () => {
  const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts);
  const typed = checks.map(({ type }) => type).join('\n') + inJson([], {});
  const sources = fs
    .readdirSync('src/doctor', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(`src/doctor/${file}`))
    .join('\n');
  for (const [, name] of `${typed}\n${sources}`.matchAll(/npm run (?:-s )?(\w+)/g)) expect(scripts).toContain(name);
  for (const [, file, anchor] of sources.matchAll(/(docs\/\w+\.md|sql\/[\w/]+\.sql)(?:#([\w-]+))?/g)) {
    expect(fs.existsSync(file as string), file).toBe(true);
    if (anchor)
      expect(
        [...read(file as string).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
          (title as string)
            .toLowerCase()
            .replace(/[^\w\- ]/g, '')
            .replaceAll(' ', '-'),
        ),
        `${file}#${anchor}`,
      ).toContain(anchor);
  }
});
