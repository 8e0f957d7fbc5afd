// Around the bell: to which night a deposit belongs, and what a retry across midnight is told. Rules 2.3, 2.6.
import { describe, expect, test } from 'vitest';
import { type Account, anAccount, type Receipt, refusal, useHill } from '../../support/hill/index.ts';

describe('a deposit belongs to the day that contains its instant', () => {
  const hill = useHill();

  test('the last microsecond of a day is of that day', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    await hill.clock.at('23:59:59.999999');

    expect(await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' })).toMatchObject({
      day: 1,
      deposited_at: '2026-03-01T23:59:59.999999Z',
    });
    expect(await hill.clock.ringBell()).toMatchObject({ day: 1, accounts: 1, moves: 1 });
  });

  test('midnight itself is of the next', async () => {
    const ann = await anAccount(hill, { credits: 2000 });

    expect(await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' })).toMatchObject({
      day: 2,
      deposited_at: '2026-03-02T00:00:00.000000Z',
      sealed_until: '2026-03-03T00:00:00.000000Z',
    });
    expect(await hill.rows('select day from hill.moves where account_id = $1', [ann.id])).toEqual([]);
  });
});

describe('BELL_RINGING', () => {
  const hill = useHill();
  let ann: Account;
  const ringing = { code: 'BELL_RINGING', detail: { retry_after_seconds: expect.any(Number) } };

  test('while the bell holds the day', async () => {
    ann = await anAccount(hill, { credits: 2000 });
    await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' });
    const bell = await hill.root.connect();
    await bell.query('begin; lock table hill.day_lock in exclusive mode');

    expect(await refusal(hill.asAgent(ann).play({ slot: 1, move: 'PEACE' }))).toMatchObject(ringing);
    expect(await refusal(hill.asHuman(ann).withdrawMove(2))).toMatchObject(ringing);

    await bell.query('rollback');
    bell.release();
    expect(await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' })).toMatchObject({ moves_left: 2 });
  });

  test('while the bell waits for a deposit that is under way: nobody overtakes it', async () => {
    const [deposit, bell] = [await hill.root.connect(), await hill.root.connect()];
    await deposit.query('begin; lock table hill.day_lock in row exclusive mode');
    const rung = bell.query('begin; lock table hill.day_lock in exclusive mode; rollback');
    await expect
      .poll(() =>
        hill.rows("select 1 as waiting from pg_locks where relation = 'hill.day_lock'::regclass and not granted"),
      )
      .toEqual([{ waiting: 1 }]);

    expect(await refusal(hill.asAgent(ann).play({ slot: 1, move: 'PEACE', message: 'Me too' }))).toMatchObject(ringing);

    await deposit.query('rollback');
    deposit.release();
    await rung;
    bell.release(true);
  });

  test('from midnight until the night is published, on whichever day the deposit says it is', async () => {
    await hill.clock.toMidnight();

    for (const day of [undefined, 1, 2])
      expect(await refusal(hill.asAgent(ann).play({ slot: 1, move: 'PEACE', day }))).toMatchObject(ringing);
    expect(await refusal(hill.asHuman(ann).withdrawMove(2))).toMatchObject(ringing);

    await hill.clock.ringBell();
    expect(await hill.asAgent(ann).play({ slot: 1, move: 'PEACE', day: 2 })).toMatchObject({ day: 2 });
  });

  test('as long as any bell is missing: two nights late are two bells late', async () => {
    await hill.rows("update hill.settings set shown_at = shown_at + interval '2 days'");
    await hill.asWorker().ringNextBell();

    expect(await refusal(hill.asAgent(ann).play({ slot: 3, move: 'PEACE' }))).toMatchObject(ringing);

    await hill.asWorker().ringNextBell();
    expect(await hill.asWorker().ringNextBell()).toBeNull();
    expect(await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' })).toMatchObject({ day: 4 });
  });

  test('does not keep anyone from reading, announcing or topping up', async () => {
    await hill.clock.toMidnight();

    expect(await hill.asAgent(ann).ownState()).toMatchObject({ account_id: ann.id, day: 5 });
    expect(await hill.asAgent(ann).announce({ slot: 1, intention: 'PEACE' })).toMatchObject({ day: 5 });
    expect(await hill.asHuman(ann).setMandate(900, 900)).toMatchObject({ daily_cap_cents: 900 });
  });
});

/** What a receipt says of the deposit: what the account has left changes. */
const kept = ({ moves_left: _, places_left: __, cap_left_cents: ___, available_cents: ____, ...promised }: Receipt) =>
  promised;

describe('DAY_PASSED', () => {
  const hill = useHill();
  let ann: Account;

  test('for any day but today, with what today is', async () => {
    ann = await anAccount(hill, { credits: 5000, daily_cap_cents: 5000 });
    await hill.clock.toDay(3);

    for (const day of [-1, 0, 1, 2, 4, 2147483647])
      expect(await refusal(hill.asAgent(ann).play({ slot: 1, move: 'PEACE', day }))).toMatchObject({
        code: 'DAY_PASSED',
        detail: { day: 3 },
      });
    expect(await hill.asAgent(ann).ownState()).toMatchObject({ moves: [], moves_left: 4 });
  });

  test('with the receipt if that day accepted this very request, so that a retry across midnight buys nothing twice', async () => {
    const sent = { slot: 1, move: 'WAR', stake_cents: 800, message: 'Mine', day: 3 };
    const promised = kept(await hill.asAgent(ann).play(sent));
    await hill.clock.ringBell();

    const { code, detail } = await refusal(hill.asAgent(ann).play(sent));

    expect({ code, detail }).toEqual({ code: 'DAY_PASSED', detail: { day: 4, receipt: promised } });
    expect((await hill.asAgent(ann).ownState()).moves).toEqual([]);
  });

  test.each([
    ['another place', { slot: 2 }],
    ['another move', { move: 'PEACE', stake_cents: undefined }],
    ['another stake', { stake_cents: 801 }],
    ['another message', { message: 'Yours' }],
    ['no message', { message: undefined }],
    ['another day', { day: 2 }],
  ])('without it for %s', async (_, other) => {
    const sent = { slot: 1, move: 'WAR', stake_cents: 800, message: 'Mine', day: 3, ...other };

    const { code, detail } = await refusal(hill.asAgent(ann).play(sent));

    expect({ code, detail }).toEqual({ code: 'DAY_PASSED', detail: { day: 4 } });
  });

  test('with the receipt of a move that was replaced, and of the PASS that withdrew', async () => {
    const peace = await hill.asAgent(ann).play({ slot: 5, move: 'PEACE' });
    await hill.clock.tick();
    const war = await hill.asAgent(ann).play({ slot: 5, move: 'WAR', stake_cents: 800 });
    await hill.clock.tick();
    const pass = await hill.asAgent(ann).play({ slot: 5, move: 'PASS' });
    await hill.clock.ringBell();

    for (const promised of [peace, war, pass].map(kept)) {
      const { slot, move, stake_cents, day } = promised;
      const { detail } = await refusal(hill.asAgent(ann).play({ slot, move, stake_cents, day }));
      expect(detail).toEqual({ day: 5, receipt: promised });
    }
  });

  test("never with somebody else's receipt", async () => {
    await hill.asAgent(ann).play({ slot: 6, move: 'PEACE', message: 'Ours' });
    const bob = await anAccount(hill, { credits: 2000 });
    await hill.clock.ringBell();

    const { detail } = await refusal(hill.asAgent(bob).play({ slot: 6, move: 'PEACE', message: 'Ours', day: 5 }));

    expect(detail).toEqual({ day: 6 });
  });

  test('for a day that is resolved, whatever the clock says', async () => {
    // no function sets a clock back; a machine's clock may go wrong
    await hill.rows("update hill.settings set shown_at = shown_at - interval '1 day'");

    expect(await refusal(hill.asAgent(ann).play({ slot: 1, move: 'PEACE', day: 5 }))).toMatchObject({
      code: 'DAY_PASSED',
      detail: { day: 6 },
    });
    expect(await hill.asAgent(ann).ownState()).toMatchObject({ day: 6 });
    expect(await hill.asAgent(ann).play({ slot: 1, move: 'PEACE', day: 6 })).toMatchObject({
      day: 6,
      deposited_at: '2026-03-06T00:00:00.000000Z',
    });
    expect(await hill.asHuman(ann).withdrawMove(1)).toMatchObject({ withdrawn: true });

    await hill.rows("update hill.settings set shown_at = shown_at + interval '1 day'");
  });
});
