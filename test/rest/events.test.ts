// GET /api/events: what is published is told to everybody who listens, on every process, and after a break from where
// it was. Rules 10.16.
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { EventSource } from 'eventsource';
import Koa from 'koa';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { budget } from '../../src/db/budget.ts';
import { makePool } from '../../src/db/pool.ts';
import { Broadcast } from '../../src/http/broadcast.ts';
import { startCounters } from '../../src/http/counters.ts';
import { heartbeatMs } from '../../src/http/event-stream.ts';
import { openReading } from '../../src/http/reading.ts';
import { parseConfig } from '../../src/process/config.ts';
import { makeLog } from '../../src/process/log.ts';
import { Metrics } from '../../src/process/metrics.ts';
import { readAlong } from '../../src/rest/events.ts';
import { restDoor } from '../../src/rest/index.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { runHill } from '../support/hill/hill-process.ts';
import { type Account, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { springCup } from '../support/hill/spring-cup.ts';
import { nginx, sharedCache } from '../support/peers/nginx.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const one = useWebDoor(hill);
const two = useWebDoor(hill);
let cast: Cast;
beforeAll(async () => {
  cast = await aLivelyNight(hill);
});

interface Heard {
  readonly type: string;
  readonly id: string;
  readonly data: Record<string, unknown> & {
    places?: { slot: number; outcome: string; occupants: { slug: string }[] }[];
  };
}

const types = ['position', 'bell', 'boards', 'announcement', 'tournament'];

/** A minute after the one before: those of the same seconds may be told again. */
async function announce(account: Account, what: { slot: number; intention: string; message?: string }) {
  await hill.clock.tick(60_000);
  await hill.asAgent(account).announce(what);
}

/** A browser's own EventSource, which comes back by itself and gives its last id. */
async function listen(baseUrl: string, lastEventId?: string) {
  const heard: Heard[] = [];
  const source = new EventSource(`${baseUrl}/api/events`, {
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { ...init.headers, ...(lastEventId && { 'Last-Event-ID': lastEventId }) } }),
  });
  for (const type of types)
    source.addEventListener(type, ({ data, lastEventId: id }) =>
      heard.push({ type, id, data: JSON.parse(data as string) }),
    );
  const close = () => source.close();
  onTestFinished(close);
  await new Promise<void>((resolve, reject) => {
    source.onopen = () => resolve();
    source.onerror = ({ code, message }) => reject(new Error(`${code} ${message}`));
  });
  source.onerror = null;
  const hears = (type: string, is: (event: Heard) => boolean = () => true) =>
    until(`${type} is heard`, async () => heard.find((event) => event.type === type && is(event)));
  return { heard, hears, close };
}

/** The whole text of a stream so far. */
async function raw(url: string, headers: Record<string, string> = {}) {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const answer = await fetch(url, { headers, signal: leaving.signal });
  const so = { answer, text: '', over: false, leave: () => leaving.abort() };
  void (async () => {
    for await (const chunk of answer.body as ReadableStream<Uint8Array>) so.text += Buffer.from(chunk).toString();
    so.over = true;
  })().catch(() => {}); // it left
  return so;
}

test('begins with where the hill is, and is no answer that anything on the way should keep, change or hold back', async () => {
  const { answer, text } = await until('the beginning', async () => {
    const stream = await raw(`${one.baseUrl}/api/events`, { 'Accept-Encoding': 'gzip, br' });
    await until('it begins', async () => stream.text.includes('id: '));
    return stream;
  });
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'access-control-allow-origin': '*',
  });
  expect(answer.headers.get('content-encoding')).toBeNull();
  expect(text).toMatch(
    /^retry: [2-5]\d{3}\n\nevent: position\ndata: \{"night":1,"boards":1,"day":2,"announcements":0\}\nid: 1\.1\.2\.0\.1\.0\n\n$/,
  );
  const head = await fetch(`${one.baseUrl}/api/events`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
});

