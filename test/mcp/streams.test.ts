// Streams to agents are bounded in number, age and patience, and end when their process stops. Protocol 9.9.
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { news } from '../../src/mcp/door/news.ts';
import { type Reader, streams } from '../../src/mcp/door/streams.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { accessToken } from '../support/hill/access-token.ts';
import { runHill } from '../support/hill/hill-process.ts';
import { anAccount, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { nginx, sharedCache } from '../support/peers/nginx.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

/** None of these is reached unless a test sets it. */
const long = { checkMs: 600_000, patienceMs: 600_000, lifeMs: 600_000, goodbyeMs: 100 };
const room = { account: 100, address: 100, process: 100 };

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => void (await Promise.all(ends.splice(0).map((end) => end()))));

/** A server whose every answer is a stream: of what `pull` gives, until it is ended. */
async function serving(open: ReturnType<typeof streams>, reader: Partial<Reader> = {}, pull?: () => Uint8Array) {
  const server = http.createServer(async (_, res) => {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(started) {
        controller = started;
        if (!pull) started.enqueue(Buffer.from('begun '));
      },
      pull: (given) => pull && given.enqueue(pull()),
      cancel() {
        controller = undefined;
      },
    });
    const end = async () => {
      const ending = controller;
      controller = undefined;
      ending?.enqueue(Buffer.from('over'));
      ending?.close();
    };
    const given = await open.begin(
      { account: 'ann', address: '::1', isLive: async () => true, ...reader },
      async () => ({ body, end }),
    );
    if ('send' in given) await given.send(res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as net.AddressInfo;
  return { port, url: `http://127.0.0.1:${port}` };
}

const nobodyLeft = (open: ReturnType<typeof streams>) => until('no stream is left', async () => open.count === 0);

describe('a stream ends, with a last word,', () => {
  test('at its age', async () => {
    const open = streams(room, { ...long, lifeMs: 20 });
    expect(await (await fetch((await serving(open)).url)).text()).toBe('begun over');
    await nobodyLeft(open);
  });

  test('when its token is not live any more', async () => {
    const open = streams(room, { ...long, checkMs: 20 });
    let looks = 0;
    const isLive = async () => ++looks < 3;
    expect(await (await fetch((await serving(open, { isLive })).url)).text()).toBe('begun over');
    expect(looks).toBe(3);
    await nobodyLeft(open);
  });

  test('when the process stops, which lets none begin', async () => {
    const open = streams(room, long);
    const { url } = await serving(open);
    const answers = await Promise.all([fetch(url), fetch(url)]);

    await open.stop();

    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['begun over', 'begun over']);
    expect(await (await fetch(url)).text()).toBe('begun over');
    await nobodyLeft(open);
  });
});

describe('a reader', () => {
  test('that goes away makes room', async () => {
    const open = streams(room, long);
    const leaving = new AbortController();
    await fetch((await serving(open)).url, { signal: leaving.signal });
    expect(open.count).toBe(1);

    leaving.abort();

    await nobodyLeft(open);
  });

  test('that takes nothing is dropped, before much piles up for it', async () => {
    const open = streams(room, { ...long, patienceMs: 50 });
    let produced = 0;
    const { port } = await serving(open, {}, () => {
      produced += 65_536;
      return Buffer.alloc(65_536);
    });
    const socket = net.connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {}).pause();
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');

    await until('something was sent', async () => produced > 0);
    await nobodyLeft(open);

    expect(produced).toBeLessThan(64 * 1024 * 1024); // what the kernel's buffers took
  });
});

test('a process that stops does not wait for a reader that takes nothing', async () => {
  const open = streams(room, long);
  let produced = 0;
  const { port } = await serving(open, {}, () => {
    produced += 65_536;
    return Buffer.alloc(65_536);
  });
  const socket = net.connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}).pause();
  socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  await until('the buffers are full', async () => {
    const before = produced;
    await sleep(100);
    return before > 0 && produced === before;
  });

  await open.stop();

  expect(open.count).toBe(0);
});

test('as many streams begin as there is room for: by account, by address, and in all', async () => {
  const open = streams({ account: 2, address: 3, process: 4 }, long);
  const begin = (account: string, address: string) =>
    open.begin({ account, address, isLive: async () => true }, async () => ({
      body: new ReadableStream(),
      end: async () => {},
    }));

  await begin('ann', '1');
  await begin('ann', '2');
  await expect(begin('ann', '3')).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'An account may have 2 streams open.',
  });
  await begin('bob', '2');
  await expect(
    open.begin({ account: 'bob', address: '2', isLive: async () => true }, async () => 'no stream'),
  ).resolves.toBe('no stream');
  await expect(
    open.begin({ account: 'bob', address: '2', isLive: async () => true }, () => Promise.reject(new Error('it fails'))),
  ).rejects.toThrow('it fails');
  await begin('cat', '2');
  await expect(begin('dan', '2')).rejects.toMatchObject({ message: 'An address may have 3 streams open.' });
  await expect(begin('dan', '4')).rejects.toMatchObject({
    message: 'This process has as many streams open as it may.',
  });
});

