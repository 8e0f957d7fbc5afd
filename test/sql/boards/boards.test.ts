// What the boards count, and in which order, one sentence at a time. Rules 5, 7.1.
import { describe, expect, test } from 'vitest';
import { aLivelyNight } from '../../support/hill/a-lively-night.ts';
import { type Account, anAccount, call, closeAccount, type Hill, useHill } from '../../support/hill/index.ts';
import { everythingPlayed, hillBoards, naiveBoards } from '../../support/naive/naive-boards.ts';

const rich = { credits: 1_000_000, daily_cap_cents: 100_000_000, max_stake_cents: 100_000_000 };
const names = (accounts: readonly Account[]) => (rows: readonly { account: string }[]) =>
  rows.map(({ account }) => accounts.find(({ id }) => id === account)?.name);
const war = (hill: Hill, account: Account, slot: number, stake_cents = 800) =>
  hill.asAgent(account).play({ slot, move: 'WAR', stake_cents });

describe('the leaderboard', () => {
  const hill = useHill();

  test('has everyone with a live move in 30 nights, house agents excluded; PASS is no live move', async () => {
    const [ann, bob, carl] = [await anAccount(hill, rich), await anAccount(hill, rich), await anAccount(hill, rich)];
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.asAgent(bob).play({ slot: 1, move: 'PEACE' });
    await hill.asAgent(carl).play({ slot: 1, move: 'PEACE' });
    await hill.asAgent(carl).play({ slot: 1, move: 'PASS' });
    await hill.clock.toLastMinute();
    await hill.asWorker().playHouse();
    await hill.clock.ringBell();

    const { leaderboard } = await hillBoards(hill);
    expect(leaderboard.map(({ account, points }) => [account, points])).toEqual([
      [ann.id, 5],
      [bob.id, 5],
    ]);
    expect(
      (await hill.rows('select 1 from hill.seats s join hill.accounts a on a.id = s.account_id where a.house')).length,
    ).toBeGreaterThan(0);
  });

  test('holds a move until the thirtieth night after it, not longer', async () => {
    await hill.clock.toDay(31);
    expect((await hillBoards(hill)).leaderboard.map(({ points }) => points)).toEqual([5, 5]);

    await hill.clock.toDay(32);
    expect(await hillBoards(hill)).toEqual({ leaderboard: [], wall: [], efficiency: [] });
  });
});