test('an announcement, a tournament and a bell are told on every process, and what is told can be read there', async () => {
  const listeners = await Promise.all([one, two].map(({ baseUrl }) => listen(baseUrl)));
  await announce(cast.ann, { slot: 4, intention: 'WAR', message: 'one: "two" é' });
  for (const { hears } of listeners)
    expect((await hears('announcement')).data).toMatchObject({
      ...{ day: 2, total: 1, slot: 4, intention: 'WAR', message: 'one: "two" é', verdict: null },
      occupant: { slug: 'ann' },
    });
  await springCup(hill);
  for (const { hears } of listeners)
    expect((await hears('tournament')).data).toMatchObject({
      slug: 'spring-cup',
      phase: 'open',
      starts_day: 8,
      boards_day: null,
    });

  await announce(cast.bob, { slot: 7, intention: 'WAR' });
  await hill.asAgent(cast.bob).play({ slot: 7, move: 'PEACE' });
  await hill.clock.ringBell();

  for (const [i, { hears, heard }] of listeners.entries()) {
    const { data } = await hears('bell');
    // not by the door's get, which waits until the process has heard of everything
    const read = await fetch(`${[one, two][i]?.baseUrl}/api/day/2`);
    expect(read.status).toBe(200);
    expect(data).toMatchObject({
      day: 2,
      headline: expect.stringMatching(/^[A-Z].{10,119}$/),
      stories: [{ kind: 'bluff', text: 'Bob threatened war on place 7 and takes a seat there in peace' }],
      page: expect.stringMatching(/\/day\/2$/),
    });
    expect(data.places?.find(({ slot }) => slot === 7)).toMatchObject({
      outcome: 'PEACE',
      occupants: [{ slug: 'bob', daysHeld: 0 }],
    });
    await hears('boards', (event) => event.data.day === 2);
    expect(new Set(heard.map(({ type }) => type))).toEqual(
      new Set(['position', 'announcement', 'tournament', 'bell', 'boards']),
    );
  }
});

test('a deposit and a withdrawal are told to nobody', async () => {
  const listener = await listen(one.baseUrl);
  await hill.asAgent(cast.cid).play({ slot: 5, move: 'WAR', stake_cents: 900, message: 'sealed words' });
  await hill.asAgent(cast.cid).play({ slot: 5, move: 'PASS' });
  await announce(cast.cid, { slot: 5, intention: 'PEACE' });
  await listener.hears('announcement', ({ data }) => data.slot === 5); // notifications come in the order of commits
  expect(listener.heard.map(({ type }) => type)).toEqual(['position', 'announcement']);
  expect(JSON.stringify(listener.heard)).not.toContain('sealed words');
});

test('after a break nothing is missed and nothing told twice, on another process or a new one', async () => {
  const port = await freePort();
  const settings = { HILL_CLOCK: 'simulated', HILL_SIGNING_SECRET: secret, HILL_LOG: 'json', PORT: String(port) };
  const start = async () => {
    const web = runHill(['web'], { ...settings, WEB_DATABASE_URL: hill.url('web') });
    await web.says('Hill is open');
    return web;
  };
  const first = await start();
  // It comes back by itself, to whichever process listens there, with the last id that it heard.
  const stays = await listen(`http://127.0.0.1:${port}`);
  const leaves = await listen(`http://127.0.0.1:${port}`);
  const ended = await raw(`http://127.0.0.1:${port}/api/events`);
  await announce(cast.dan, { slot: 1, intention: 'PEACE', message: 'before the break' });
  const { id } = await leaves.hears('announcement');
  await stays.hears('announcement');
  leaves.close();
  expect(await first.stop()).toBe(0);
  await until('the stream has ended as it should', async () => ended.over);

  await announce(cast.dan, { slot: 2, intention: 'WAR', message: 'during the break' });
  const night = await hill.clock.day();
  await hill.clock.ringBell();
  await announce(cast.dan, { slot: 3, intention: 'WAR', message: 'on the next day' });
  const told = ['bell', 'boards', 'tournament', 'announcement'].filter((type) => type !== 'tournament');

  const elsewhere = await listen(two.baseUrl, id);
  await elsewhere.hears('announcement');
  expect(elsewhere.heard.map(({ type }) => type)).toEqual(told);
  expect(elsewhere.heard.at(-1)).toMatchObject({ data: { day: night + 1, total: 1, message: 'on the next day' } });
  const second = await start();
  await stays.hears('bell', ({ data }) => data.day === night);
  await stays.hears('announcement', ({ data }) => data.message === 'on the next day');
  expect(stays.heard.map(({ type }) => type)).toEqual(['position', 'announcement', ...told]);
  // whoever has heard all of it is told nothing again
  const again = await listen(`http://127.0.0.1:${port}`, elsewhere.heard.at(-1)?.id);
  await announce(cast.dan, { slot: 4, intention: 'PASS', message: 'after the break' });
  await again.hears('announcement');
  expect(again.heard.map(({ data }) => data.message)).toEqual(['after the break']);
  stays.close();
  again.close();
  expect(await second.stop()).toBe(0);
});

