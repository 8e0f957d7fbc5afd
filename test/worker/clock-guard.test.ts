// No bell rings by a clock of the database that is apart from the worker's, or went forward by days at once. Rules 2.5.
import { expect, test } from 'vitest';
import { Metrics } from '../../src/process/metrics.ts';
import { clockGuard } from '../../src/worker/clock-guard.ts';
import { startClockwork } from '../../src/worker/clockwork.ts';
import { useHill } from '../support/hill/index.ts';
import { aLog } from '../support/hill/worker.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const dayMs = 86_400_000;

test('a clock that is a minute apart, or jumps by more than a day, rings nothing; one that is right again rings what is due', async () => {
  const set = "update hill.settings set clock = 'real', shown_at = null, set_at = null, rate = null";
  await hill.rows(`${set}, day_one = (now() at time zone 'UTC')::date - 10`);
  const last = async () => (await hill.asWorker().readClock()).last_night;
  let [apartMs, elapsedMs] = [0, 0];
  const metrics = new Metrics();
  const machine = { now: () => Date.now() + apartMs, elapsed: () => elapsedMs };
  const { log, said } = aLog();
  const pool = hill.as('worker');
  const guard = clockGuard(pool, metrics, machine);
  await guard.check();
  elapsedMs -= 10 * dayMs; // as if ten days had passed there and none here
  apartMs = -90_000;
  const clockwork = startClockwork(
    pool,
    async () => {},
    guard,
    log,
    () => {},
  );
  const says = (words: string) =>
    until(words, async () => said.some(({ level, msg }) => level >= 40 && msg.includes(words)));
  try {
    await says('seconds apart from that of this machine: no bell rings');
    const [apart] = metrics.collect().flatMap(({ points }) => points.map(([, value]) => value as number));
    expect(Math.round(apart ?? 0)).toBe(90);
    expect(await last()).toBe(0);

    apartMs = 90_000;
    await expect(guard.check()).rejects.toThrow('seconds apart');
    apartMs = 0;
    clockwork.wake();
    await says('went forward by 10 days at once');
    expect(await last()).toBe(0);

    elapsedMs += 10 * dayMs;
    clockwork.wake();
    await until('all that is due', async () => (await last()) === 10);
  } finally {
    await clockwork.stop();
  }
});
