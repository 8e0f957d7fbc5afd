// Behind PgBouncer in session mode (ops/pgbouncer.ini) a hill plays, rings, hears and does its errands.
// docs/operations.md, Several processes.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { makePool } from '../../src/db/pool.ts';
import type { Rules } from '../../src/records/index.ts';
import { accessToken } from '../support/hill/access-token.ts';
import { runHill } from '../support/hill/hill-process.ts';
import { anAccount, balanced, books, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { aLog } from '../support/hill/worker.ts';
import { aPooler, type Pooler, pgbouncer } from '../support/peers/pgbouncer.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

const hill = useHill();
let pooler: Pooler;
beforeAll(async () => {
  if (pgbouncer) pooler = await aPooler([hill.url('web'), hill.url('worker')]);
});
afterAll(() => pooler?.stop());

test.skipIf(!pgbouncer)('a web and a worker: deposits, bells, notifications and jobs', async () => {
  const port = String(await freePort());
  const audience = `http://localhost:${port}`;
  const env = {
    ...{ HILL_CLOCK: 'simulated', HILL_SIGNING_SECRET: secret, HILL_LOG: 'json', PORT: port },
    ...{ WEB_DATABASE_URL: pooler.through(hill.url('web')), WORKER_DATABASE_URL: pooler.through(hill.url('worker')) },
  };
  const [web, worker] = [runHill(['web'], env), runHill(['worker'], env)];
  await Promise.all([web.says('Hill is open'), worker.says('the worker is waiting')]);
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);

  // each deposit is a prepared statement
  const ann = await anAccount(hill, { credits: 100_000 });
  const token = await accessToken(hill.as('web'), hill.root, { account: ann.id, agent: ann.agentId, audience });
  for (const message of ['one', 'two', 'three']) {
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'play', arguments: { slot: 1, move: 'PEACE', message } },
      }),
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(`"message":"${message}"`)]);
  }

  // the web hears: what it keeps for a minute changes at once
  const opening = async () => ((await (await get('/api/rules')).json()) as Rules).hill.next_slot_opens_on_day;
  await opening();
  await hill.root.query('update hill.places set opens_day = 90 where slot = 10');
  await until('the place', async () => (await opening()) === 90, 20);

  // the worker hears: it would look at the clock by itself after 30 s
  const [{ day }] = (await hill.rows<{ day: number }>('select engine.today() as day')) as [{ day: number }];
  await hill.root.query('select api_worker.set_clock(engine.bell_at($1), 0)', [day]);
  await until('the night', async () => (await get(`/api/day/${day}`)).status === 200, 20);
  await hill.root.query("select graphile_worker.add_job('forget')");
  await until(
    'the job',
    async () => (await hill.rows("select 1 from graphile_worker.jobs where task_identifier = 'forget'")).length === 0,
  );
  expect(await books(hill.root)).toEqual(balanced);

  expect(await Promise.all([web.stop(), worker.stop()])).toEqual([0, 0]);
  for (const { output } of [web, worker]) expect(output()).not.toMatch(/"level":[456]0(?!.*nobody can sign in)/);
});

test.skipIf(!pgbouncer)('limits hold, and a statement that may take long is not taken for lost', async () => {
  const pool = (statementTimeoutMs: number) => {
    const made = makePool({
      url: pooler.through(hill.url('worker')),
      name: 'test pooled',
      log: aLog().log,
      statementTimeoutMs,
      lockTimeoutMs: 300,
    });
    onTestFinished(() => made.end());
    return made;
  };
  const [limited, unlimited] = [pool(500), pool(0)];
  const long = unlimited.query('select pg_sleep(8)');
  await expect(limited.query('select pg_sleep(2)')).rejects.toMatchObject({ code: '57014' });
  const { rows } = await limited.query(
    "select current_setting('lock_timeout') as lock, current_setting('transaction_isolation') as isolation",
  );
  expect(rows).toEqual([{ lock: '300ms', isolation: 'read committed' }]);
  await expect(long).resolves.toMatchObject({ rowCount: 1 });
});