test('what happened long ago is told in bounds', async () => {
  const { text } = await until('all of it', async () => {
    const stream = await raw(`${one.baseUrl}/api/events`, { 'Last-Event-ID': '0.0.0.0.0.0' });
    await until('it begins', async () => stream.text.includes('id: '));
    return stream;
  });
  expect(text.match(/^event: \w+$/gm)).toEqual([
    ...['event: bell', 'event: bell', 'event: bell', 'event: boards', 'event: tournament'],
    ...['event: announcement', 'event: announcement'],
  ]);
  expect(text.match(/^id: /gm)).toHaveLength(1);
  // a position that is ahead of this hill, as after it was restored, is told no night again
  const ahead = await raw(`${one.baseUrl}/api/events`, { 'Last-Event-ID': '900.900.900.900.900.900' });
  await until('it begins', async () => ahead.text.includes('retry'));
  expect(ahead.text).not.toContain('event: bell');
});

test('an announcement that is committed after a later one is told all the same, and that one only once', async () => {
  const listener = await listen(one.baseUrl);
  await hill.clock.tick(60_000);
  await hill.asRoot(async (root) => {
    // Eve has taken her instant, and her transaction waits.
    await root.query('begin');
    await root.query('set local session_replication_role = replica');
    const { rows } = await root.query(
      `insert into hill.announcements (day, account_id, slot, agent_id, intention, at)
       select engine.today(), $1, 6, $2, 'PEACE', engine.now() returning day`,
      [cast.eve.id, cast.eve.agentId],
    );
    await hill.clock.tick();
    await hill.asAgent(cast.gus).announce({ slot: 6, intention: 'WAR' });
    await listener.hears('announcement', ({ data }) => data.intention === 'WAR');
    expect(rows).toHaveLength(1);
    await root.query("select trusted.note_change('announcements')");
    await root.query('commit');
  });
  await listener.hears('announcement', ({ data }) => data.intention === 'PEACE');
  expect(listener.heard.map(({ data }) => [data.intention, data.slot])).toEqual([
    [undefined, undefined],
    ['WAR', 6],
    ['PEACE', 6],
  ]);
});

test.each(['abc', '1.2', '1.1.1.1.1.1.1', '-1.1.1.1.1.1', '1.1.1.1.1.9999999999'])(
  '%s is the id of no event',
  async (id) => {
    const answer = await one.get('/api/events', { headers: { 'Last-Event-ID': id } });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(await answer.json()).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'Last-Event-ID' });
  },
);

test.skipIf(!nginx)('events come through a proxy that buffers what it may', async () => {
  const cache = await sharedCache(one.baseUrl);
  onTestFinished(cache.stop);
  const listener = await listen(cache.url);
  await announce(cast.fay, { slot: 9, intention: 'PEACE' });
  await listener.hears('announcement', ({ data }) => data.slot === 9);
  listener.close();
});

/** A door of its own, with limits and times of its own. */
async function aDoor(limits?: Parameters<typeof readAlong>[3], times?: Parameters<typeof readAlong>[4]) {
  const config = parseConfig({ PORT: String(await freePort()), HILL_SIGNING_SECRET: secret, HILL_PROXIES: '1' });
  const log = makeLog({ logLevel: 'error', logFormat: 'json' });
  log.level = 'silent';
  const pool = makePool({ url: hill.url('web'), name: 'test events', log });
  const counters = startCounters(pool, log);
  const reading = openReading(config, hill.url('web'), budget(null, ['web']).web.reading, counters, log, {
    hear: () => events.hear(),
    drop: (change) => events.changed(change),
  });
  const metrics = new Metrics();
  const events = readAlong(config, reading.source, metrics, limits, times);
  const app = new Koa({ proxy: true });
  const server = app.use(restDoor(config, reading, events, log, metrics)).listen(config.port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    await events.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await reading.source.stop();
    await counters.stop();
    await pool.end();
  });
  return { url: `http://127.0.0.1:${config.port}/api/events`, events };
}

