// A process that is told to stop serves whom it is serving, and whoever was just on the way. By hand more rounds:
// HILL_TEST_ROLLS=12.
import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { accessToken } from '../support/hill/access-token.ts';
import { aServer, runHill } from '../support/hill/hill-process.ts';
import { type Account, anAccount, balanced, books, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { balance } from '../support/peers/balancer.ts';
import { haproxy, haproxyFor } from '../support/peers/haproxy.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const byHand = process.env.HILL_TEST_ROLLS !== undefined;
const rolls = Number(process.env.HILL_TEST_ROLLS ?? 1);
const authUrl = 'http://localhost:9';
const many = '9999999/60';
const settings = () => ({
  ...{
    HILL_CLOCK: 'simulated',
    HILL_SIGNING_SECRET: secret,
    HILL_LOG: 'json',
    HILL_STOP_SECONDS: '5',
    AUTH_URL: authUrl,
  },
  ...{ HILL_LIMIT_READS: many, HILL_LIMIT_CALLS: many },
  ...{
    WEB_DATABASE_URL: hill.url('web'),
    WORKER_DATABASE_URL: hill.url('worker'),
    CONSOLE_DATABASE_URL: hill.url('console'),
  },
});

const aToken = ({ id: account, agentId: agent }: Account) =>
  accessToken(hill.as('web'), hill.root, { account, agent, audience: authUrl });

interface Asked {
  readonly status: number;
  readonly connection: string | undefined;
  readonly body: string;
}

const ask = (
  port: number,
  agent: http.Agent,
  path: string,
  headers: Record<string, string> = {},
  body?: object,
): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const text = body && JSON.stringify(body);
    const request = http
      .request(
        {
          port,
          host: '127.0.0.1',
          agent,
          path,
          method: text ? 'POST' : 'GET',
          headers: { Host: 'localhost:9', ...headers },
        },
        (answer) => {
          let heard = '';
          answer
            .on('data', (chunk) => (heard += chunk))
            .on('end', () =>
              resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection, body: heard }),
            )
            .on('error', reject);
        },
      )
      .on('error', (error) => reject(Object.assign(error, { kept: request.reusedSocket })));
    request.end(text);
  });

const callOf = (token: string, name: string, args: object = {}) => ({
  path: '/mcp',
  headers: {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    Authorization: `Bearer ${token}`,
  },
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
});

const connects = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

