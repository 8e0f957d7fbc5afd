// The worker loses its database, or a connection of it, around the bell. Rules 2.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startWorker } from '../../src/worker/index.ts';
import { anAccount, balanced, books, useHill } from '../support/hill/index.ts';
import { aLog, warnings, workerSettings } from '../support/hill/worker.ts';
import { aProxy } from '../support/peers/proxy.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const lastNight = async () => (await hill.asWorker().readClock()).last_night;

async function aWorkerBehindAProxy() {
  const proxy = await aProxy(hill.url('worker'));
  const { log, said } = aLog();
  const worker = await startWorker(workerSettings(), proxy.through(hill.url('worker')), log);
  onTestFinished(() => worker.stop());
  return { proxy, said };
}

describe('an outage over midnight', () => {
  let night: number;
  beforeEach(async () => {
    await hill.asWorker().setClock(null, 0);
    night = (await lastNight()) + 1;
    const ann = await anAccount(hill, { credits: 5000 });
    await hill.clock.at('23:59:50');
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
  });

  test.each(['vanish', 'cut'] as const)(
    '(%s): the bell rings within 5 s of its end, and the worker hammers at no door meanwhile',
    async (how) => {
      const { proxy, said } = await aWorkerBehindAProxy();
      await hill.clock.at('23:59:57');
      await hill.asWorker().setClock(null, 1);
      await sleep(500);
      proxy[how]();
      const before = proxy.attempts();
      await sleep(15_000);
      expect(await lastNight()).toBe(night - 1);
      expect(proxy.attempts() - before).toBeLessThan(200);

      const began = performance.now();
      await proxy.restore();
      await until('the bell', async () => (await lastNight()) === night);

      expect((performance.now() - began) / 1_000).toBeLessThan(5);
      expect(said.filter(({ msg }) => msg.startsWith('the bell failed')).length).toBeLessThan(4);
      expect(await books(hill.root)).toEqual(balanced);
    },
  );
});

test('a connection that breaks in the middle of a bell: the worker lives on and the night is resolved within 5 s', async () => {
  const { said } = await aWorkerBehindAProxy();
  const night = (await lastNight()) + 1;
  await hill.asRoot(async (root) => {
    await root.query('begin; lock table hill.place_results in share mode');
    await hill.clock.toMidnight();
    const pid = await until(
      'a bell that is half done',
      async () =>
        (
          await hill.rows<{ pid: number }>(
            "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'ring_next_bell'",
          )
        )[0]?.pid,
    );
    await root.query('select pg_terminate_backend($1, 5000)', [pid]);
    await root.query('rollback');
  });
  await until('the bell', async () => (await lastNight()) === night, 20);

  // it says so once, and goes on with the next one
  expect(warnings(said)).toEqual([expect.stringMatching(/^the bell failed and will be tried/)]);
  await hill.clock.toMidnight();
  await until('the next bell', async () => (await lastNight()) === night + 1, 20);
});