describe('ties', () => {
  const hill = useHill();

  test('on the leaderboard go by reputation, then seniority, then account', async () => {
    // bob and carl are of one instant, dora is younger; all have the same points in the end
    const ann = await anAccount(hill, { ...rich, name: 'warrior' });
    await hill.clock.tick();
    const twins = [
      await anAccount(hill, { ...rich, name: 'twin 1' }),
      await anAccount(hill, { ...rich, name: 'twin 2' }),
    ];
    await hill.clock.tick();
    const dora = await anAccount(hill, { ...rich, name: 'younger' });
    await war(hill, ann, 10);
    await hill.asAgent(dora).play({ slot: 9, move: 'PEACE' });
    await hill.clock.tick();
    for (const twin of twins) await hill.asAgent(twin).play({ slot: 9, move: 'PEACE' });
    await hill.clock.ringBell();

    // place 9 shared by two gives 1 point each, as place 10 does to one alone; the second twin came too late and has
    // none
    const { leaderboard } = await hillBoards(hill);
    expect(names([ann, dora, ...twins])(leaderboard)).toEqual(['twin 1', 'younger', 'warrior', 'twin 2']);
    expect(leaderboard.map(({ points, reputation }) => [points, reputation])).toEqual([
      [1, 1],
      [1, 1],
      [1, 0],
      [0, 1],
    ]);
  });

  test('go by one key, which orders as these three do', async () => {
    const [by] = await hill.rows<{ key: unknown; three: unknown }>(`
      select array_agg(row(r.*)::text order by engine.tie_order(r.reputation, r.since, r.account)) as key,
             array_agg(row(r.*)::text order by r.reputation desc, r.since, r.account) as three
        from (select distinct engine.reputation(p, w) as reputation, since, account
                from generate_series(0, 6) p
               cross join generate_series(0, 6) w
               cross join unnest(array['1066-10-14', '1999-12-31 23:59:59.999999', '2000-01-01', '2026-01-01 00:00:00.000001']::timestamptz[]) since
               cross join unnest(array['00000000-0000-0000-0000-000000000001', '7fffffff-ffff-ffff-ffff-ffffffffffff',
                                       '80000000-0000-0000-0000-000000000000']::uuid[]) account) r`);
    expect(by?.key).toHaveLength(25 * 4 * 3);
    expect(by?.key).toEqual(by?.three);
  });

  test('and points go by one number, as far as it tells them apart', async () => {
    const [by] = await hill.rows<{ number: unknown; key: unknown }>(`
      select array_agg(row(r.*)::text order by engine.order_head(engine.points_below(r.points), engine.reputation_below(r.reputation),
                                                                 r.since), r.since, r.account) as number,
             array_agg(row(r.*)::text order by engine.points_order(r.points, r.reputation, r.since, r.account)) as key
        from unnest('{0, 0.1, 0.3, 9, 599.9, 1000}'::numeric[]) points
       cross join unnest('{0, 0.000001, 0.333333, 0.999999, 1}'::numeric[]) reputation
       cross join unnest(array['1000-01-01', '1999-12-31 23:59:59.999999', '2000-01-01', '2026-01-01 00:00:00.000001',
                               '2026-01-01 00:02:08', '2999-12-31']::timestamptz[]) since
       cross join unnest(array['00000000-0000-0000-0000-000000000001', '80000000-0000-0000-0000-000000000000']::uuid[]) account
       cross join lateral (select points, reputation, since, account) r`);
    expect(by?.number).toHaveLength(6 * 5 * 6 * 2);
    expect(by?.number).toEqual(by?.key);
  });
});

describe('the Wall', () => {
  const hill = useHill();

  test('has the five with the largest real spend, ties by reputation and seniority; granted credits do not count', async () => {
    const accounts: Account[] = [];
    const add = async (name: string, credits: number, granted: number[] = []) => {
      await hill.clock.tick();
      const account = await anAccount(hill, { ...rich, name, credits, granted });
      accounts.push(account);
      return account;
    };
    const most = await add('most', 5000);
    const granted = await add('granted only', 0, [5000]);
    const mixed = await add('mixed', 5000, [300]);
    const tie = [
      await add('tied, at war', 5000),
      await add('tied, at peace', 5000),
      await add('tied, at peace, younger', 5000),
    ];
    const last = await add('last', 5000);
    await war(hill, most, 1, 2000);
    await war(hill, granted, 2, 3000);
    await war(hill, mixed, 3, 1300); // 300 of it granted: 1000 real
    await war(hill, tie[0] as Account, 4, 900);
    for (const slots of [[5, 6], [7]]) {
      for (const slot of slots)
        for (const account of tie.slice(1)) await hill.asAgent(account).play({ slot, move: 'PEACE' });
      await hill.asAgent(last).play({ slot: 8, move: 'PEACE' });
      await hill.clock.ringBell();
    }

    const { wall } = await hillBoards(hill);
    expect(names(accounts)(wall)).toEqual([
      'most',
      'mixed',
      'tied, at peace',
      'tied, at peace, younger',
      'tied, at war',
    ]);
    expect(wall.map(({ spent_cents }) => spent_cents)).toEqual([2000, 1000, 900, 900, 900]);
    expect(await hillBoards(hill)).toEqual(naiveBoards(await everythingPlayed(hill), 2));
  });
});

