// What operators see of real processes, a web and a worker: metrics, traces and logs at every level are the same before
// and after a deposit (rules 9.2), all that the dashboard and the alerts name is there, and one cent that a superuser
// moves stops the next night and shows everywhere (decisions 116-119).
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifierKey } from '../../src/log/note.ts';
import { witnessSigners } from '../../src/log/signing.ts';
import { checkout } from '../../src/process/config.ts';
import { useConsole } from '../support/doors/console.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { secret } from '../support/doors/oauth.ts';
import { type HillProcess, runHillForFile } from '../support/hill/hill-process.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';
import { metricsOf, type Samples, samplesOf, useCollector } from '../support/watched.ts';

const hill = useHill();
const auth = { AUTH_URL: 'http://localhost:9' };
const mcp = useMcp(hill, 'one host', auth);
const staff = useConsole(hill);
const collector = useCollector();
const start = runHillForFile();

const [witness] = witnessSigners(secret, 'gone').map(verifierKey);

let web: HillProcess;
let worker: HillProcess;
let port: number;
let webMetrics: number;
let workerMetrics: number;
let ann: Account;
let token: string;

beforeAll(async () => {
  [port, webMetrics, workerMetrics] = [await freePort(), await freePort(), await freePort()];
  await hill.clock.at('10:00');
  ann = await anAccount(hill, { credits: 100_000, daily_cap_cents: 100_000 });
  token = await mcp.token(ann);
  const settings = {
    ...auth,
    HILL_CLOCK: 'simulated',
    HILL_SIGNING_SECRET: secret,
    LOG_LEVEL: 'trace',
    HILL_LOG: 'json',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  };
  web = start(['web'], {
    ...settings,
    PORT: String(port),
    METRICS_PORT: String(webMetrics),
    WEB_DATABASE_URL: hill.url('web'),
  });
  worker = start(['worker'], {
    ...settings,
    BASE_URL: `http://localhost:${port}`, // which shows what of the log was signed
    HILL_WITNESSES: `witness gone ${witness} http://localhost:1`,
    METRICS_PORT: String(workerMetrics),
    WORKER_DATABASE_URL: hill.url('worker'),
  });
  await Promise.all([web.says('Hill is open'), worker.says('waiting for the bell')]);
  await until('both are ready', async () =>
    (await Promise.all([webMetrics, workerMetrics].map(readiness))).every(({ status }) => status === 200),
  );
  await until(
    'a worker has checked all that must hold, and the last part of it',
    async () =>
      (await hill.rows("select from hill.watch w, jsonb_array_elements(w.checks) c where c ->> 'part' = 'payments'"))
        .length > 0,
  );
  await until('the log is signed', async () => (await hill.rows('select from hill.log_checkpoints')).length > 0);
});

