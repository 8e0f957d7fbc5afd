// Whoever has a login fills or holds what all share of a server: the hill goes on, and its worker ends who does it.
// Decisions 480-482.
import type net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Hill as HillRecord } from '../../src/records/index.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { anAccount, useHill } from '../support/hill/index.ts';
import { signIn } from '../support/hill/sign-in.ts';
import { aWorker } from '../support/hill/worker.ts';
import { until } from '../support/until.ts';

const hill = useHill({ server: { max_notify_queue_pages: '64', max_connections: '70' } });
const web = useWebDoor(hill);
const jane = () => Object.assign(new URL(hill.ownerUrl), { username: 'jane', password: 'jane' }).href;
const logins = { 'a DBA': jane, 'the console': () => hill.url('console'), 'the web': () => hill.url('web') };
const names = Object.keys(logins) as (keyof typeof logins)[];

beforeAll(async () => {
  await hill.admin.query("create role jane login password 'jane' in role hill_dba");
  await hill.rows('grant connect on database hill to jane');
});

interface Session {
  readonly client: pg.Client;
  readonly ended: Promise<unknown>;
}

/** A session on which no timeout holds: whoever has a login may set them. */
async function aSession(url: string, ...statements: string[]): Promise<Session> {
  const client = new pg.Client({ connectionString: url, application_name: 'a stranger' });
  const ended = new Promise((resolve) => client.on('error', () => resolve('ended')));
  onTestFinished(() => void client.end().catch(() => {}));
  await client.connect();
  for (const statement of [
    'set idle_in_transaction_session_timeout = 0',
    'set transaction_timeout = 0',
    'set statement_timeout = 0',
    ...statements,
  ])
    await client.query(statement);
  return { client, ended };
}

const usage = async (): Promise<number> =>
  (await hill.rows<{ usage: number }>('select pg_notification_queue_usage() as usage'))[0]?.usage ?? 0;

/** Until nothing more goes in. */
async function fill(url: string, channel: string): Promise<void> {
  const { client } = await aSession(url);
  const goesIn = async (n: number): Promise<boolean> => {
    try {
      await client.query(`select pg_notify('${channel}', i || repeat('x', 7680)) from generate_series(1, ${n}) i`);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: '54000' });
      return false;
    }
  };
  for (const n of [40, 1]) while (await goesIn(n));
}

/** Sealed moves, sign-ins, words, money and bells, one after the other. */
async function live(): Promise<void> {
  const human = await signIn(hill.as('web'), {
    provider: 'google',
    subject: `s${Math.random()}`,
    email: `s${Math.random()}@example.com`,
  });
  expect(human.first).toBe(true);
  const ann = await anAccount(hill, { credits: 5_000 });
  await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' });
  const before = await web.read<HillRecord>('/api/hill');
  await hill.asAgent(ann).announce({ slot: 2, intention: 'PEACE' });
  expect((await web.read<HillRecord>('/api/hill')).announcements).toHaveLength(before.announcements.length + 1);
  await hill.rows('update hill.accounts set name = $2 where id = $1', [ann.id, `Filled ${ann.id.slice(-6)}`]);
  await hill.asWorker().refreshSealedCount();
  await hill.as('worker').query("select graphile_worker.add_job('deliver', job_key => 'deliver now')");
  const day = await hill.clock.day();
  await hill.clock.ringBell();
  expect(await web.read<HillRecord>('/api/hill')).toMatchObject({ day: day + 1 });
  expect(await hill.rows('select max(day) as day from hill.boards')).toEqual([{ day }]);
}

