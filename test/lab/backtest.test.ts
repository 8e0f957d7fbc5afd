// A backtest on nights of the demonstration's population. HILL_TEST_BACKTEST_NIGHTS=30 plays so many.
import path from 'node:path';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { nightsOf, testOn } from '../../src/lab/backtest.ts';
import { type RealNight, Replay } from '../../src/lab/replay.ts';
import { loadStrategy } from '../../src/lab/strategies.ts';
import { asSuperuser, bare, openLaboratory } from '../../src/lab/template.ts';
import type { Decision, View } from '../../src/strategies/strategy.ts';
import { servedAt } from '../../src/verify/reading.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aPopulation, everybody } from '../support/hill/a-demo-season.ts';
import { type Account, call, useHill } from '../support/hill/index.ts';

const hill = useHill();
const web = useWebDoor(hill, undefined, { HILL_LIMIT_READS: '1000000/60' });
const days = Number(process.env.HILL_TEST_BACKTEST_NIGHTS ?? 4);

const mandate = { dailyCapCents: 1_000, maxStakeCents: 1_500 };

type Status = { account: { moves: { slot: number; move: 'PEACE' | 'WAR'; stake_cents?: number }[] } };

/** What the tool says to each account, when all that is public of the day is known. */
async function told(accounts: readonly Account[]): Promise<Status[]> {
  await call(hill.as('worker'), 'api_worker.keep_prospects');
  return Promise.all(accounts.map(({ token }) => call<Status>(hill.as('web'), 'api_agent.status', { token })));
}

/** Before the real moves of each account, and after them. */
async function adviceIsAsItWas(
  db: pg.Client,
  replay: Replay,
  night: RealNight,
  accounts: readonly Account[],
  [before = [], after = []]: Status[][],
) {
  const all = new Set<string>();
  for (const [n, { id }] of accounts.entries()) {
    const since = night.file.accounts.find(({ account }) => account === id)?.since;
    if (since === undefined) continue;
    const advice: View['advice'][] = [];
    const decide = ({ hour, advice: given }: View): Decision => {
      advice.push(given);
      return hour === 10
        ? {
            moves:
              after[n]?.account.moves.map(({ slot, move, stake_cents = 0 }) => ({ slot, move, stake_cents })) ?? [],
          }
        : {};
    };
    const probe = { name: 'probe', title: 'Probe', way: 'looks', hours: [10, 11], advised: true, decide };
    await replay.trying(() => replay.play(night, probe, { account: id, since, ...mandate }));
    const { rows } = await db.query('select lab.advice_of(s) as advice from unnest($1::jsonb[]) s', [
      [before[n], after[n]],
    ]);
    expect(advice, `account ${n}`).toEqual(rows.map((row) => row.advice));
    for (const one of advice) all.add(JSON.stringify(one));
  }
  expect(all.size).toBeGreaterThan(3);
}

const earned = `
  select s.day, s.account_id, s.granted_cents + s.paid_cents as cents,
         coalesce((select sum(e.points) from hill.seats e where e.day = s.day and e.account_id = s.account_id), 0) as points
    from hill.settlements s where s.day >= $1 order by 1, 2`;

test('played again, each account has its real points and cents; with another strategy, others keep their moves', async () => {
  const accounts = await aPopulation(hill);
  await hill.clock.ringBell();
  const looked: Status[][] = [];
  const [{ first } = { first: 0 }] = await hill.rows<{ first: number }>('select engine.today() as first');
  for (let day = first; day < first + days; day++) {
    await hill.asWorker().playHouse();
    await hill.clock.at('09:00');
    await everybody(hill, web.baseUrl, accounts, day, 'announce');
    const before = day === first + days - 1 ? await told(accounts) : [];
    await everybody(hill, web.baseUrl, accounts, day, 'play');
    if (before.length > 0) looked.push(before, await told(accounts));
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
      for (const night of nights.slice(0, -1)) expect(await replay.follow(night), `night ${night.day}`).toEqual([]);
      const last = nights.at(-1) as RealNight;
      await adviceIsAsItWas(db, replay, last, accounts, looked);
      expect(await replay.follow(last), `night ${last.day}`).toEqual([]);
      const { rows } = await db.query(earned, [first]);
      expect(rows.length).toBeGreaterThan(10 * days);
      expect(JSON.stringify(rows)).toBe(JSON.stringify((await hill.root.query(earned, [first])).rows));
    });
  } finally {
    await laboratory.stop();
  }

  const hawk = await loadStrategy({ name: 'hawk', what: path.join(import.meta.dirname, 'strategies', 'hawk.ts') }, 60);
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