test('as many listen as there is room for, by address and in all; who leaves makes room; nobody begins once it stops', async () => {
  const { url, events } = await aDoor({ address: 2, process: 3 });
  const from = (address: string) => raw(url, { 'X-Forwarded-For': address });
  const status = async (address: string) => {
    const { answer } = await from(address);
    return [answer.status, answer.headers.get('retry-after')];
  };
  const first = await from('192.0.2.1');
  await from('192.0.2.1');
  expect(await status('192.0.2.1')).toEqual([429, '30']);
  const third = await from('192.0.2.2');
  expect(await status('192.0.2.3')).toEqual([503, expect.stringMatching(/^\d+$/)]);
  first.leave();
  await until('there is room', async () => (await status('192.0.2.1'))[0] === 200);
  await events.stop();
  await until('it is over', async () => third.over);
  expect((await status('192.0.2.4'))[0]).toBe(503);
});

test('a comment keeps a stream open, and comes from one timer for all', async () => {
  const { url } = await aDoor(undefined, { quietMs: 1, heartbeatMs: 20, goodbyeMs: 100 });
  const streams = await Promise.all(Array.from({ length: 3 }, () => raw(url)));
  for (const stream of streams)
    await until('three heartbeats', async () => (stream.text.match(/^:\n/gm)?.length ?? 0) >= 3);
  expect(heartbeatMs).toBeLessThan(30_000); // proxies close what is silent for a minute
});

describe('one text is sent to all', () => {
  async function serving(broadcast: Broadcast) {
    const server = http.createServer((_, res) => broadcast.join(res).begin('begun '));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return (server.address() as net.AddressInfo).port;
  }
  const deaf = (port: number) => {
    const socket = net.connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {}).pause();
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  };

  test('a listener that takes nothing is cut off, before much piles up for it; the others hear all of it', async () => {
    const broadcast = new Broadcast(() => {}, { heartbeatMs: 600_000, goodbyeMs: 100 });
    onTestFinished(() => broadcast.stop());
    const port = await serving(broadcast);
    const listener = await raw(`http://127.0.0.1:${port}`);
    deaf(port);
    await until('both listen', async () => broadcast.count === 2);
    let told = 0;
    await until('it is cut off', async () => {
      told += 1;
      broadcast.send(`${'x'.repeat(65_536)}${told};`);
      return broadcast.count === 1;
    });
    broadcast.send('last');
    await until('the other hears the end', async () => listener.text.endsWith('last'));
    expect([...listener.text.matchAll(/x(\d+);/g)].map(([, n]) => Number(n))).toEqual(
      Array.from({ length: told }, (_, i) => i + 1),
    );
  });

  test('and one that has taken nothing for two heartbeats', async () => {
    const broadcast = new Broadcast(() => {}, { heartbeatMs: 50, goodbyeMs: 100 });
    onTestFinished(() => broadcast.stop());
    const port = await serving(broadcast);
    deaf(port);
    await until('it listens', async () => broadcast.count === 1);
    const big = Buffer.alloc(6_000_000, 'x').toString(); // more than the kernel takes, in one piece
    broadcast.send(big);
    await until('it is cut off', async () => broadcast.count === 0);
  });

  test('what is told while a listener hears of what came before comes after that', async () => {
    const broadcast = new Broadcast(() => {}, { heartbeatMs: 600_000, goodbyeMs: 100 });
    let begin = () => {};
    const server = http.createServer((_, res) => {
      const joined = broadcast.join(res);
      begin = () => joined.begin('before ');
      res.flushHeaders();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const listener = await raw(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}`);
    broadcast.send('first ');
    broadcast.send('second ');
    begin();
    broadcast.send('third');
    await broadcast.stop();
    await until('it is over', async () => listener.over);
    expect(listener.text).toBe('before first second third');
  });
});