describe.each(names)('%s fills the queue of notifications and holds it back', (name) => {
  test('all goes on, and the hill says that it is filling', async () => {
    const holder = await aSession(logins[name](), 'listen held', 'begin', 'select 1');
    await fill(logins[name](), 'held');

    expect(await usage()).toBeGreaterThan(0.9);
    await live();
    expect((await hill.asPublic().query('select api_public.readiness() as of')).rows[0].of).toMatchObject({
      server: 'filling',
    });
    await holder.client.end();
    expect(await usage()).toBe(0);
  });

  test('the worker ends it', async () => {
    const holder = await aSession(logins[name](), 'listen held', 'begin', 'select 1');
    await fill(logins[name](), 'held');
    const worker = await aWorker(hill);

    await holder.ended;
    await until('it is free', async () => (await usage()) === 0);
    await expect
      .poll(() => worker.said)
      .toContainEqual(expect.objectContaining({ why: 'notifications', application: 'a stranger' }));
  });
});

test('a listener that does not take what it is sent is ended, and one that was not woken by what was undone', async () => {
  const frozen = await aSession(jane(), 'listen frozen');
  const { stream } = (frozen.client as unknown as { connection: { stream: net.Socket } }).connection;
  stream.pause();
  const idle = await aSession(jane(), 'listen idle');
  await until('they hold the queue', async () => {
    await fill(jane(), 'frozen');
    await sleep(1_000); // the hill itself has stopped listening by then
    return (await usage()) > 0.5;
  });
  const worker = await aWorker(hill);
  await until('it is free', async () => (await usage()) < 0.1);
  await expect.poll(() => worker.said).toContainEqual(expect.objectContaining({ why: 'notifications', role: 'jane' }));
  stream.resume(); // or it would never read that it was ended
  await Promise.race([frozen.ended, idle.ended]);
});

test('who idles in a transaction is left alone while nobody needs what it holds', async () => {
  const idle = await aSession(jane(), 'listen x', 'begin', 'select count(*) from hill.moves');
  await sleep(6_000);
  expect((await hill.as('worker').query('select api_worker.free_server() as freed')).rows[0].freed).toMatchObject({
    may_end: true,
    ended: [],
  });
  expect((await idle.client.query('select 1')).rowCount).toBe(1);
});

test('a deposit that is never committed keeps no bell from ringing', async () => {
  const ann = await anAccount(hill, { credits: 5_000 });
  const open = await aSession(hill.url('web'), 'begin', `select api_agent.play('${ann.token}', 3, 'PEACE')`);
  await hill.clock.toMidnight();
  const day = await hill.clock.day();
  const worker = await aWorker(hill);

  await open.ended;
  await until(
    'it rings',
    async () => (await hill.rows<{ day: number }>('select max(day) as day from hill.nights'))[0]?.day === day - 1,
  );
  await expect.poll(() => worker.said).toContainEqual(expect.objectContaining({ why: 'bell' }));
});

test('who takes the room for locks loses it before it is gone', async () => {
  const all = `do $$
    declare v regclass;
    begin
      for v in select c.oid from pg_class c where c.relkind in ('r', 'v', 'p') and has_table_privilege(c.oid, 'select') loop
        begin execute format('lock table %s in access share mode', v); exception when insufficient_privilege then null; end;
      end loop;
    end $$`;
  const room = (await hill.rows<{ room: number }>('select engine.lock_room() as room'))[0]?.room ?? 0;
  const taken = async () =>
    Number((await hill.rows<{ n: string }>('select count(*) as n from pg_locks where not fastpath'))[0]?.n);
  while ((await taken()) <= room / 2) await aSession(jane(), 'begin', all);

  const { rows } = await hill.as('worker').query('select api_worker.free_server() as freed');
  expect(rows[0].freed.locks).toBeGreaterThan(0.5);
  expect(rows[0].freed.ended).toContainEqual({ role: 'jane', application: 'a stranger', why: 'locks' });
  await until('there is room', async () => (await taken()) <= room / 2);
  await live();
});

test('a DBA who takes nearly all connections keeps ten', async () => {
  for (let n = 0; n < 48; n++) await aSession(jane()).catch((error) => expect(error.code).toBe('53300'));
  await hill.as('worker').query('select api_worker.free_server()');
  const left = async () =>
    Number((await hill.rows<{ n: string }>("select count(*) as n from pg_stat_activity where usename = 'jane'"))[0]?.n);
  await until('ten are left', async () => (await left()) === 10);
});
