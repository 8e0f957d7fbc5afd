// The worker's errands outside: what they need to begin, and what wakes them. What they do is in test/mcp (subscribe,
// verify_badge).
import { expect, test } from 'vitest';
import { webhooks } from '../../src/outside/webhooks.ts';
import { webhookSealer } from '../../src/process/secret.ts';
import { startWorker } from '../../src/worker/index.ts';
import { anAccount, call, useHill } from '../support/hill/index.ts';
import { aLog, aWorker, workerSettings } from '../support/hill/worker.ts';
import { aReceiver, verified } from '../support/peers/receiver.ts';
import { until } from '../support/until.ts';

const hill = useHill();

test('in production a worker without the secret that seals webhooks does not start', async () => {
  const settings = { ...workerSettings(), env: 'production' as const, signingSecret: null };
  await expect(startWorker(settings, hill.url('worker'), aLog().log)).rejects.toThrow(
    /^HILL_SIGNING_SECRET must be set .* worker process/,
  );
});

test('a job that failed is seen until a later one of its task goes well', async () => {
  const worker = await aWorker(hill);
  const failed = async () =>
    (await hill.rows("select 1 from graphile_worker.jobs where last_error = 'as Stripe may'")).length;
  await hill.root.query(
    "select graphile_worker.add_job('forget_deliveries', run_at => now() + '1 day', max_attempts => 1)",
  );
  await hill.root.query(
    "update graphile_worker._private_jobs set attempts = 1, last_error = 'as Stripe may' where run_at > now() + '1 hour'",
  );
  expect(await failed()).toBe(1);
  await hill.root.query("select graphile_worker.add_job('forget_deliveries')");
  await until('it is forgotten', async () => (await failed()) === 0);
  await worker.stop();
});

test('a worker whose connections are cut hears of events again, and those of the meantime', async () => {
  const worker = await aWorker(hill);
  const receiver = await aReceiver();
  const { token } = await anAccount(hill);
  const { secret, ...made } = webhooks(
    { userAgent: 'a test', allowLoopback: true },
    webhookSealer(workerSettings()),
  ).make();
  await call(hill.as('web'), 'api_agent.subscribe', { token, ...made, url: receiver.url, events: ['bell_rung'] });
  const listening =
    "from pg_stat_activity where datname = current_database() and application_name = 'hill lookout' and state = 'idle'";
  await until('it listens', async () => (await hill.rows(`select 1 ${listening}`)).length === 1);

  await hill.rows(`select pg_terminate_backend(pid) ${listening}`);
  await hill.clock.ringBell();
  expect(verified(secret, await receiver.nth(1)).type).toBe('bell_rung');
  await until('it listens again', async () => (await hill.rows(`select 1 ${listening}`)).length === 1);
  await hill.clock.ringBell();
  expect(verified(secret, await receiver.nth(2)).data.day).toBe(2);
  await worker.stop();
});
