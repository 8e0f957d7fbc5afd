// The public reading from a streaming replica (DATABASE_REPLICA_URL), which hears nothing by itself and may be behind.
// Rules 10.11.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { makeHillDatabase } from '../../src/db/hill-database.ts';
import { makeLogins } from '../../src/db/logins.ts';
import { openHill } from '../../src/db/open-hill.ts';
import { makePool } from '../../src/db/pool.ts';
import { type Cluster, startCluster } from '../../src/embedded/index.ts';
import { parseConfig } from '../../src/process/config.ts';
import type { Hill, Leaderboard, Rules } from '../../src/records/index.ts';
import { startWeb, type Web } from '../../src/web/index.ts';
import { usePreparedDataDirs } from '../support/hill/hill-process.ts';
import { secret } from '../support/hill/secret.ts';
import { aStandby, replicated } from '../support/hill/standby.ts';
import { aLog, type Said } from '../support/hill/worker.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

let primary: Cluster;
let primaryDir: string;
let replica: Cluster;
let root: pg.Client;
let standby: pg.Client;
let worker: pg.Pool;
let pool: pg.Pool;
let web: Web;
let baseUrl: string;
let copyDir: string;
let webUrl: string;
let said: Said[];

const folder = () => fs.mkdtempSync(path.join(os.tmpdir(), 'hill-replica-test-'));
const connected = async (cluster: Cluster, database: string): Promise<pg.Client> => {
  const client = new pg.Client(cluster.url(database));
  client.on('error', () => {});
  await client.connect();
  return client;
};

const aPreparedDir = usePreparedDataDirs();

beforeAll(async () => {
  const dir = folder();
  primary = await startCluster({ dir: aPreparedDir(dir), ephemeral: true, settings: replicated });
  const ownerUrl = await makeHillDatabase(primary);
  await openHill(ownerUrl, { dayOne: null, clock: 'simulated' });
  const logins = await makeLogins(ownerUrl);
  root = await connected(primary, 'hill');
  await root.query('select api_worker.set_clock(null, 0)');

  primaryDir = dir;
  ({ cluster: replica, dir: copyDir } = await aStandby(primary, dir, root));
  standby = await connected(replica, 'hill');

  const { log, said: lines } = aLog();
  said = lines;
  webUrl = logins.web;
  const config = await configOf(replica);
  pool = makePool({ url: logins.web, name: 'test web door', log });
  worker = makePool({ url: logins.worker, name: 'test worker', log, statementTimeoutMs: 0 });
  web = await startWeb(config, pool, log);
  baseUrl = `http://127.0.0.1:${config.port}`;
});

afterAll(async () => {
  await web?.stop();
  await Promise.all([pool?.end(), worker?.end(), root?.end(), standby?.end().catch(() => {})]);
  await replica?.stop();
  await primary?.stop();
});

const health = async () => (await (await get('/healthz')).json()) as { status: string; replica: string };
const readersOf = async (client: pg.Client) =>
  (
    await client.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where application_name = 'hill reading'",
    )
  ).rows[0]?.n ?? 0;
/** When this web last asked the database itself for something to read. */
const lastRead = async () =>
  (
    await root.query(
      "select max(query_start)::text as at from pg_stat_activity where application_name = 'hill reading'",
    )
  ).rows[0].at;
