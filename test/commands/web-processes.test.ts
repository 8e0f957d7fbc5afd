// HILL_WEB_PROCESSES: several web processes on one port are one service to whoever calls it, limits it and watches it.
// Decisions 325-327.
import { execFileSync } from 'node:child_process';
import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { accessToken } from '../support/hill/access-token.ts';
import { aDataDir, aServer, hill as run, runHill } from '../support/hill/hill-process.ts';
import { anAccount, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';
import { samplesOf } from '../support/watched.ts';

const hill = useHill();
const authUrl = 'http://localhost:9';
const two = {
  HILL_CLOCK: 'simulated',
  HILL_LOG: 'json',
  HILL_WEB_PROCESSES: '2',
  HILL_SIGNING_SECRET: secret,
  AUTH_URL: authUrl,
};

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

const ask = (port: number, path: string, { agent = new http.Agent(), headers = {}, body = '' } = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    http
      .request({ port, host: '127.0.0.1', agent, path, method: body ? 'POST' : 'GET', headers }, (answer) => {
        let heard = '';
        answer
          .on('data', (chunk) => (heard += chunk))
          .on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: heard }))
          .on('error', reject);
      })
      .on('error', reject)
      .end(body);
  });

const kept = () => new http.Agent({ keepAlive: true, maxSockets: 1 });
const left = ({ headers }: Answer) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]);

const childrenOf = (parent: number | undefined): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, ...args]) => Number(ppid) === parent && args.includes('web'))
    .map(([pid]) => Number(pid));

