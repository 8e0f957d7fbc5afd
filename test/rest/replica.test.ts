// The public reading from a streaming replica (DATABASE_REPLICA_URL), which hears nothing by itself and may be behind. Rules 10.11.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { makeHillDatabase } from '../../src/db/hill-database.ts';
import { makeLogins } from '../../src/db/logins.ts';
import { prepareDatabase } from '../../src/db/migrate.ts';
import { openHill } from '../../src/db/open-hill.ts';
import { makePool } from '../../src/db/pool.ts';
import { type Cluster, startCluster } from '../../src/embedded/index.ts';
import { parseConfig } from '../../src/process/config.ts';
import type { Hill, Rules } from '../../src/records/index.ts';
import { startWeb, type Web } from '../../src/web/index.ts';
import { secret } from '../support/hill/secret.ts';
import { aLog, type Said } from '../support/hill/worker.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

// Backups are made from what is on disk.
const settings = { full_page_writes: 'on', wal_level: 'replica', max_wal_senders: '4', hot_standby: 'on' };
let primary: Cluster;
let replica: Cluster;
let root: pg.Client;
let standby: pg.Client;
let worker: pg.Pool;
let pool: pg.Pool;
let web: Web;
let baseUrl: string;
let copyDir: string;
let said: Said[];

const folder = () => fs.mkdtempSync(path.join(os.tmpdir(), 'hill-replica-test-'));
const connected = async (cluster: Cluster, database: string): Promise<pg.Client> => {
  const client = new pg.Client(cluster.url(database));
  client.on('error', () => {});
  await client.connect();
  return client;
};

beforeAll(async () => {
  const dir = folder();
  primary = await startCluster({ dir, ephemeral: true, settings });
  const ownerUrl = await makeHillDatabase(primary);
  await prepareDatabase(ownerUrl);
  await openHill(ownerUrl, { dayOne: null, clock: 'simulated' });
  const logins = await makeLogins(ownerUrl);
  root = await connected(primary, 'hill');
  await root.query('select engine.set_clock(null, 0)');

  const copy = folder();
  await root.query("select pg_backup_start('a replica', true)");
  execFileSync('cp', ['-a', `${dir}/.`, copy]);
  const { rows } = await root.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  for (const name of ['postmaster.pid', 'postmaster.opts']) fs.rmSync(path.join(copy, 'data', name), { force: true });
  fs.rmSync(path.join(copy, 'port'), { force: true });
  const { uid, gid } = fs.statSync(path.join(copy, 'data'));
  for (const [name, text] of [
    ['backup_label', rows[0]?.labelfile ?? ''],
    ['standby.signal', ''],
  ] as const) {
    const file = path.join(copy, 'data', name);
    fs.writeFileSync(file, text, { mode: 0o600 });
    fs.chownSync(file, uid, gid);
  }
  fs.rmSync(path.join(copy, 'hill.pid'), { force: true });
  const at = new URL(primary.url());
  const primary_conninfo = `host=${at.hostname} port=${at.port} user=${at.username} password=${at.password} application_name=replica`;
  copyDir = copy;
  replica = await startCluster({ dir: copy, ephemeral: true, settings: { ...settings, primary_conninfo } });
  standby = await connected(replica, 'hill');

  const { log, said: lines } = aLog();
  said = lines;
  const replicaUrl = Object.assign(new URL(logins.web), { port: new URL(replica.url()).port }).href;
  const config = parseConfig({
    PORT: String(await freePort()),
    HILL_SIGNING_SECRET: secret,
    DATABASE_REPLICA_URL: replicaUrl,
  });
  pool = makePool({ url: logins.web, name: 'test web door', log });
  worker = makePool({ url: logins.worker, name: 'test worker', log, statementTimeoutMs: 0 });
  web = await startWeb(config, pool, log);
  baseUrl = `http://127.0.0.1:${config.port}`;
}, 120_000);

afterAll(async () => {
  await web?.stop();
  await Promise.all([pool?.end(), worker?.end(), root?.end(), standby?.end().catch(() => {})]);
  await replica?.stop();
  await primary?.stop();
});

const health = async () => (await (await get('/healthz')).json()) as { status: string; replica: string };
const readersOf = async (client: pg.Client) =>
  (await client.query<{ n: number }>("select count(*)::int as n from pg_stat_activity where application_name = 'hill reading'")).rows[0]
    ?.n ?? 0;