const url = (rest: string) => `http://127.0.0.1:${port}${rest}`;
const readiness = async (at: number) => {
  const answer = await fetch(`http://127.0.0.1:${at}/readyz`).catch(() => undefined);
  return {
    status: answer?.status,
    body: (await answer?.json()) as { checks: Record<string, { ok: boolean; reason?: string }> },
  };
};
const tool = (name: string, args: object = {}, headers: Record<string, string> = {}) =>
  fetch(url('/mcp'), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${token}`,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });

/** What moves by itself: the process on the minute, ages, and the jobs of each minute. */
const restless =
  /^hill_(process_|event_loop_|disk_|worker_silent|conservation_age|books_age|log_unsigned|jobs_|database_probe|memory_misses|database_connections\{pool="reading")/;
/**
 * On the quarter hour the worker looks at what the web shows of the log, and the web writes how often each sealed tool
 * was called.
 */
async function awayFromQuarterHours(): Promise<void> {
  const [quarterMs, beforeMs, afterMs] = [900_000, 30_000, 10_000];
  const sinceMs = (Date.now() + beforeMs) % quarterMs;
  if (sinceMs < beforeMs + afterMs) await sleep(beforeMs + afterMs - sinceMs);
  const due = 'select from graphile_worker.jobs where run_at <= now() or locked_at is not null';
  await until('the jobs of the last quarter hour', async () => (await hill.rows(due)).length === 0);
}
const still = (samples: Samples) => Object.fromEntries([...samples].filter(([name]) => !restless.test(name)));
const everything = async () => ({ ...still(await samplesOf(webMetrics)), ...still(await samplesOf(workerMetrics)) });
const lines = (process: HillProcess) =>
  process
    .output()
    .split('\n')
    .filter((line) => line !== '' && !line.includes('"queue: '));

describe('a deposit', () => {
  test('of all kinds moves no metric, adds no span and no line; another call does all three', async () => {
    await awayFromQuarterHours();
    const marked = async (id: string) => {
      await (await tool('whoami', {}, { 'X-Request-Id': id })).text();
      await until(`the span of ${id}`, async () =>
        collector.spans.some(({ attributes }) => JSON.stringify(attributes).includes(id)),
      );
      await until(`the line of ${id}`, async () => web.output().includes(id));
    };
    await marked('mark-before-the-first');
    const told = await everything();
    const [spans, web1, worker1] = [collector.spans.length, lines(web).length, lines(worker).length];
    expect(Object.keys(told).length).toBeGreaterThan(60);

    const args = [
      { slot: 3, move: 'PEACE', message: 'zugzwang' },
      { slot: 3, move: 'WAR', stake_cents: 9_761, message: 'zugzwang' },
      { slot: 11, move: 'PEACE' },
      { slot: 4, move: 'WAR', stake_cents: 99_999 },
      { slot: 4, move: 'ZUGZWANG' },
      { slot: 3, move: 'PASS' },
      ...Array.from({ length: 20 }, () => ({ slot: 5, move: 'PEACE' })),
    ];
    for (const [i, arg] of args.entries()) {
      const answer = await tool('play', arg, {
        'X-Request-Id': `deposit-${i}-zugzwang`,
        traceparent: `00-${'d'.repeat(32)}-${'d'.repeat(16)}-01`,
      });
      expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, `deposit-${i}-zugzwang`]);
      await answer.text();
    }
    const asHuman = { Cookie: `hill_session=${ann.session}`, Origin: `http://localhost:${port}` };
    const page = await (await fetch(`http://localhost:${port}/account`, { headers: asHuman })).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] as string;
    const body = new URLSearchParams({ csrf, slot: '5' });
    const withdrawn = await fetch(`http://localhost:${port}/account/withdraw`, {
      method: 'POST',
      redirect: 'manual',
      headers: asHuman,
      body,
    });
    expect(withdrawn.headers.get('location')).toContain('done=withdrawn');

    expect(await everything()).toEqual(told);
    await marked('mark-after-the-last');
    expect(
      collector.spans
        .slice(spans)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['api_agent.whoami', 'tool whoami']);
    expect(
      lines(web)
        .slice(web1)
        .map((line) => (JSON.parse(line) as { msg: string }).msg),
    ).toEqual(['whoami: ok']);
    expect(lines(worker).slice(worker1)).toEqual([]);
    expect(await everything()).not.toEqual(told);
    for (const text of [web.output(), worker.output(), collector.text()])
      expect(text.replace(/"time":\d+/g, '')).not.toMatch(/zugzwang|9761|99999|d{32}/i);
  });

  test('can be no finer in what is rounded', async () => {
    const samples = await samplesOf(webMetrics);
    const value = (name: string) => samples.get(name) as number;
    expect(value('hill_process_memory_bytes') % (16 * 1_048_576)).toBe(0);
    expect(value('hill_process_heap_bytes') % (16 * 1_048_576)).toBe(0);
    for (const [name, step] of [
      ['hill_process_cpu_ratio', 0.01],
      ['hill_event_loop_lag_seconds{quantile="1"}', 0.01],
      ['hill_database_probe_seconds{pool="calls"}', 0.05],
    ] as const)
      expect(Math.abs(value(name) / step - Math.round(value(name) / step)), name).toBeLessThan(1e-6);
  });

  test('shows as the latency of a day when its bell has rung', async () => {
    expect([...(await samplesOf(webMetrics)).keys()].filter((name) => name.includes('play'))).toEqual([]);
    await hill.clock.toMidnight();
    await until('the bell', async () => (await samplesOf(workerMetrics)).get('hill_last_night') === 1);

    await until('its latencies', async () =>
      (await samplesOf(webMetrics)).has('hill_play_duration_seconds{quantile="0.99"}'),
    );
    expect([...(await samplesOf(webMetrics)).keys()].filter((name) => name.includes('play')).sort()).toEqual([
      'hill_play_duration_seconds{quantile="0.5"}',
      'hill_play_duration_seconds{quantile="0.99"}',
    ]);
  });
});