describe('SIGTERM', () => {
  test('is told at /livez first; new connections are taken until balancers have heard it', async () => {
    const { PORT } = await aServer();
    const web = runHill(['web'], { ...settings(), PORT, HILL_DRAIN_SECONDS: '3', HILL_STOP_SECONDS: '0' });
    await web.says('Hill is open');
    const livez = async () => ask(Number(PORT), new http.Agent(), '/livez');
    expect(await livez()).toMatchObject({ status: 200, body: '{"status":"serving"}' });
    web.child.kill('SIGTERM');
    await until('it says so', async () => (await livez()).body === '{"status":"stopping"}');
    expect((await livez()).status).toBe(503);
    expect(await ask(Number(PORT), new http.Agent(), '/healthz')).toMatchObject({ status: 200 });
    expect(await web.ended).toBe(0);
    expect(await connects(Number(PORT))).toBe(false);
  });

  test('answers the calls that are under way or wait for a lane, and the next on a connection that seemed idle, each with Connection: close; a new connection is refused', async () => {
    const { PORT } = await aServer();
    const web = runHill(['web'], { ...settings(), PORT });
    await web.says('Hill is open');
    const port = Number(PORT);
    const tokens: string[] = [];
    for (let i = 0; i < 8; i++) tokens.push(await aToken(await anAccount(hill, { credits: 10_000 })));
    const [idle, busy] = [new http.Agent({ keepAlive: true, maxSockets: 1 }), new http.Agent({ keepAlive: true })];
    expect((await ask(port, idle, '/healthz')).connection).toBe('keep-alive');

    // calls that wait for what somebody else has
    const holder = await hill.root.connect();
    await holder.query('begin');
    await holder.query('lock table hill.wallets in access exclusive mode');
    const calls = tokens.map((token) => {
      const { path, headers, body } = callOf(token, 'play', { slot: 3, move: 'PEACE' });
      return ask(port, busy, path, headers, body);
    });
    await sleep(500);
    web.child.kill('SIGTERM');
    await web.says('stopping');
    await sleep(300);
    expect(await connects(port)).toBe(false);
    expect(await ask(port, idle, '/healthz')).toMatchObject({ status: 200, connection: 'close' });
    await holder.query('rollback');
    holder.release();

    for (const call of calls)
      expect(await call).toMatchObject({
        status: 200,
        connection: 'close',
        body: expect.stringContaining('"reserved_cents":300'),
      });
    // nobody is left: it does not wait any longer than that
    const began = Date.now();
    expect(await web.ended).toBe(0);
    expect(Date.now() - began).toBeLessThan(4_000);
    expect(web.output()).not.toMatch(/"level":[456]0(?!.*nobody can sign in)/);
    idle.destroy();
    busy.destroy();
  });

  test('lets an idle connection go when its time is over, and a client that never ends its request', async () => {
    const { PORT } = await aServer();
    const web = runHill(['web'], { ...settings(), PORT, HILL_STOP_SECONDS: '1' });
    await web.says('Hill is open');
    const idle = new http.Agent({ keepAlive: true });
    await ask(Number(PORT), idle, '/healthz');
    const endless = net.connect(Number(PORT), '127.0.0.1').on('error', () => {});
    endless.write(
      'POST /oauth/token HTTP/1.1\r\nHost: localhost:9\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\na',
    );
    await sleep(300);

    const began = Date.now();
    expect(await web.stop()).toBe(0);
    const took = Date.now() - began;
    expect(took).toBeGreaterThan(10_000);
    expect(took).toBeLessThan(19_000); // less than what docker compose waits
    expect(web.output()).not.toMatch(/"level":[456]0(?!.*nobody can sign in)/);
    idle.destroy();
  });

  test('of the console does the same', async () => {
    const { CONSOLE_PORT } = await aServer();
    const staff = runHill(['console'], { ...settings(), CONSOLE_PORT });
    await staff.says('the staff console is at');
    const port = Number(CONSOLE_PORT);
    const [idle, busy] = [new http.Agent({ keepAlive: true }), new http.Agent({ keepAlive: true })];
    const host = { Host: `localhost:${port}` };
    expect(await ask(port, idle, '/', host)).toMatchObject({ status: 200, connection: 'keep-alive' });
    // a wrong key is answered a second late
    const call = new Promise<Asked>((resolve, reject) => {
      const origin = `http://localhost:${port}`;
      http
        .request(
          {
            port,
            host: '127.0.0.1',
            agent: busy,
            path: '/sign-in',
            method: 'POST',
            headers: { ...host, Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' },
          },
          (answer) => {
            answer
              .resume()
              .on('end', () =>
                resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection, body: '' }),
              );
          },
        )
        .on('error', reject)
        .end('key=wrong&name=Sam');
    });
    await sleep(300);
    staff.child.kill('SIGTERM');
    await staff.says('stopping');
    await sleep(200);
    expect(await ask(port, idle, '/', host)).toMatchObject({ status: 200, connection: 'close' });
    expect(await call).toMatchObject({ status: 401, connection: 'close' });
    expect(await connects(port)).toBe(false);
    expect(await staff.ended).toBe(0);
    idle.destroy();
    busy.destroy();
  });
});

const size = byHand ? { webs: 4, workers: 2, consoles: 2 } : { webs: 3, workers: 3, consoles: 0 };
/** By hand each process is restarted alone; in CI a web and a worker at a time. */
const atOnce = byHand ? 1 : 2;
const daySeconds = 15;