describe('efficiency', () => {
  const hill = useHill();

  test('ranks by the exact ratio, which four decimals do not show', async () => {
    const ann = await anAccount(hill, { ...rich, name: 'more points' });
    const bob = await anAccount(hill, { ...rich, name: 'a hair better' });
    await war(hill, ann, 1, 100_001); // 10 points: 0.00999990 a dollar
    await war(hill, bob, 2, 90_000); // 9 points: 0.01
    await hill.clock.ringBell();

    const { efficiency, leaderboard } = await hillBoards(hill);
    expect(names([ann, bob])(leaderboard)).toEqual(['more points', 'a hair better']);
    expect(names([ann, bob])(efficiency)).toEqual(['a hair better', 'more points']);
    expect(efficiency.map(({ points_per_dollar }) => points_per_dollar)).toEqual([0.01, 0.01]);
  });

  test('breaks ties by reputation and seniority, not by points', async () => {
    await hill.clock.toDay(40);
    const [fewer, more] = [
      await anAccount(hill, { ...rich, name: 'older, fewer points' }),
      await anAccount(hill, { ...rich, name: 'more points' }),
    ];
    await hill.clock.tick();
    const younger = await anAccount(hill, { ...rich, name: 'younger' });
    await war(hill, more, 1, 2000);
    await war(hill, younger, 3, 1600);
    await war(hill, fewer, 2, 1800);
    await hill.clock.ringBell();

    const { efficiency } = await hillBoards(hill);
    expect(efficiency.map(({ points_per_dollar }) => points_per_dollar)).toEqual([0.5, 0.5, 0.5]);
    expect(names([fewer, more, younger])(efficiency)).toEqual(['older, fewer points', 'more points', 'younger']);
    expect(await hillBoards(hill)).toEqual(naiveBoards(await everythingPlayed(hill), 40));
  });

  test('counts granted credits too, and needs 500 cents', async () => {
    await hill.clock.toDay(80);
    const [spent, given, little] = [
      await anAccount(hill, { ...rich, name: 'paid' }),
      await anAccount(hill, { ...rich, credits: 0, granted: [900], name: 'granted' }),
      await anAccount(hill, { ...rich, name: 'too little' }),
    ];
    await war(hill, spent, 1, 1000);
    await war(hill, given, 2, 900);
    await hill.asAgent(little).play({ slot: 3, move: 'PEACE' });
    await hill.clock.ringBell();

    const { efficiency, leaderboard } = await hillBoards(hill);
    expect(names([spent, given, little])(efficiency)).toEqual(['paid', 'granted']);
    expect(leaderboard).toHaveLength(3);
  });

  test('ranks the points top 100 only', async () => {
    await hill.clock.toDay(120);
    const accounts: Account[] = [];
    for (let i = 0; i < 104; i++) {
      const account = await anAccount(hill, { credits: 2000 });
      accounts.push(account);
      for (const slot of [1 + (i % 10), 1 + ((i + 3) % 10)]) await hill.asAgent(account).play({ slot, move: 'PEACE' });
    }
    await hill.clock.ringBell();

    const boards = await hillBoards(hill);
    expect(boards.leaderboard).toHaveLength(104);
    expect(boards.efficiency).toHaveLength(100);
    expect(boards).toEqual(naiveBoards(await everythingPlayed(hill), 120));
  });
});

