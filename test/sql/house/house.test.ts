// House agents keep a new hill alive and give way to guests. Specification 2.2, 2.7; decisions 1, 4.
import { describe, expect, test } from 'vitest';
import { anAccount, balanced, books, useHill } from '../../support/index.ts';
import { hillBoards } from '../../support/naive-boards.ts';

const all = Array.from({ length: 10 }, (_, i) => i + 1);

describe('the house', () => {
  const hill = useHill({ founders: 1 });
  const held = async (day: number) =>
    (
      await hill.rows<{ slot: number }>(
        'select slot from hill.seats s join hill.accounts a on a.id = s.account_id where a.house and s.day = $1 order by 1',
        [day],
      )
    ).map(({ slot }) => slot);

  test("does not play on the founders' nights", async () => {
    expect(await hill.asWorker().playHouse()).toBe(0);
    expect(await hill.rows('select 1 from hill.accounts where house')).toEqual([]);
  });

  test('plays PEACE on every place from launch day on: an account for each, each with a lot of what the day costs', async () => {
    await hill.clock.toDay(2);

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
    expect(await held(2)).toEqual(all);
  });

  test('stays on a place for three nights running at most, and never leaves all places at once', async () => {
    const nights: number[][] = [];
    for (let day = 3; day <= 20; day++) {
      await hill.asWorker().playHouse();
      await hill.clock.ringBell();
      nights.push(await held(day));
    }

    expect(
      await hill.rows('select max(days_held) as days from hill.seats s join hill.accounts a on a.id = s.account_id where a.house'),
    ).toEqual([{ days: 2 }]);
    expect(Math.min(...nights.map((slots) => slots.length))).toBeGreaterThanOrEqual(5);
    for (const slot of all) expect(new Set(nights.map((slots) => slots.includes(slot))), `place ${slot}`).toEqual(new Set([true, false]));
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('leaves a place that a guest holds, and comes back when it is free', async () => {
    const guest = await anAccount(hill, { credits: 50_000, daily_cap_cents: 5000 });
    await hill.asWorker().playHouse();
    await hill.asAgent(guest).play({ slot: 1, move: 'WAR', stake_cents: 800 });
    await hill.clock.ringBell();
    await hill.asWorker().playHouse();
    await hill.asAgent(guest).play({ slot: 1, move: 'PEACE' });

    expect(await hill.rows('select a.house from hill.sealed_moves m join hill.accounts a on a.id = m.account_id where m.slot = 1')).toEqual(
      [{ house: false }],
    );
    await hill.clock.ringBell(); // the guest holds it still, plays nothing tonight, and has left it tomorrow
    await hill.asWorker().playHouse();
    expect(await hill.rows('select 1 from hill.sealed_moves where slot = 1')).toEqual([]);
    await hill.clock.ringBell();
    await hill.asWorker().playHouse();
    expect(await hill.rows('select a.house from hill.sealed_moves m join hill.accounts a on a.id = m.account_id where m.slot = 1')).toEqual(
      [{ house: true }],
    );
  });

  test('plays on no place that is not open', async () => {
    await hill.clock.ringBell();
    await hill.rows('update hill.places set opens_day = 1000 where slot in (4, 5, 6, 7)');
    await hill.asWorker().playHouse();

    expect(await hill.rows('select 1 from hill.sealed_moves where slot in (4, 5, 6, 7)')).toEqual([]);
  });

  test('is on no board, and pays nothing with money', async () => {
    await hill.clock.ringBell();

    const { leaderboard, wall, efficiency } = await hillBoards(hill);
    expect([leaderboard.length, wall.length, efficiency.length]).toEqual([1, 1, 1]);
    expect(
      await hill.rows(
        'select sum(s.paid_cents)::int as paid from hill.settlements s join hill.accounts a on a.id = s.account_id where a.house',
      ),
    ).toEqual([{ paid: 0 }]);
  });

  test('counts like any other in the night: its PEACE shares a place, and its seat is taken by WAR', async () => {
    const [peaceful, warrior] = [await anAccount(hill, { credits: 5000 }), await anAccount(hill, { credits: 5000 })];
    await hill.asWorker().playHouse();
    const [two] = await hill.rows<{ slots: number[] }>('select array_agg(slot order by slot) as slots from hill.sealed_moves');
    const [first, second] = two?.slots ?? [];
    await hill.asAgent(peaceful).play({ slot: first ?? 0, move: 'PEACE' });
    await hill.asAgent(warrior).play({ slot: second ?? 0, move: 'WAR', stake_cents: 800 });
    const { day } = await hill.clock.ringBell();

    const seats = await hill.rows(
      'select s.slot, a.house, s.points::float from hill.seats s join hill.accounts a on a.id = s.account_id where s.day = $1 and s.slot = any ($2) order by s.slot, s.seat',
      [day, [first, second]],
    );
    expect(seats).toEqual([
      { slot: first, house: true, points: (11 - (first ?? 0)) / 2 },
      { slot: first, house: false, points: (11 - (first ?? 0)) / 2 },
      { slot: second, house: false, points: 11 - (second ?? 0) },
    ]);
  });
});