describe('a request', () => {
  test('is named alike in its answer, its problem, its log lines and its span', async () => {
    const answer = await fetch(url('/api/announcements?limit=nonsense'), {
      headers: { 'X-Request-Id': 'my-own-request' },
    });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([400, 'my-own-request']);
    expect(await answer.json()).toMatchObject({ code: 'INVALID_ARGUMENT', request_id: 'my-own-request' });
    await until('its span', async () =>
      collector.spans.some(({ attributes }) => JSON.stringify(attributes).includes('my-own-request')),
    );

    await (await tool('status', {}, { 'X-Request-Id': 'a-status-request' })).text();
    await until('its line', async () => web.output().includes('"request":"a-status-request"'));
  });

  test.each([
    ['with a trace', { traceparent: `00-${'a1'.repeat(16)}-${'b2'.repeat(8)}-01` }, 'a1'.repeat(16)],
    ['with half a trace', { traceparent: `00-${'a1'.repeat(16)}-01` }, expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ['with an id that is too long', { 'X-Request-Id': 'x'.repeat(65) }, expect.stringMatching(/^[0-9a-f-]{36}$/)],
    [
      'with an id that would break a line',
      { 'X-Request-Id': '{"level":60}' },
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ],
  ])('%s', async (_, headers, id) => {
    const answer = await fetch(url('/api/nothing'), { headers: headers as Record<string, string> });
    expect(await answer.json()).toMatchObject({ request_id: id });
    expect(answer.headers.get('x-request-id')).toEqual(id);
  });
});

describe('the files of ops/', () => {
  const read = (file: string) => fs.readFileSync(path.join(checkout, file), 'utf8');
  const named = (text: string) =>
    new Set([...text.matchAll(/\bhill_[a-z0-9_]+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, '')));

  test('name metrics that a live hill shows, and docs/observability.md explains each of them', async () => {
    let shown = new Set<string>();
    await until('the database has answered the last look', async () => {
      shown = new Set([...(await metricsOf(webMetrics)), ...(await metricsOf(workerMetrics))]);
      return shown.has('hill_database_probe_seconds');
    });
    expect(shown.size).toBeGreaterThan(40);
    // of the machine that the test runs on, where no data is kept
    shown.add('hill_disk_free_ratio');
    // of a hill on the real clock: test/worker/clock-guard.test.ts
    shown.add('hill_clock_apart_seconds');
    // where humans sign in with a provider: test/humans/google.test.ts
    shown.add('hill_sign_ins_total');
    // where several web processes share a port: test/commands/web-processes.test.ts
    shown.add('hill_web_processes');
    // where mail is sent: test/worker/mail.test.ts
    for (const name of ['hill_mail_duration_seconds', 'hill_mail_repeats_total']) shown.add(name);

    for (const file of ['ops/prometheus/alerts.yml', 'ops/grafana/hill.json'])
      expect(
        [...named(read(file))].filter((name) => !shown.has(name)),
        file,
      ).toEqual([]);
    expect([...named(read('docs/observability.md'))].sort()).toEqual([...shown].sort());
    expect([...named(read('ops/grafana/hill.json'))].length).toBeGreaterThan(35);
  });
});

describe('one cent that a superuser adds to a wallet', () => {
  const cent = (by: number) =>
    hill.asRoot(async (client) => {
      await client.query('begin; set local session_replication_role = replica');
      await client.query('update hill.wallets set paid_cents = paid_cents + $1 where account_id = $2', [by, ann.id]);
      await client.query('commit');
    });
  const health = '{ bellHealth { worker bell books deltaCents failure failingNight } }';

  test('stops the next night, and shows in /readyz, metrics and the console until it is taken back', async () => {
    const cookie = await staff.signIn();
    await until('all is well', async () => (await fetch(url('/readyz'))).status === 200);
    expect(await staff.data(cookie, health)).toEqual({
      bellHealth: { worker: 'ok', bell: 'ok', books: 'ok', deltaCents: '0', failure: null, failingNight: null },
    });

    await cent(1);
    await hill.clock.toMidnight();
    await until('the bell fails', async () => worker.output().includes('NIGHT_DOES_NOT_BALANCE'));
    await until('it shows', async () => (await samplesOf(workerMetrics)).get('hill_conservation_delta_cents') === 1);
    await until('readiness', async () => (await fetch(url('/readyz'))).status === 503);

    expect(await (await fetch(url('/readyz'))).json()).toEqual({ status: 'not ready', failed: ['books'] });
    for (const at of [webMetrics, workerMetrics]) {
      await until('the reason', async () => (await readiness(at)).status === 503);
      expect((await readiness(at)).body.checks.books).toMatchObject({
        ok: false,
        reason: expect.stringContaining('do not balance'),
      });
    }
    const samples = await samplesOf(workerMetrics);
    expect(samples.get('hill_bell_failing{code="NIGHT_DOES_NOT_BALANCE"}')).toBe(1);
    expect(samples.get('hill_books_wrong{check="Each wallet is the sum of its entries"}')).toBe(1);
    expect(samples.get('hill_last_night')).toBe(1);
    expect((await samplesOf(webMetrics)).get('hill_check_ok{check="books"}')).toBe(0);
    expect(await staff.data(cookie, health)).toMatchObject({
      bellHealth: { books: 'wrong', deltaCents: '1', failure: 'NIGHT_DOES_NOT_BALANCE', failingNight: 2 },
    });
    expect((await fetch(url('/healthz'))).status, 'readers are served').toBe(200);
    expect(await hill.rows('select 1 from hill.nights where day = 2')).toEqual([]);

    await cent(-1);
    await hill.clock.tick();
    await until('the night', async () => (await hill.rows('select 1 from hill.nights where day = 2')).length === 1);
    await until('all is well again', async () => (await fetch(url('/readyz'))).status === 200);
    expect(await staff.data(cookie, health)).toMatchObject({
      bellHealth: { books: 'ok', deltaCents: '0', failure: null },
    });
  });

  test('and a worker that dies shows in the web, within half a minute', async () => {
    expect(await worker.stop()).toBe(0);
    await hill.rows("update hill.watch set beat_at = beat_at - interval '31 s'");
    await until('readiness', async () => (await fetch(url('/readyz'))).status === 503, 25);
    expect(await (await fetch(url('/readyz'))).json()).toEqual({ status: 'not ready', failed: ['worker'] });
  });
});

test('a database that has no connection left is not away, and a look that got none took no time', async () => {
  const limit = (n: number) => hill.admin.query(`alter database ${hill.name} connection limit ${n}`);
  const login = decodeURIComponent(new URL(hill.url('web')).username);
  let samples: Samples = new Map();
  await limit(0);
  try {
    await hill.rows(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = $1',
      [login],
    );
    await until('nobody could look', async () => {
      samples = await samplesOf(webMetrics);
      return samples.get('hill_check_ok{check="connections"}') === 0 && !samples.has('hill_check_ok{check="bell"}');
    });
  } finally {
    await limit(-1);
  }
  expect([...samples.keys()].filter((name) => /check="database"|_probe_/.test(name))).toEqual([]);
  const answers = async () => (await samplesOf(webMetrics)).get('hill_check_ok{check="database"}') === 1;
  await until('it answers again', answers);

  // nor is one for which calls wait that somebody's lock holds up
  const called: string[] = [];
  await hill.asRoot(async (client) => {
    await client.query('begin; lock table oauth.access_tokens in access exclusive mode');
    let over = false;
    const callers = Array.from({ length: 30 }, async () => {
      while (!over) called.push(await (await tool('status')).text());
    });
    await until('nobody could look', async () => !(await samplesOf(webMetrics)).has('hill_check_ok{check="database"}'));
    over = true;
    await client.query('rollback');
    await Promise.all(callers);
  });
  expect(called.join()).toContain('UNAVAILABLE');
  await until('it answers again', answers);
  expect(await web.stop()).toBe(0);
});
