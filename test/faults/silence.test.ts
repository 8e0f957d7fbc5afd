// Connections that answer no more, while PostgreSQL takes new ones or none: nobody waits for ever, and nobody waits for
// another one's.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { deposits } from '../../src/db/deposits.ts';
import { makePool } from '../../src/db/pool.ts';
import { findCluster, startCluster } from '../../src/embedded/index.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { aDataDir } from '../support/hill/hill-process.ts';
import { type Account, useHill } from '../support/hill/index.ts';
import { aLog } from '../support/hill/worker.ts';
import { aProxy, type DatabaseProxy } from '../support/peers/proxy.ts';
import { until } from '../support/until.ts';

const hill = useHill();
let proxy: DatabaseProxy;
let cast: Cast;
beforeAll(async () => {
  cast = await aLivelyNight(hill);
  proxy = await aProxy(hill.url('web'), true);
});
const web = useWebDoor(hill, () => proxy.through(hill.url('web')));
afterAll(() => proxy.close());

/** As a web process has it. */
const aPool = (url: string, statementTimeoutMs = 2_000): pg.Pool => {
  const pool = makePool({ url, name: 'test silence', log: aLog().log, statementTimeoutMs });
  onTestFinished(() => pool.end());
  return pool;
};
const timed = async <T>(work: Promise<T>): Promise<{ seconds: number; value?: T; failed: boolean }> => {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1_000;
  return work.then(
    (value) => ({ seconds: seconds(), value, failed: false }),
    () => ({ seconds: seconds(), failed: true }),
  );
};
const backends = (name: string) =>
  hill.rows<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and application_name = $1 and state = 'idle'",
    [name],
  );
/** Stops processes of PostgreSQL, and lets them go on at the end of the test. */
const stopAll = (pids: number[]) => {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  onTestFinished(() => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  });
};

describe('all ten connections of a process', () => {
  test.each([
    ['are half open', async () => proxy.silence()],
    [
      'lead to processes that were stopped',
      async () => stopAll((await backends('test silence')).map(({ pid }) => pid)),
    ],
  ])('%s: play goes on after one deadline', async (_how, silence) => {
    const pool = aPool(proxy.through(hill.url('web')));
    await Promise.all(Array.from({ length: 10 }, () => pool.query('select pg_sleep(0.2)')));
    expect(pool.idleCount).toBe(10);
    await silence();

    const deposit = deposits(pool, 2);
    const play = ({ id, token }: Account) => timed(deposit(id, token, { slot: 2, move: 'PEACE' }));
    const calls = await Promise.all(Object.values(cast).map(play));

    // those under way found it out, and nobody else waited for a deadline
    expect(calls.filter(({ failed }) => failed)).toEqual([]);
    expect(Math.max(...calls.map(({ seconds }) => seconds))).toBeLessThan(6);
    expect((await play(cast.ann)).seconds).toBeLessThan(1);
  });
});

describe('a reader', () => {
  const night = () => timed(fetch(`${web.baseUrl}/api/day/1?limit=${3 + reads++}`).then(({ status }) => status));
  let reads = 0;

  test('whose connection is silent is answered by another one, and so is everybody who waits with it', async () => {
    await web.get('/api/rules');
    await until('an idle reader', async () => (await backends('hill reading')).length > 0);
    stopAll((await backends('hill reading')).map(({ pid }) => pid));

    const address = `${web.baseUrl}/api/day/1?limit=2`;
    const [first, second] = await Promise.all([timed(fetch(address)), sleep(500).then(() => timed(fetch(address)))]);

    expect([first.value?.status, second.value?.status]).toEqual([200, 200]);
    expect(first.seconds).toBeLessThan(4);
    expect(second.seconds).toBeLessThan(4);
  });

  test('of nights that are over is served while the database is away; all else says so, and health too, within seconds', async () => {
    const before = await web.get('/api/day/1');
    const text = await before.text();
    await web.get('/api/hill');
    proxy.vanish();
    onTestFinished(proxy.restore);
    await until('the loss is noticed', async () => (await fetch(`${web.baseUrl}/healthz`)).status === 503);

    const health = await timed(
      fetch(`${web.baseUrl}/healthz`).then(async (answer) => [answer.status, await answer.json()]),
    );
    expect(health.value).toEqual([503, { status: 'no database' }]);
    expect(health.seconds).toBeLessThan(3);
    await until('the listener gives up', async () => (await fetch(`${web.baseUrl}/api/hill`)).status === 503);
    const again = await fetch(`${web.baseUrl}/api/day/1`);
    expect([again.status, again.headers.get('cache-control')]).toEqual([200, before.headers.get('cache-control')]);
    expect(await again.text()).toBe(text);
    const other = await night();
    expect(other.value).toBe(503);
    expect(other.seconds).toBeLessThan(13);

    await proxy.restore();
    await until('it is back', async () => (await fetch(`${web.baseUrl}/healthz`)).status === 200);
    expect((await fetch(`${web.baseUrl}/api/hill`)).status).toBe(200);
  });
});

describe('a statement that may take long', () => {
  test('is waited for while the server is at work on it', async () => {
    const pool = aPool(proxy.through(hill.url('worker')), 0);
    await expect(pool.query('select pg_sleep(10)')).resolves.toBeDefined();
  });

  test('is given up when its connection is silent', async () => {
    const pool = aPool(proxy.through(hill.url('worker')), 0);
    const asked = timed(pool.query('select pg_sleep(1)'));
    await sleep(200);
    proxy.silence();
    const { failed, seconds } = await asked;
    expect(failed).toBe(true);
    expect(seconds).toBeLessThan(12);
    expect((await timed(pool.query('select 1'))).seconds).toBeLessThan(1);
  });
});

test('a postmaster that was stopped: what is connected works, what is not fails in seconds, and all is well when it goes on', async () => {
  const dir = aDataDir();
  const cluster = await startCluster({ dir });
  onTestFinished(() => cluster.stop());
  const pool = aPool(cluster.url());
  const client = await pool.connect();
  const pid = (await client.query("select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid")).rows[0]
    .pid;
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void (findCluster(dir) && process.kill(pid, 'SIGCONT')));

  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  const { failed, seconds } = await timed(pool.query('select 1'));
  expect(failed).toBe(true);
  expect(seconds).toBeLessThan(7);

  process.kill(pid, 'SIGCONT');
  client.release();
  await until('it goes on', () => pool.query('select 1').catch(() => false));
});