test('many changes in a moment are told at once, and once more', async () => {
  const { bus, changed } = news(50);
  const told: object[] = [];
  bus.subscribe((event) => told.push(event));

  for (let i = 0; i < 1_000; i++) changed('announcements');
  changed('night', 7);

  const of = (uri: string, night?: number) => ({
    kind: 'resource_updated',
    uri,
    ...(night && { params: { _meta: { 'hill/night': night } } }),
  });
  const first = [of('hill://tonight'), of('hill://night/latest', 7), of('hill://account', 7)];
  expect(told).toEqual(first);
  await until('the rest', async () => told.length > 3);
  expect(told).toEqual([...first, of('hill://tonight', 7)]);
});

describe('many listeners', () => {
  const hill = useHill();
  const authUrl = 'http://localhost:9';
  const settings = { AUTH_URL: authUrl, HILL_PROXIES: '1', HILL_LIMIT_CALLS: '9999999/60' };
  const beside = useMcp(hill, 'one host', settings);
  const many = Number(process.env.HILL_TEST_STREAMS ?? 24);

  /** Resolves when the stream has begun; what it says then goes on arriving. */
  const listen = async (url: string, token: string, address: string) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const notifications = { resourceSubscriptions: ['hill://night/latest'] };
    const leaving = new AbortController();
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        ...{
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          Authorization: `Bearer ${token}`,
        },
        ...{ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen', 'X-Forwarded-For': address },
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications, _meta } }),
    });
    const heard = { text: '', over: false, status: answer.status, leave: () => leaving.abort() };
    void (async () => {
      for await (const chunk of answer.body as ReadableStream<Uint8Array>) heard.text += Buffer.from(chunk).toString();
      heard.over = true;
    })().catch(() => {}); // it left
    return heard;
  };

  test('hear the bell from a process; when it stops they are told so at once, and another one takes over', async () => {
    const port = await freePort();
    const web = runHill(['web'], {
      ...settings,
      ...{
        HILL_CLOCK: 'simulated',
        HILL_SIGNING_SECRET: secret,
        HILL_LOG: 'json',
        PORT: String(port),
        WEB_DATABASE_URL: hill.url('web'),
      },
    });
    const tokens = await Promise.all(
      Array.from({ length: Math.ceil(many / 8) }, async () => {
        const { id: account, agentId: agent } = await anAccount(hill);
        return accessToken(hill.as('web'), hill.root, { account, agent, audience: authUrl });
      }),
    );
    await web.says('Hill is open');
    const at = (n: number) => [tokens[Math.floor(n / 8)] as string, `10.0.${Math.floor(n / 200)}.1`] as const;
    const resident = () => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${web.child.pid}/status`, 'utf8'))?.[1]);
    const before = resident();
    const heard: Awaited<ReturnType<typeof listen>>[] = [];
    for (let n = 0; n < many; n++) heard.push(await listen(`http://127.0.0.1:${port}`, ...at(n)));
    if (process.env.HILL_TEST_STREAMS)
      console.log(`${many} streams take ${((resident() - before) / many).toFixed(1)} KiB each`);

    await hill.clock.ringBell();
    await until('all hear the bell', async () => heard.every(({ text }) => text.includes('"hill/night":1')));
    expect(heard.some(({ over }) => over)).toBe(false);
    expect(await web.stop()).toBe(0);

    for (const { text } of heard) expect(text).toContain('"resultType":"complete"');
    expect((await listen(beside.baseUrl, ...at(0))).status).toBe(200);
  });

  test.skipIf(!nginx)('hear the bell through a proxy that buffers what it may', async () => {
    const { id: account, agentId: agent } = await anAccount(hill);
    const cache = await sharedCache(beside.baseUrl);
    onTestFinished(cache.stop);
    const heard = await listen(
      cache.url,
      await accessToken(hill.as('web'), hill.root, { account, agent, audience: authUrl }),
      '10.0.0.1',
    );
    await until('the stream has begun', async () => heard.text.includes('acknowledged'));
    const night = await hill.clock.day();

    await hill.clock.ringBell();

    await until('the bell is heard', async () => heard.text.includes(`"hill/night":${night}`));
    heard.leave();
  });
});