test('two share limits and tell an operator how each is; one that is killed is replaced while the other answers; SIGTERM ends both in good order', async () => {
  const [port, metrics] = [await freePort(), await freePort()];
  const web = runHill(['web'], {
    ...two,
    ...{ PORT: String(port), METRICS_PORT: String(metrics), WEB_DATABASE_URL: hill.url('web') },
    ...{ HILL_LIMIT_READS: '40/900000', HILL_STOP_SECONDS: '5', HILL_DATABASE_CONNECTIONS: '8' },
  });
  await web.says('Hill is open');

  // connections go to the processes in turn
  const agents = [kept(), kept()] as const;
  const read = async (i: 0 | 1) => left(await ask(port, '/api/hill', { agent: agents[i] }));
  for (let n = 1; n <= 10; n++) expect(await read(0)).toBe(40 - n);
  let n = 0;
  await until('the other process has heard of them', async () => {
    n += 1;
    return (await read(1)) === 30 - n;
  });
  while (n < 30) {
    n += 1;
    expect(await read(1)).toBe(30 - n);
  }
  await until(
    'the first one has heard of those',
    async () => (await ask(port, '/api/hill', { agent: agents[0] })).status === 429,
  );

  // each has answered: what operators are told is of both
  const samples = await samplesOf(metrics);
  expect(samples.get('hill_web_processes')).toBe(2);
  for (const name of ['web 1', 'web 2']) {
    expect(samples.get(`hill_info{part="web",node="${process.version}",process="${name}"}`)).toBe(1);
    expect(samples.get(`hill_memory_entries{process="${name}"}`)).toBeGreaterThan(0);
  }
  const readiness = (await (await fetch(`http://127.0.0.1:${metrics}/readyz`)).json()) as { checks: object };
  expect(Object.keys(readiness.checks).toSorted()).toEqual([
    'bell',
    'books',
    'clock',
    'connections',
    'database',
    'keys',
    'reserve',
    'schema',
    'seal',
    'server',
    'web',
    'worker',
  ]);

  const [first, second] = childrenOf(web.child.pid) as [number, number];
  // one of these is given to a process that takes it no more: its client does not wait for ever
  process.kill(first, 'SIGSTOP');
  const given = [1, 2, 3].map(() => ask(port, '/livez').catch(({ code }) => ({ status: code })));
  await until('the other has answered', async () => (await Promise.race(given)).status === 200);
  process.kill(first, 'SIGKILL');
  expect((await Promise.all(given)).map(({ status }) => status).toSorted()).toEqual([200, 200, 'ECONNRESET']);
  await web.says('the next one is started in 0.5 s');
  const next = await until('another is started', async () => childrenOf(web.child.pid).find((pid) => pid !== second));
  process.kill(next, 'SIGKILL');
  await web.says('the next one is started in 1 s');
  expect(web.output()).toMatch(/"process":"web [12]","why":"SIGKILL"/);
  await until('one serves in its place', async () => {
    expect((await ask(port, '/livez')).status).toBe(200); // the other answers meanwhile
    return web.output().includes('serves in the place');
  });

  // a call that waits for a row which somebody else has, and a connection to each process that seems idle
  const ann = await anAccount(hill, { credits: 10_000 });
  const token = await accessToken(hill.as('web'), hill.root, {
    account: ann.id,
    agent: ann.agentId,
    audience: authUrl,
  });
  const idle = [kept(), kept()];
  for (const agent of idle) expect((await ask(port, '/livez', { agent })).headers.connection).toBe('keep-alive');
  const holder = await hill.root.connect();
  await holder.query('begin');
  await holder.query('lock table hill.wallets in access exclusive mode');
  const call = ask(port, '/mcp', {
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${token}`,
    } as object,
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'play', arguments: { slot: 3, move: 'PEACE' } },
    }),
  });
  const waiting = "select 1 from pg_locks where relation = 'hill.wallets'::regclass and not granted";
  await until('the call waits', async () => (await hill.rows(waiting)).length > 0);
  web.child.kill('SIGTERM');
  await until('the port is closed', () =>
    ask(port, '/livez').then(
      () => false,
      ({ code }) => code === 'ECONNREFUSED',
    ),
  );
  const last = await Promise.all(idle.map((agent) => ask(port, '/livez', { agent })));
  expect(last.map(({ status, headers }) => [status, headers.connection])).toEqual([
    [503, 'close'],
    [503, 'close'],
  ]);
  await holder.query('rollback');
  holder.release();
  expect(await call).toMatchObject({ status: 200, body: expect.stringContaining('"reserved_cents":300') });
  expect(await web.ended).toBe(0);
  expect(childrenOf(web.child.pid)).toEqual([]);
  // nobody says so but the process that was told
  expect(web.output().match(/: stopping|"stopped"/g)).toEqual([': stopping', '"stopped"']);
});

test('what keeps them from starting is said once', async () => {
  const settings = { ...two, LOG_LEVEL: 'error', WEB_DATABASE_URL: hill.url('web') };
  const { PORT } = await aServer();
  expect(await run(['web'], { ...settings, PORT, HILL_SIGNING_SECRET: `${secret}!` })).toEqual({
    code: 1,
    output: expect.stringMatching(/^HILL_SIGNING_SECRET is not the one [^\n]*$/),
  });
  const other = net.createServer().listen(Number(PORT), '127.0.0.1');
  expect(await run(['web'], { ...settings, PORT })).toEqual({
    code: 1,
    output: expect.stringMatching(/^PORT: port \d+ is in use[^\n]*$/),
  });
  other.close();
});

test('npm start serves with them, and leaves none behind when a second SIGINT ends it at once', async () => {
  const server = await aServer(aDataDir());
  const all = runHill(['start'], { ...server, ...two, DATABASE_URL: hill.ownerUrl, HILL_DRAIN_SECONDS: '9' });
  await all.says('Hill is open');
  const children = childrenOf(all.child.pid);
  expect(children.length).toBe(2);
  expect(await Promise.all([1, 2].map(async () => (await ask(Number(server.PORT), '/healthz')).status))).toEqual([
    200, 200,
  ]);

  all.child.kill('SIGINT');
  await until('they drain', async () => (await ask(Number(server.PORT), '/livez')).status === 503);
  await sleep(600); // one that comes sooner is taken for the same
  expect(await all.stop('SIGINT')).toBe(1);
  await until('they are gone', async () => {
    const running = execFileSync('ps', ['-A', '-o', 'pid='], { encoding: 'utf8' }).split(/\s+/).map(Number);
    return children.every((pid) => !running.includes(pid));
  });
});
