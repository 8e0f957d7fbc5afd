// When the hill, and each of its places, is open to whom. Rules 2.7, 2.8.
import { describe, expect, test } from 'vitest';
import { type Account, anAccount, refusal, useHill } from '../../support/hill/index.ts';

describe('before day 1', () => {
  const hill = useHill({ day: 0 });

  test('the hill is open to nobody, and says from when', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    const founder = await anAccount(hill, { credits: 2000, founder: true });

    expect(await hill.clock.day()).toBe(0);
    for (const who of [ann, founder]) {
      expect(await refusal(hill.asAgent(who).play({ slot: 1, move: 'PEACE' }))).toMatchObject({
        code: 'HILL_NOT_OPEN',
        detail: { opensAt: '2026-03-01T00:00:00.000000Z' },
      });
      expect((await refusal(hill.asAgent(who).announce({ slot: 1, intention: 'PEACE' }))).code).toBe('HILL_NOT_OPEN');
    }
  });

  test('no bell is due', async () => {
    expect(await hill.asWorker().ringNextBell()).toBeNull();
  });
});

describe("founders' nights", () => {
  const hill = useHill({ founders: 2 });
  let founder: Account;
  let guest: Account;
  const notOpen = { code: 'HILL_NOT_OPEN', detail: { opensAt: '2026-03-03T00:00:00.000000Z' } };

  test('before day 1 a founder is told of day 1, and a guest of launch day', async () => {
    await hill.rows("update hill.settings set shown_at = shown_at - interval '1 day'");
    founder = await anAccount(hill, { credits: 5000, founder: true });
    guest = await anAccount(hill, { credits: 5000 });

    expect(await refusal(hill.asAgent(founder).play({ slot: 1, move: 'PEACE' }))).toMatchObject({
      code: 'HILL_NOT_OPEN',
      detail: { opensAt: '2026-03-01T00:00:00.000000Z' },
    });
    expect(await refusal(hill.asAgent(guest).play({ slot: 1, move: 'PEACE' }))).toMatchObject(notOpen);
    await hill.rows("update hill.settings set shown_at = shown_at + interval '1 day'");
  });

  test.each([1, 2])('day %i is for founders only, and resolves like any', async (day) => {
    expect(await hill.asAgent(founder).play({ slot: 1, move: 'PEACE' })).toMatchObject({ day });
    expect(await refusal(hill.asAgent(guest).play({ slot: 1, move: 'PEACE' }))).toMatchObject(notOpen);
    expect(await refusal(hill.asAgent(guest).announce({ slot: 1, intention: 'PEACE' }))).toMatchObject(notOpen);

    expect(await hill.clock.ringBell()).toMatchObject({ day, accounts: 1 });
    expect(await hill.rows('select account_id from hill.seats where day = $1', [day])).toEqual([
      { account_id: founder.id },
    ]);
  });

  test('launch day is for all', async () => {
    expect(await hill.asAgent(guest).play({ slot: 1, move: 'PEACE' })).toMatchObject({ day: 3 });
    expect(await hill.asAgent(founder).play({ slot: 1, move: 'PEACE' })).toMatchObject({ day: 3 });
  });
});

describe('a place', () => {
  const hill = useHill();
  let ann: Account;

  test('that is not open yet takes no move, no PASS and no announcement', async () => {
    ann = await anAccount(hill, { credits: 5000 });
    await hill.rows('update hill.places set opens_day = 2 where slot = 10');

    for (const move of ['PEACE', 'PASS'])
      expect(await refusal(hill.asAgent(ann).play({ slot: 10, move }))).toMatchObject({
        code: 'SLOT_CLOSED',
        detail: { opens_day: 2 },
      });
    expect(await refusal(hill.asAgent(ann).announce({ slot: 10, intention: 'PEACE' }))).toMatchObject({
      code: 'SLOT_CLOSED',
    });
    expect(await hill.asAgent(ann).play({ slot: 9, move: 'PEACE' })).toMatchObject({ slot: 9 });
  });

  test('that is closed appears as VACANT in the night', async () => {
    await hill.clock.ringBell();

    expect(
      await hill.rows('select slot, outcome, open from hill.place_results where day = 1 and slot >= 9 order by slot'),
    ).toEqual([
      { slot: 9, outcome: 'PEACE', open: true },
      { slot: 10, outcome: 'VACANT', open: false },
    ]);
  });

  test('is open from the first instant of its day', async () => {
    expect(await hill.asAgent(ann).play({ slot: 10, move: 'PEACE' })).toMatchObject({ day: 2, slot: 10 });
  });

  test('gives its points whatever else is closed', async () => {
    await hill.rows('update hill.places set opens_day = 99 where slot between 3 and 8');
    await hill.clock.ringBell();

    expect(await hill.rows('select slot, points::float from hill.seats where day = 2')).toEqual([
      { slot: 10, points: 1 },
    ]);
  });
});

describe('a suspended account', () => {
  const hill = useHill();

  test('deposits and announces nothing new, and its accepted moves stand', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.asStaff().call('api_staff.suspend_account', { account_id: ann.id, suspended: true, reason: 'A test' });

    for (const move of ['PEACE', 'PASS'])
      expect((await refusal(hill.asAgent(ann).play({ slot: 1, move }))).code).toBe('ACCOUNT_SUSPENDED');
    expect((await refusal(hill.asAgent(ann).announce({ slot: 1, intention: 'WAR' }))).code).toBe('ACCOUNT_SUSPENDED');
    expect(await hill.asAgent(ann).ownState()).toMatchObject({ moves: [{ slot: 1, move: 'PEACE' }] });

    await hill.clock.ringBell();
    expect(await hill.rows('select account_id, points::float from hill.seats')).toEqual([
      { account_id: ann.id, points: 10 },
    ]);
  });

  test('may have its moves withdrawn by its human', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' });
    await hill.rows('update hill.accounts set suspended_at = engine.now() where id = $1', [ann.id]);

    expect(await hill.asHuman(ann).withdrawMove(2)).toMatchObject({ withdrawn: true, moves: [] });
  });

  test('plays again when the suspension is lifted', async () => {
    const ann = await anAccount(hill, { credits: 2000, suspended: true });
    await hill.asStaff().call('api_staff.suspend_account', { account_id: ann.id, suspended: false, reason: 'A test' });

    expect(await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' })).toMatchObject({ slot: 2 });
  });
});