/** Every address anew: nothing of it is in the memory. */
let fresh = 100;
const unread = () => `/api/counters?ids=nobody-${fresh++}`;
const postmasterOf = (dir: string) => Number(fs.readFileSync(path.join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
const told = () => said.filter(({ level }) => level >= 30).map(({ msg }) => msg);

const get = (address: string) => fetch(baseUrl + address);
const read = async <T>(address: string): Promise<T> => (await get(address)).json() as Promise<T>;
const opening = async () => (await read<Rules>('/api/rules')).hill.next_slot_opens_on_day;
const ring = async () => {
  while ((await worker.query('select api_worker.ring_next_bell() as night')).rows[0].night !== null);
  await worker.query('select api_worker.build_boards()');
};

test('serves all of it, and asks the database itself for none of it', async () => {
  expect((await standby.query('select pg_is_in_recovery() as standby')).rows).toEqual([{ standby: true }]);
  await ring();
  await until('the night has come over', async () => (await read<Hill>('/api/hill')).lastNight.length > 0);

  for (const address of [
    '/api/rules',
    '/api/hill',
    '/api/day/1',
    '/api/wall',
    '/api/leaderboard/hill',
    '/api/leaderboard/efficiency',
    '/api/tournaments',
  ])
    expect([address, (await get(address)).status]).toEqual([address, 200]);
  for (const address of ['/api/day/1?format=ndjson&list=results', '/api/day/1/night.json', '/', '/rules', '/day/1', '/boards/points'])
    expect([address, (await get(address)).status]).toEqual([address, 200]);

  const readers = "select count(*)::int as n from pg_stat_activity where application_name = 'hill reading'";
  expect((await root.query(readers)).rows).toEqual([{ n: 0 }]);
  expect((await standby.query(readers)).rows[0].n).toBeGreaterThan(0);
});

test('what changes is told by the database and read from the replica', async () => {
  expect(await opening()).toBeNull();
  await root.query('update hill.places set opens_day = 90 where slot = 10');
  await until('the place', async () => (await opening()) === 90);
  // and then kept
  await until('it is kept', async () => (await get('/api/rules')).headers.get('cache-control')?.startsWith('public'));
});

test('a replica that is behind is believed for the moment only: nothing of it is kept, here or elsewhere', async () => {
  expect(await opening()).toBe(90);
  await standby.query('select pg_wal_replay_pause()');
  await until('it waits', async () => (await standby.query("select pg_get_wal_replay_pause_state() = 'paused' as paused")).rows[0].paused);
  await root.query('update hill.places set opens_day = 91 where slot = 10');
  await web.caughtUp();

  for (let n = 0; n < 3; n++) {
    const behind = await get('/api/rules');
    expect([behind.status, behind.headers.get('cache-control'), behind.headers.get('etag')]).toEqual([200, 'no-cache', null]);
    expect(((await behind.json()) as Rules).hill.next_slot_opens_on_day).toBe(90);
  }
  const page = await get('/rules');
  expect([page.status, page.headers.get('cache-control'), page.headers.get('etag')]).toEqual([200, 'no-cache', null]);
  // a night that it has not seen is not published yet, for whoever reads there
  const [{ day }] = (await root.query<{ day: number }>('select engine.today() as day')).rows as [{ day: number }];
  await root.query('select engine.set_clock(engine.bell_at($1), 0)', [day]);
  await ring();
  expect((await get(`/api/day/${day}`)).status).toBe(404);
  expect((await get(`/day/${day}`)).status).toBe(404);
  for (const address of ['/api/hill', '/', '/boards/points']) expect((await get(address)).headers.get('cache-control')).toBe('no-cache');

  await standby.query('select pg_wal_replay_resume()');
  await until('it has caught up', async () => (await opening()) === 91);
  await until('the night', async () => (await get(`/api/day/${day}`)).status === 200);
  await until('the hill is kept again', async () => (await get('/api/hill')).headers.get('cache-control')?.startsWith('public'));
});

test('a replica that is far behind is not read from until it is close again', async () => {
  await until('it is well', async () => (await health()).replica === 'ok');
  await standby.query('select pg_wal_replay_pause()');
  await root.query('update hill.places set opens_day = 92 where slot = 10');
  await until('it is given up', async () => (await health()).replica === 'behind', 30);

  expect(await opening()).toBe(92);
  await until('it is kept', async () => (await get('/api/rules')).headers.get('cache-control')?.startsWith('public'));
  expect(told()).toEqual(['reading from the database itself: the replica is far behind']);

  await standby.query('select pg_wal_replay_resume()');
  await until('it is well again', async () => (await health()).replica === 'ok');
  expect(told().at(-1)).toBe('the replica is well: it is read from again');
  expect((await get(unread())).status).toBe(200);
});

const answersOf = async (n: number) =>
  new Set((await Promise.all(Array.from({ length: n }, () => get(unread())))).map(({ status }) => status));
const fallen = () => told().filter((line) => line.startsWith('reading from the database itself: '));

test('of a replica that answers no more, reading goes to the database within seconds', async () => {
  said.length = 0;
  await answersOf(10);
  const { rows } = await standby.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name in ('hill reading', 'hill replica')",
  );
  const silent = [postmasterOf(copyDir), ...rows.map(({ pid }) => pid)];
  for (const pid of silent) process.kill(pid, 'SIGSTOP');
  onTestFinished(() => {
    for (const pid of silent) process.kill(pid, 'SIGCONT');
  });
  const began = performance.now();
  expect(await answersOf(40)).toEqual(new Set([200]));
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(await health()).toEqual({ status: 'ok', replica: 'away' });
  expect(fallen()).toHaveLength(1);
});

test('of a replica that has died, reading goes to the database, by two connections at most, and back when it lives', async () => {
  await until('it is well again', async () => (await health()).replica === 'ok');
  said.length = 0;
  process.kill(postmasterOf(copyDir), 'SIGKILL');
  const began = performance.now();
  expect(await answersOf(40)).toEqual(new Set([200]));
  expect(performance.now() - began).toBeLessThan(10_000);
  await until('it is told', async () => (await health()).replica === 'away');
  expect(await answersOf(40)).toEqual(new Set([200]));
  expect(await readersOf(root)).toBeLessThanOrEqual(2);
  expect(fallen()).toHaveLength(1);

  replica.keepAlive(
    () => {},
    () => {},
  );
  await until('it is well again', async () => (await health()).replica === 'ok', 60);
  expect(told().at(-1)).toBe('the replica is well: it is read from again');
  expect(await answersOf(5)).toEqual(new Set([200]));
});