const askedOnlyTheReplica = async () => {
  const before = await lastRead();
  expect((await get(unread())).status).toBe(200);
  return (await lastRead()) === before;
};
/** Every address anew: nothing of it is in the memory. */
let fresh = 100;
const unread = () => `/api/counters?ids=nobody-${fresh++}`;
const postmasterOf = (dir: string) =>
  Number(fs.readFileSync(path.join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
const told = () => said.filter(({ level }) => level >= 30).map(({ msg }) => msg);

const get = (address: string) => fetch(baseUrl + address);
const read = async <T>(address: string): Promise<T> => (await get(address)).json() as Promise<T>;
const opening = async () => (await read<Rules>('/api/rules')).hill.next_slot_opens_on_day;
const today = async () => (await root.query<{ day: number }>('select engine.today() as day')).rows[0]?.day as number;
const configOf = async (replica: Cluster) =>
  parseConfig({
    PORT: String(await freePort()),
    HILL_SIGNING_SECRET: secret,
    DATABASE_REPLICA_URL: Object.assign(new URL(webUrl), { port: new URL(replica.url()).port }).href,
  });
/** As whoever calls these functions does once it is committed. */
const tell = () => root.query('notify hill_look');
const pause = async (client: pg.Client) => {
  await client.query('select pg_wal_replay_pause()');
  await until(
    'it waits',
    async () => (await client.query("select pg_get_wal_replay_pause_state() = 'paused' as paused")).rows[0].paused,
  );
};
const ring = async () => {
  await tell();
  while ((await worker.query('select api_worker.ring_next_bell() as night')).rows[0].night !== null) await tell();
  await worker.query('select api_worker.build_boards()');
  await tell();
};

test('serves all of it, and asks the database itself for none of it', async () => {
  expect((await standby.query('select pg_is_in_recovery() as standby')).rows).toEqual([{ standby: true }]);
  await ring();
  expect((await read<Hill>('/api/hill')).lastNight.length).toBeGreaterThan(0);
  await until('the night has come over', askedOnlyTheReplica);
  const before = await lastRead();

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
  for (const address of [
    '/api/day/1?format=ndjson&list=results',
    '/api/day/1/night.json',
    '/',
    '/rules',
    '/day/1',
    '/boards/points',
  ])
    expect([address, (await get(address)).status]).toEqual([address, 200]);

  expect(await lastRead()).toEqual(before);
  expect(await readersOf(standby)).toBeGreaterThan(0);
});

test('what changes is told by the database and read from the replica', async () => {
  expect(await opening()).toBeNull();
  await root.query('update hill.places set opens_day = 90 where slot = 10');
  await until('the place', async () => (await opening()) === 90);
  // and then kept
  await until('it is kept', async () => (await get('/api/rules')).headers.get('cache-control')?.startsWith('public'));
});

test('a replica that is behind is not read from until it has all that was announced: no answer is older than one before it', async () => {
  expect(await opening()).toBe(90);
  await until('the replica has caught up', askedOnlyTheReplica);
  await pause(standby);
  await root.query('update hill.places set opens_day = 91 where slot = 10');
  await web.caughtUp();

  expect(await opening()).toBe(91);
  expect((await standby.query('select opens_day from hill.places where slot = 10')).rows).toEqual([{ opens_day: 90 }]);
  // what the database answered may be kept
  expect((await get('/api/rules')).headers.get('cache-control')).toMatch(/^public/);
  // a night that the replica has not seen is published, with its pages and its files
  const day = await today();
  await root.query('select api_worker.set_clock(engine.bell_at($1), 0)', [day]);
  await ring();
  for (const address of [`/api/day/${day}`, `/day/${day}`, `/api/day/${day}?format=csv`, `/api/day/${day}/night.json`])
    expect([address, (await get(address)).status]).toEqual([address, 200]);

  await standby.query('select pg_wal_replay_resume()');
  await until('it is read from again', askedOnlyTheReplica);
});

test('two webs, each with a replica of its own: a reader who alternates never sees an older hill, though one replica stands still', async () => {
  const { cluster: other } = await aStandby(primary, primaryDir, root, 'other');
  const client = await connected(other, 'hill');
  const { log } = aLog();
  const config = await configOf(other);
  const second = await startWeb(config, pool, log);
  onTestFinished(async () => {
    await client.end();
    await second.stop();
    await other.stop();
  });
  const webs = [baseUrl, `http://127.0.0.1:${config.port}`];
  await pause(client);

  const seen: { today: number; night: number; board: number }[] = [];
  let reading = true;
  const reader = (async () => {
    for (let n = 0; reading; n++) {
      const on = webs[n % 2] as string;
      const { day: today } = (await (await fetch(`${on}/api/hill`)).json()) as Hill;
      const { day: board } = (await (await fetch(`${on}/api/leaderboard/hill`)).json()) as Leaderboard;
      const { headers } = await fetch(`${on}/day`, { redirect: 'manual' });
      seen.push({ today, board, night: Number(headers.get('location')?.split('/').at(-1)) });
    }
  })();
  const days: number[] = [];
  for (let night = 0; night < 3; night++) {
    const day = await today();
    await root.query('select api_worker.set_clock(engine.bell_at($1), 0)', [day]);
    await ring();
    // at once, in each web process, whatever its replica has
    for (const on of webs) expect([on, day, (await fetch(`${on}/api/day/${day}`)).status]).toEqual([on, day, 200]);
    days.push(day);
  }
  reading = false;
  await reader;
  expect((await client.query('select engine.last_night() as night')).rows[0].night).toBeLessThan(days[0] as number);
  for (const what of ['today', 'night', 'board'] as const) {
    const inOrder = seen.map((one) => one[what]);
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
    expect(new Set(inOrder).size).toBeGreaterThan(1);
  }

  // not even while nothing is announced to this process: the replica's clock says that a bell has rung
  await client.query('select pg_wal_replay_resume()');
  const last = await today();
  await root.query("select api_worker.set_clock(engine.bell_at($1) - interval '1.5 s', 1)", [last]);
  await second.caughtUp();
  await until('it has the clock', async () => (await client.query('select rate from hill.settings')).rows[0].rate > 0);
  await pause(client);
  const { rows } = await root.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'hill lookout' order by backend_start desc limit 1",
  );
  const listener = rows[0]?.pid as number;
  process.kill(listener, 'SIGSTOP');
  onTestFinished(() => void process.kill(listener, 'SIGCONT'));
  await until('the bell', async () => (await today()) > last);
  await ring();
  const { rows: published } = await root.query('select 1 from hill.nights where day = $1', [last]);
  expect(published).toHaveLength(1);
  expect((await fetch(`${webs[1]}/api/day/${last}`)).status).toBe(200);
  expect(((await (await fetch(`${webs[1]}/api/leaderboard/hill`)).json()) as Leaderboard).day).toBe(last);
  await root.query('select api_worker.set_clock(null, 0)');
});

test('a replica that is far behind is not read from until it is close again', async () => {
  await until('it is well', async () => (await health()).replica === 'ok');
  await standby.query('select pg_wal_replay_pause()');
  await root.query('update hill.places set opens_day = 92 where slot = 10');
  await until('it is given up', async () => (await health()).replica === 'behind');

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
  await until('it is well again', async () => (await health()).replica === 'ok');
  expect(told().at(-1)).toBe('the replica is well: it is read from again');
  expect(await answersOf(5)).toEqual(new Set([200]));
});