test(`${rolls} rolling restart(s) of ${size.webs} webs, ${size.workers} workers and ${size.consoles} consoles under 64 clients: no call fails, no bell is missed`, async () => {
  const start = {
    web: async (PORT: string) => {
      const web = runHill(['web'], {
        ...settings(),
        PORT,
        LOG_LEVEL: 'info',
        HILL_PROXIES: '1',
        HILL_DRAIN_SECONDS: '3',
      });
      await web.says('Hill is open');
      return web;
    },
    worker: async () => {
      const worker = runHill(['worker'], settings());
      await worker.says('the worker is waiting');
      return worker;
    },
    console: async (CONSOLE_PORT: string) => {
      const staff = runHill(['console'], { ...settings(), CONSOLE_PORT });
      await staff.says('the staff console is at');
      return staff;
    },
  };
  const each = async (kind: keyof typeof start, n: number) =>
    Promise.all(
      Array.from({ length: n }, async () => {
        const port = String(await freePort());
        return { port, kind, running: await start[kind](port) };
      }),
    );
  const [webs, workers, consoles] = [
    await each('web', size.webs),
    await each('worker', size.workers),
    await each('console', size.consoles),
  ];
  const ports = webs.map(({ port }) => Number(port));
  // the plain one does not ask /livez: what it sends to a port in the instant in which it is closed may be reset
  const balancer = await (haproxy ? haproxyFor(ports) : balance(ports));
  const tokens: string[] = [];
  for (let i = 0; i < 8; i++) tokens.push(await aToken(await anAccount(hill, { credits: 100_000 })));
  const [{ first }] = (await hill.rows<{ first: number }>('select engine.today() as first')) as [{ first: number }];
  await hill.root.query('select api_worker.set_clock(null, $1)', [86_400 / daySeconds]);

  const failed: string[] = [];
  const retried: string[] = [];
  let calls = 0;
  let over = false;
  const client = async (i: number) => {
    // most keep their connection as browsers, proxies and SDKs do; some make one for each call
    const keepAlive = i % 4 !== 3;
    const agent = new http.Agent({ keepAlive, maxSockets: 1 });
    const token = tokens[i % tokens.length] as string;
    for (let n = 0; !over; n++) {
      const { path, headers, body } =
        n % 3 === 0
          ? callOf(token, 'status')
          : n % 3 === 1
            ? { path: n % 2 ? '/api/hill' : '/api/rules', headers: { Accept: 'application/json' }, body: undefined }
            : i % 8 === 0 && n % 30 === 2
              ? callOf(token, 'play', { slot: 1 + (i % 10), move: 'PEACE' })
              : { path: `/api/identity/house-${1 + (n % 10)}`, headers: {}, body: undefined };
      const once = () => ask(balancer.port, agent, path, headers, body);
      calls += 1;
      const began = Date.now();
      try {
        const { status } = await once().catch((error: NodeJS.ErrnoException & { kept?: boolean }) => {
          retried.push(`${error.code} on a ${error.kept ? 'kept' : 'fresh'} connection: ${path}`);
          return once();
        });
        if (status >= 500) failed.push(`${status} ${path}`);
      } catch (error) {
        failed.push(`${(error as Error).message} ${path} after ${Date.now() - began} ms`);
      }
      // some ask at once again, some seem idle for as long as a server would keep them
      await sleep(i % 5 === 0 ? 700 * (1 + (n % 4)) : 60 + (i % 7) * 30);
    }
    agent.destroy();
  };
  const clients = Array.from({ length: 64 }, (_, i) => client(i));
  await sleep(1_000);

  const codes: unknown[] = [];
  const outputs: string[] = [];
  const order = byHand
    ? [...webs, ...workers, ...consoles]
    : webs.flatMap((web, i) => [web, workers[i] as (typeof workers)[number]]);
  for (let roll = 0; roll < rolls; roll++) {
    if (byHand) console.log({ roll, calls, failed, retried });
    for (let i = 0; i < order.length; i += atOnce)
      await Promise.all(
        order.slice(i, i + atOnce).map(async (one) => {
          codes.push(await one.running.stop());
          outputs.push(one.running.output());
          one.running = await start[one.kind](one.port);
        }),
      );
  }
  over = true;
  await Promise.all(clients);
  // the clock stops between two bells, so that none is on its way
  const [{ last }] = (await hill.rows<{ last: number }>('select engine.today() as last')) as [{ last: number }];
  await hill.root.query('select api_worker.set_clock(null, 0)');
  const [{ day }] = (await hill.rows<{ day: number }>('select engine.today() as day')) as [{ day: number }];
  await until(
    'the last bell',
    async () => (await hill.rows('select 1 from hill.nights where day = $1', [day - 1])).length === 1,
  );
  if (byHand) console.log({ rolls, stops: codes.length, calls, failed: failed.length, retried, nights: last - first });

  expect(failed).toEqual([]);
  expect(codes).toEqual(codes.map(() => 0));
  // A connect that the kernel had taken when the port was closed is the one thing that cannot be answered: to be met
  // once in a great many restarts.
  expect(retried.filter((one) => !one.includes('fresh'))).toEqual([]);
  expect(retried.length).toBeLessThanOrEqual(rolls);
  expect(calls).toBeGreaterThan(500);
  await balancer.stop();
  await Promise.all(order.map(({ running }) => running.stop()));
  outputs.push(...order.map(({ running }) => running.output()));
  for (const output of outputs) expect(output).not.toMatch(/"level":[56]0/);
  // each bell was rung by one worker, once
  const rung = outputs.flatMap((output) =>
    [...output.matchAll(/night (\d+) is resolved/g)].map(([, night]) => Number(night)),
  );
  expect(rung.toSorted((a, b) => a - b).filter((night) => night >= first)).toEqual(
    Array.from({ length: day - first }, (_, i) => first + i),
  );
  expect(await books(hill.root)).toEqual(balanced);
});
