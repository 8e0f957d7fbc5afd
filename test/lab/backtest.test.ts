// A backtest on nights of the demonstration's population. HILL_TEST_BACKTEST_NIGHTS=30 plays so many.
import path from 'node:path';
import { expect, test } from 'vitest';
import { nightsOf, testOn } from '../../src/lab/backtest.ts';
import { Replay } from '../../src/lab/replay.ts';
import { loadStrategy } from '../../src/lab/strategies.ts';
import { asSuperuser, bare, openLaboratory } from '../../src/lab/template.ts';
import { servedAt } from '../../src/verify/reading.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aPopulation, everybody } from '../support/hill/a-demo-season.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();
const web = useWebDoor(hill, undefined, { HILL_LIMIT_READS: '1000000/60' });
const days = Number(process.env.HILL_TEST_BACKTEST_NIGHTS ?? 4);

const earned = `
  select s.day, s.account_id, s.granted_cents + s.paid_cents as cents,
         coalesce((select sum(e.points) from hill.seats e where e.day = s.day and e.account_id = s.account_id), 0) as points
    from hill.settlements s where s.day >= $1 order by 1, 2`;

test('played again, each account has its real points and cents; with another strategy, others keep their moves', {
  timeout: 3_600_000,
}, async () => {
  const accounts = await aPopulation(hill);
  await hill.clock.ringBell();
  const [{ first } = { first: 0 }] = await hill.rows<{ first: number }>('select engine.today() as first');
  for (let day = first; day < first + days; day++) {
    await hill.asWorker().playHouse();
    await hill.clock.at('09:00');
    await everybody(hill, web.baseUrl, accounts, day, 'announce');
    await everybody(hill, web.baseUrl, accounts, day, 'play');
    await hill.clock.ringBell();
  }
  const nights = await nightsOf(servedAt(web.baseUrl));

  const laboratory = await openLaboratory();
  try {
    await asSuperuser(laboratory, bare, async (db) => {
      const replay = await Replay.begin(db);
      const judged = await db.query(
        `select lab.judge('WAR', s, 0, false, 0, 0, 0, 0, 1000, 1500)::text as it from unnest('{799,800,1001}'::bigint[]) s`,
      );
      expect(judged.rows.map(({ it }) => it)).toEqual(['(799,INVALID_STAKE)', '(800,)', '(1001,OVER_DAILY_CAP)']);
      for (const night of nights) expect(await replay.follow(night), `night ${night.day}`).toEqual([]);
      const { rows } = await db.query(earned, [first]);
      expect(rows.length).toBeGreaterThan(10 * days);
      expect(JSON.stringify(rows)).toBe(JSON.stringify((await hill.root.query(earned, [first])).rows));
    });
  } finally {
    await laboratory.stop();
  }

  const hawk = await loadStrategy({ name: 'hawk', what: path.join(import.meta.dirname, 'strategies', 'hawk.ts') }, 60);
  const mandate = { dailyCapCents: 1_000, maxStakeCents: 1_500 };
  const asked = { first: first + 1, last: null, account: accounts[0]?.id as string };
  const { mine, real, fixed } = await testOn(nights, hawk, mandate, asked, { show: () => {} });
  expect(mine.cents).toBe(800 * (days - 1));
  expect(mine.nights).toEqual(fixed.find(({ name }) => name === 'WAR on 1')?.nights);
  const [row] = await hill.rows<{ cents: number }>(
    'select sum(granted_cents + paid_cents)::int as cents from hill.settlements where account_id = $1 and day > $2',
    [asked.account, first],
  );
  expect(real?.cents).toBe(row?.cents);
});