describe('boards that the next bell overtakes', () => {
  const hill = useHill();

  test('are built anew, for the last night', async () => {
    const ann = await anAccount(hill, rich);
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.clock.ringBell();
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.clock.toMidnight();
    await hill.asWorker().ringNextBell();
    await hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 800 });

    // the board of night 2 waits for this lock in the middle of its work; the bell of night 3 needs none of it
    const reader = await hill.root.connect();
    await reader.query('begin; lock table hill.leaderboard in access exclusive mode');
    const built = hill.asWorker().buildBoards();
    await expect
      .poll(() =>
        hill.rows("select 1 as waiting from pg_locks where relation = 'hill.leaderboard'::regclass and not granted"),
      )
      .toEqual([{ waiting: 1 }]);
    await hill.clock.toMidnight();
    expect(await hill.asWorker().ringNextBell()).toMatchObject({ day: 3 });
    await reader.query('commit');
    reader.release();

    expect(await built).toBe(3);
    expect(await hill.rows('select day from hill.boards order by 1')).toEqual([{ day: 1 }, { day: 3 }]);
    expect(await hillBoards(hill)).toEqual(naiveBoards(await everythingPlayed(hill), 3));
  });

  test('keep readers from the old ones for no longer than it takes to put the new ones there', async () => {
    await hill.clock.ringBell();
    await hill.clock.toMidnight();
    await hill.asWorker().ringNextBell();

    // the board of night 5 waits for this lock, which no reader needs, to be put there; that of night 3 goes when it
    // comes
    const writer = await hill.root.connect();
    await writer.query('begin; lock table hill.leaderboard in share update exclusive mode');
    const built = hill.asWorker().buildBoards();
    await expect
      .poll(() =>
        hill.rows("select 1 as waiting from pg_locks where relation = 'hill.leaderboard'::regclass and not granted"),
      )
      .toEqual([{ waiting: 1 }]);
    const read = await hill
      .asRoot((client) => client.query("set statement_timeout = '5s'; select api_public.leaderboard(10, null)"))
      .then(
        () => 'read',
        ({ code }) => code,
      );
    await writer.query('commit');
    writer.release();
    expect([read, await built]).toEqual(['read', 5]);
  });
});

describe('the picture of the last nights', () => {
  const hill = useHill();
  interface Ribbon {
    readonly day: number;
    readonly nights: { day: number; places: { slot: number; outcome: string | null; seats: [string, string][] }[] }[];
    readonly holders: {
      accountId: string;
      name: string;
      slug: string;
      house: boolean;
      seats: number;
      points: number;
    }[];
  }
  const ribbon = () => call<Ribbon>(hill.as('web'), 'api_public.ribbon');

  test('is empty before any night', async () => {
    expect(await ribbon()).toEqual({ day: 0, window_nights: 30, nights: [], holders: [], stories: [] });
  });

  test('has of each night who sits where and how, what is not open yet, and who had most points', async () => {
    await hill.root.query('update hill.places set opens_day = 2 where slot = 10');
    const { ann, bob, cid, dan, eve } = await aLivelyNight(hill);
    const { day, nights, holders } = await ribbon();
    const rest = [4, 5, 6, 7, 8, 9].map((slot) => ({ slot, outcome: 'VACANT', seats: [] }));
    expect([day, nights]).toEqual([
      1,
      [
        {
          day: 1,
          places: [
            { slot: 1, outcome: 'PEACE', seats: [ann, bob].map(({ id }) => [id, 'peace']) },
            { slot: 2, outcome: 'WAR', seats: [[dan.id, 'war']] },
            { slot: 3, outcome: 'BURN', seats: [cid, eve].map(({ id }) => [id, 'queue']) },
            ...rest,
            { slot: 10, outcome: null, seats: [] },
          ],
        },
      ],
    ]);
    expect(holders[0]).toEqual({ accountId: dan.id, name: 'Dan', slug: 'dan', house: false, seats: 1, points: 9 });
    expect(holders.map(({ points }) => points)).toEqual([9, 5, 5, 4, 4]);

    await closeAccount(hill, eve);
    expect((await ribbon()).holders.find(({ accountId }) => accountId === eve.id)).toMatchObject({
      name: 'Closed account',
      slug: expect.stringMatching(/^closed-/),
    });
  });

  test('has the nights of the window alone', async () => {
    await hill.clock.toDay(40);
    const { nights, holders } = await ribbon();
    expect([nights.length, nights[0]?.day, nights.at(-1)?.day, holders]).toEqual([30, 10, 39, []]);
  });
});
