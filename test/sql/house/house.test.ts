// House agents keep a new hill alive and give way to guests. Rules 1.3, 7.
import { describe, expect, test } from 'vitest';
import { type Account, anAccount, balanced, books, call, type Hill, useHill } from '../../support/hill/index.ts';
import { hillBoards } from '../../support/naive/naive-boards.ts';

const all = Array.from({ length: 10 }, (_, i) => i + 1);

const sealed = (hill: Hill) =>
  hill.rows<{ slot: number; house: boolean }>(
    'select m.slot, a.house from hill.sealed_moves m join hill.accounts a on a.id = m.account_id order by m.slot, a.house',
  );
const seatsOfHouse = async (hill: Hill, day: number) =>
  (
    await hill.rows<{ slot: number }>(
      'select slot from hill.seats s join hill.accounts a on a.id = s.account_id where a.house and s.day = $1 order by 1',
      [day],
    )
  ).map(({ slot }) => slot);
/** The whole day of the house: what it says, what it deposits, and the bell. */
const aDay = async (hill: Hill) => {
  await hill.asWorker().playHouse();
  await hill.clock.toLastMinute();
  await hill.asWorker().playHouse();
  return hill.clock.ringBell();
};

describe('the house', () => {
  const hill = useHill({ founders: 1 });

  test("does not play on the founders' nights", async () => {
    await hill.clock.toLastMinute();
    expect(await hill.asWorker().playHouse()).toBe(0);
    expect(await hill.rows('select 1 from hill.accounts where house')).toEqual([]);
  });

  test('says from launch day on what it will play, and deposits nothing before the last minute', async () => {
    await hill.clock.toDay(2);
    expect(await hill.asWorker().playHouse()).toBe(0);
    expect(await hill.rows('select slot, intention from hill.announcements where day = 2 order by 1')).toEqual(
      all.map((slot) => ({ slot, intention: 'PEACE' })),
    );

    for (const time of ['12:00', '22:30', '23:58:59.999999']) {
      await hill.clock.at(time);
      expect(await hill.asWorker().playHouse(), time).toBe(0);
    }
    expect(await hill.rows('select 1 from hill.sealed_moves')).toEqual([]);
    expect(await hill.rows('select 1 from hill.lots')).toEqual([]);
  });

  test('deposits PEACE on every place in the last minute: an account for each, each with a lot of what the day costs', async () => {
    await hill.clock.at('23:59');

    expect(await hill.asWorker().playHouse()).toBe(10);
    const moves = await hill.rows(
      'select m.slot, m.move, m.cost_cents, a.house, l.cents from hill.sealed_moves m join hill.accounts a on a.id = m.account_id join hill.lots l on l.account_id = a.id order by 1',
    );
    expect(moves).toEqual(all.map((slot) => ({ slot, move: 'PEACE', cost_cents: 300, house: true, cents: 300 })));
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('does so once a day, however often and by however many it is called', async () => {
    expect(await Promise.all([1, 2, 3].map(() => hill.asWorker().playHouse()))).toEqual([0, 0, 0]);
    expect(await hill.rows('select count(*) from hill.lots')).toEqual([{ count: 10 }]);
  });

  test('waits while the bell rings', async () => {
    await hill.clock.toMidnight();
    expect(await hill.asWorker().playHouse()).toBe(0);

    await hill.clock.ringBell();
    expect(await seatsOfHouse(hill, 2)).toEqual(all);
    expect(await hill.rows('select distinct verdict from hill.announcements')).toEqual([{ verdict: 'kept' }]);
  });

  test('stays on a place for three nights running at most, and never leaves all places at once', async () => {
    const nights: number[][] = [];
    for (let day = 3; day <= 20; day++) {
      await aDay(hill);
      nights.push(await seatsOfHouse(hill, day));
    }

    expect(
      await hill.rows(
        'select max(days_held) as days from hill.seats s join hill.accounts a on a.id = s.account_id where a.house',
      ),
    ).toEqual([{ days: 2 }]);
    expect(Math.min(...nights.map((slots) => slots.length))).toBeGreaterThanOrEqual(5);
    for (const slot of all)
      expect(new Set(nights.map((slots) => slots.includes(slot))), `place ${slot}`).toEqual(new Set([true, false]));
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('a day whose last minute nobody saw has no house in it, and the next one has', async () => {
    await hill.asWorker().playHouse();
    const { day } = await hill.clock.ringBell();
    expect(await seatsOfHouse(hill, day)).toEqual([]);
    expect(await hill.rows('select distinct verdict from hill.announcements where day = $1', [day])).toEqual([
      { verdict: 'ghosted' },
    ]);

    await aDay(hill);
    expect(await seatsOfHouse(hill, day + 1)).toEqual(all);
  });

  test('plays on no place that is not open', async () => {
    await hill.clock.ringBell();
    await hill.rows('update hill.places set opens_day = 1000 where slot in (4, 5, 6, 7)');
    await hill.clock.toLastMinute();

    expect(await hill.asWorker().playHouse()).toBe(6);
    expect((await sealed(hill)).map(({ slot }) => slot)).toEqual([1, 2, 3, 8, 9, 10]);
  });

  test('plays without the one whose agent staff cut', async () => {
    await hill.clock.ringBell();
    const due = await hill.rows<{ slot: number; agent_id: string }>(
      'select h.slot, (h.actor).agent_id from engine.house_moves(engine.today()) h',
    );
    const [{ slot: cut, agent_id }, ...others] = due as [(typeof due)[0], ...typeof due];
    await hill.asStaff().call('api_staff.cut_agent', { agent_id, reason: 'a test' });
    await hill.clock.toLastMinute();

    expect(await hill.asWorker().playHouse(), `without place ${cut}`).toBe(others.length);
    expect((await sealed(hill)).map(({ slot }) => slot)).toEqual(others.map(({ slot }) => slot));
  });

  test('is on no board, and pays nothing with money', async () => {
    await hill.clock.ringBell();

    expect(await hillBoards(hill)).toEqual({ leaderboard: [], wall: [], efficiency: [] });
    expect(
      await hill.rows(
        'select sum(s.paid_cents)::int as paid from hill.settlements s join hill.accounts a on a.id = s.account_id where a.house',
      ),
    ).toEqual([{ paid: 0 }]);
  });
});

describe('the house and a guest', () => {
  const hill = useHill();

  test('it leaves a place that a guest holds, and comes back when it is free, never on the night after an eviction', async () => {
    const guest = await anAccount(hill, { credits: 50_000, daily_cap_cents: 5000 });
    const onOne = async () => (await sealed(hill)).filter(({ slot }) => slot === 1);
    await aDay(hill);
    await hill.asAgent(guest).play({ slot: 1, move: 'WAR', stake_cents: 800 });
    const { day } = await aDay(hill);
    expect(
      (await hill.rows('select 1 from hill.place_results where day = $1 and slot = 1 and outcome = $2', [day, 'WAR']))
        .length,
    ).toBe(1);

    // Even if the place were free: only the eviction keeps it away here.
    await hill.asRoot(async (root) => {
      await root.query('begin; set local session_replication_role = replica');
      await root.query('delete from hill.seats where day = $1 and slot = 1', [day]);
      const { rows } = await root.query<{ slot: number }>('select slot from engine.house_moves($1)', [day + 1]);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.map(({ slot }) => slot)).not.toContain(1);
      await root.query('rollback');
    });

    await hill.asAgent(guest).play({ slot: 1, move: 'PEACE' });
    await hill.clock.toLastMinute();
    await hill.asWorker().playHouse();
    expect(await onOne()).toEqual([{ slot: 1, house: false }]);
    await hill.clock.ringBell(); // the guest holds it still, plays nothing tonight, and has left it tomorrow
    await hill.clock.toLastMinute();
    await hill.asWorker().playHouse();
    expect(await onOne()).toEqual([]);
    await hill.clock.ringBell();
    await hill.clock.toLastMinute();
    await hill.asWorker().playHouse();
    expect(await onOne()).toEqual([{ slot: 1, house: true }]);
  });

  test('counts like any other in the night: its PEACE shares a place, and its seat is taken by WAR', async () => {
    await hill.clock.ringBell();
    const [peaceful, warrior] = [await anAccount(hill, { credits: 5000 }), await anAccount(hill, { credits: 5000 })];
    await hill.asWorker().playHouse();
    const [first = 0, second = 0] = (
      await hill.rows<{ slot: number }>('select slot from engine.house_moves($1)', [await hill.clock.day()])
    ).map(({ slot }) => slot);
    await hill.asAgent(peaceful).play({ slot: first, move: 'PEACE' });
    await hill.asAgent(warrior).play({ slot: second, move: 'WAR', stake_cents: 800 });
    const { day } = await aDay(hill);

    const seats = await hill.rows(
      'select s.slot, a.house, s.points::float from hill.seats s join hill.accounts a on a.id = s.account_id where s.day = $1 and s.slot = any ($2) order by s.slot, a.house',
      [day, [first, second]],
    );
    expect(seats).toEqual([
      { slot: first, house: false, points: (11 - first) / 2 },
      { slot: first, house: true, points: (11 - first) / 2 },
      { slot: second, house: false, points: 11 - second },
    ]);
  });
});

describe('the house among equals', () => {
  const hill = useHill();
  const guests: Account[] = [];

  test('comes last: its accounts count as made at that bell, in the stored night and in its file', async () => {
    await aDay(hill); // the house is older than every guest, and has a reputation of 1
    for (let i = 0; i < 9; i++) {
      await hill.clock.tick();
      guests.push(await anAccount(hill, { credits: 50_000, daily_cap_cents: 5000 }));
    }
    const [warOne, warTwo, peaceful] = guests as [Account, Account, Account];
    await hill.asAgent(peaceful).play({ slot: 9, move: 'PEACE' });
    await aDay(hill); // now it has, too
    // Place 5 burns; the house of a place that goes to war, and one guest, are in the queue with equal reputation.
    const taken = (await hill.rows<{ slot: number }>('select slot from engine.house_moves(3)'))
      .map(({ slot }) => slot)
      .filter((s) => s !== 5 && s !== 9);
    const [slot = 0] = taken;
    await hill.asAgent(warOne).play({ slot: 5, move: 'WAR', stake_cents: 800 });
    await hill.asAgent(warTwo).play({ slot: 5, move: 'WAR', stake_cents: 800 });
    await hill.asAgent(warOne).play({ slot, move: 'WAR', stake_cents: 800 });
    await hill.asAgent(peaceful).play({ slot, move: 'PEACE' });
    const { day } = await aDay(hill);

    const entries = await hill.rows<{ house: boolean; reputation: number; since: string }>(
      `select a.house, n.reputation::float as reputation, engine.iso(n.since) as since
         from engine.night_queue(engine.stored_night($1), engine.published_resolution($1)) q
         join hill.accounts a on a.id = q.account
         join engine.night_accounts(engine.stored_night($1)) n on n.account = q.account order by q.place`,
      [day],
    );
    expect(entries.map(({ house, reputation }) => [house, reputation])).toEqual([
      [false, 1],
      [true, 1],
    ]);
    const [bell] = await hill.rows<{ at: string }>('select engine.iso(bell_at) as at from hill.nights where day = $1', [
      day,
    ]);
    expect(entries[1]?.since).toBe(bell?.at);
    const [file] = await hill.rows<{ same: boolean }>(
      `select engine.resolve_night(engine.night_json(engine.stored_night($1)))
              = engine.resolution_json(engine.stored_night($1), engine.published_resolution($1)) as same`,
      [day],
    );
    expect(file).toEqual({ same: true });
    // the file says which they are, page by page too, and without that it resolves to the same
    const marked = await hill.rows<{ house: boolean; told: boolean; paged: boolean }>(
      `select a.house, (x.value ->> 'house')::boolean as told, (p.value ->> 'house')::boolean as paged
         from jsonb_array_elements(engine.night_json(engine.stored_night($1)) -> 'accounts') x (value)
         join (select e::jsonb from engine.night_account_page($1, null, 1000) n, unnest(n.entries) e) p (value) on p.value ->> 'account' = x.value ->> 'account'
         join hill.accounts a on a.id::text = x.value ->> 'account'`,
      [day],
    );
    expect(new Set(marked.map(({ house }) => house))).toEqual(new Set([true, false]));
    expect(marked.filter(({ house, told, paged }) => house !== told || house !== paged)).toEqual([]);
    const [bare] = await hill.rows<{ same: boolean }>(
      `select engine.resolve_night(jsonb_set(n.file, '{accounts}', (select jsonb_agg(a - 'house') from jsonb_array_elements(n.file -> 'accounts') a)))
              = engine.resolve_night(n.file) as same from (select engine.night_json(engine.stored_night($1)) as file) n`,
      [day],
    );
    expect(bare).toEqual({ same: true });
  });

  test('and the checks of a DBA find nothing wrong with it', async () => {
    expect(await hill.rows('select name from engine.check_reputations() where wrong > 0')).toEqual([]);
    await hill.asRoot(async (root) => {
      await root.query('set session_replication_role = replica');
      await root.query("update hill.settlements_000003 set since = since + interval '1 second'");
      const { rows } = await root.query("select wrong from engine.check_reputations() where name ~ 'seniority'");
      expect(rows[0].wrong).toBeGreaterThan(0);
      await root.query("update hill.settlements_000003 set since = since - interval '1 second'");
    });
  });

  test('rests after a night on which ten guests moved, and not after nine', async () => {
    await hill.clock.ringBell();
    const ten = [...guests, await anAccount(hill, { credits: 50_000, daily_cap_cents: 5000 })];
    const night = async (players: Account[]) => {
      for (const [i, guest] of players.entries()) await hill.asAgent(guest).play({ slot: 1 + (i % 5), move: 'PEACE' });
      return (await aDay(hill)).day;
    };
    const nine = await night(ten.slice(0, 9));
    expect((await hill.rows('select 1 from engine.house_moves($1)', [nine + 1])).length).toBeGreaterThan(0);
    const full = await night(ten);
    await hill.asWorker().playHouse();
    await hill.clock.toLastMinute();

    expect(await hill.asWorker().playHouse()).toBe(0);
    expect(await hill.rows('select 1 from hill.announcements where day = $1', [full + 1])).toEqual([]);
    await hill.clock.ringBell();
    await hill.clock.toLastMinute();
    expect(await hill.asWorker().playHouse()).toBeGreaterThan(0);
  });
});

describe('where a simulated clock runs fast', () => {
  const hill = useHill();
  const from = async (rate: number) => {
    await hill.rows('update hill.settings set rate = $1', [rate]);
    const [{ seconds } = {}] = await hill.rows<{ seconds: number }>(
      'select extract(epoch from engine.bell_at(1) - engine.house_deposits_from(1))::float as seconds',
    );
    return seconds;
  };

  test('the last minute is two real seconds long, and a day at most', async () => {
    expect([await from(0), await from(1), await from(1440), await from(172_800)]).toEqual([60, 60, 2880, 86_400]);
  });
});

describe('what a move would earn beside the house', () => {
  const hill = useHill();
  const foretold = async (guest: Account) =>
    (
      await call<{ places: { slot: number; peace_points: number }[] }>(hill.as('web'), 'api_agent.status', {
        token: guest.token,
      })
    ).places.map(({ peace_points }) => peace_points);

  interface Option {
    move: string;
    if_holders_stay: { points: number };
  }
  const explored = async (guest: Account) =>
    (
      await call<{ places: { options: Option[] }[] }>(hill.as('web'), 'api_agent.explore', { token: guest.token })
    ).places.map(({ options }) => options.find(({ move }) => move === 'PEACE')?.if_holders_stay.points);

  test.for([1, 2])('is what the bell makes of it: half where it comes or stays, all where it leaves (%i)', async () => {
    for (let day = 0; day < 3; day++) await aDay(hill); // no guest is there any more
    await hill.asWorker().playHouse();
    const today = await hill.clock.day();
    const held = await seatsOfHouse(hill, today - 1);
    const said = (await hill.rows<{ slot: number }>('select slot from hill.announcements where day = $1', [today])).map(
      ({ slot }) => slot,
    );
    const [left, comes, stays] = [
      held.filter((slot) => !said.includes(slot)),
      said.filter((slot) => !held.includes(slot)),
      said.filter((slot) => held.includes(slot)),
    ].map(([slot]) => slot);
    const [one, two] = [await anAccount(hill, { credits: 2000 }), await anAccount(hill, { credits: 2000 })];
    const expected = await foretold(one);
    expect(await explored(one)).toEqual(expected);
    const chosen = [left, comes].filter((slot) => slot !== undefined);
    expect(chosen.length + (stays === undefined ? 0 : 1)).toBeGreaterThan(1);
    for (const slot of chosen) await hill.asAgent(one).play({ slot, move: 'PEACE' });
    if (stays !== undefined) await hill.asAgent(two).play({ slot: stays, move: 'PEACE' });
    await hill.clock.toLastMinute();
    await hill.asWorker().playHouse();
    await hill.clock.ringBell();

    const earned = await hill.rows<{ slot: number; points: number }>(
      'select slot, points::float from hill.seats where day = $1 and account_id = any ($2)',
      [today, [one.id, two.id]],
    );
    expect(Object.fromEntries(earned.map(({ slot, points }) => [slot, points]))).toEqual(
      Object.fromEntries(
        [...chosen, ...(stays === undefined ? [] : [stays])].map((slot) => [slot, expected[slot - 1]]),
      ),
    );
  });
});
