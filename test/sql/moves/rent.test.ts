// What a holder pays to stay, in real deposits over several nights. Rules 3.2, 4.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Account, anAccount, anotherAgent, refusal, useHill } from '../../support/hill/index.ts';

const rich = { credits: 100_000, daily_cap_cents: 100_000, max_stake_cents: 5000 };

describe('the rent of a place', () => {
  const hill = useHill();
  let ann: Account;
  let bob: Account;
  let carl: Account;

  beforeAll(async () => {
    ann = await anAccount(hill, rich);
    bob = await anotherAgent(hill, ann);
  });

  test('grows by 15 percent with each bell at which the account keeps it, rounded up, whichever of its agents plays', async () => {
    const rents: number[] = [];
    for (let night = 1; night <= 12; night++) {
      const { reserved_cents } = await hill.asAgent(night % 2 ? ann : bob).play({ slot: 4, move: 'PEACE' });
      rents.push(reserved_cents);
      await hill.clock.ringBell();
    }

    // Rules 3.2: the first night as a challenger, the second as a holder of 0 days held, then 1, 2, 3, …
    expect(rents).toEqual([300, 300, 345, 397, 457, 525, 604, 694, 799, 918, 1056, 1214]);
    expect(await hill.rows('select day, days_held from hill.seats where slot = 4 order by day')).toEqual(
      Array.from({ length: 12 }, (_, i) => ({ day: i + 1, days_held: i })),
    );
  });

  test('is for that place only: elsewhere the holder is a challenger', async () => {
    expect(await hill.asAgent(ann).play({ slot: 5, move: 'PEACE' })).toMatchObject({ reserved_cents: 300 });
    expect(await hill.asAgent(ann).play({ slot: 5, move: 'PASS' })).toMatchObject({ reserved_cents: 0 });
  });

  test('is not for WAR: a holder at war pays its stake, and its days held go on growing', async () => {
    expect(await hill.asAgent(ann).play({ slot: 4, move: 'WAR', stake_cents: 800 })).toMatchObject({
      reserved_cents: 800,
    });
    await hill.clock.ringBell();

    expect(await hill.rows('select days_held, via from hill.seats where day = 13')).toEqual([
      { days_held: 12, via: 'war' },
    ]);
    expect(await hill.asAgent(ann).play({ slot: 4, move: 'PEACE' })).toMatchObject({ reserved_cents: 1606 });
    await hill.asAgent(ann).play({ slot: 4, move: 'PASS' });
  });

  test('begins anew for an account that left its place for a night', async () => {
    await hill.clock.ringBell();

    expect(await hill.rows('select outcome from hill.place_results where day = 14 and slot = 4')).toEqual([
      { outcome: 'VACANT' },
    ]);
    expect(await hill.asAgent(ann).play({ slot: 4, move: 'PEACE' })).toMatchObject({ reserved_cents: 300 });
  });

  test('is taken whole from one who queued and was never served', async () => {
    const dora = await anAccount(hill, { credits: 2000 });
    carl = await anAccount(hill, { credits: 2000 });
    await hill.clock.tick();
    await hill.asAgent(carl).play({ slot: 4, move: 'PEACE' });
    await hill.clock.tick();
    await hill.asAgent(dora).play({ slot: 4, move: 'PEACE' });
    await hill.clock.ringBell();

    expect(await hill.rows('select account_id from hill.seats where day = 15 order by seat')).toEqual([
      { account_id: ann.id },
      { account_id: carl.id },
    ]);
    expect(await hill.asAgent(dora).ownState()).toMatchObject({ paid_cents: 1700 });
  });

  test('of a previous holder that left, and that the queue seats there again, starts at 0 days held', async () => {
    // ann and carl hold place 4. Two wars burn it; ann stays at peace; carl queues from place 5, which two others were
    // first to take.
    const [held] = await hill.rows<{ account_id: string }>(
      'select account_id from hill.seats where day = 15 and seat = 2',
    );
    const others = [await anAccount(hill, rich), await anAccount(hill, rich)];
    for (const other of others) {
      await hill.asAgent(other).play({ slot: 4, move: 'WAR', stake_cents: 800 });
      await hill.asAgent(other).play({ slot: 5, move: 'PEACE' });
    }
    await hill.asAgent(ann).play({ slot: 4, move: 'PEACE' });
    await hill.clock.tick();
    expect(held?.account_id).toBe(carl.id);
    await hill.asAgent(carl).play({ slot: 5, move: 'PEACE' });
    await hill.clock.ringBell();

    expect(
      await hill.rows('select account_id, days_held, via from hill.seats where day = 16 and slot = 4 order by seat'),
    ).toEqual([
      { account_id: ann.id, days_held: 1, via: 'holder' },
      { account_id: carl.id, days_held: 0, via: 'queue' },
    ]);
    expect(await hill.asAgent(carl).play({ slot: 4, move: 'PEACE' })).toMatchObject({ reserved_cents: 300 });
  });
});

describe('the price of a place held for very long', () => {
  const hill = useHill({ day: 2 });

  test.each([
    [271, 'OVER_DAILY_CAP'],
    [272, 'OVER_DAILY_CAP'],
    [100_000, 'OVER_DAILY_CAP'],
    [2_147_483_646, 'OVER_DAILY_CAP'],
  ])('is exact or a clean refusal (%i days)', async (days, code) => {
    await hill.clock.toDay(2);
    const ann = await anAccount(hill, { ...rich, daily_cap_cents: 100_000_000 });
    await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' });
    const slot = days % 9 === 1 ? 3 : 4;
    await hill.rows(
      `insert into hill.seats (day, slot, seat, account_id, agent_id, seq, days_held, via, points)
       values (engine.last_night(), $1, (select 1 + count(*) from hill.seats where slot = $1), $2, $3, -1, $4, 'holder', 1)`,
      [slot, ann.id, ann.agentId, days],
    );

    const refused = await refusal(hill.asAgent(ann).play({ slot, move: 'PEACE' }));

    expect(refused.code).toBe(code);
    if (days === 271) expect(String(refused.detail.cost_cents)).toMatch(/^\d{18,19}$/);
    else expect(refused.detail.cost_cents).toBeNull();
    // and the move elsewhere still can be made
    expect(await hill.asAgent(ann).play({ slot, move: 'WAR', stake_cents: 800 })).toMatchObject({
      reserved_cents: 800,
    });
  });
});
