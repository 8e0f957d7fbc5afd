// Credits that come in, are spent and expire. Rules 5.3, 5.6.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Account, anAccount, balanced, books, grant, refusal, topUp, useHill } from '../../support/hill/index.ts';

interface Entry {
  day: number;
  kind: string;
  granted_cents: number;
  paid_cents: number;
}

describe('credits that come in', () => {
  const hill = useHill();
  const worker = <T>(text: string, values: unknown[]): Promise<T[]> =>
    hill.asOwnerOf('hill_api_worker', async (client) => (await client.query(text, values)).rows as T[]);

  test.each([2000, 2001, 99_999, 100_000])('a top-up of %i cents is paid credit, against cash', async (cents) => {
    const ann = await anAccount(hill);
    const [cash] = await hill.rows<{ balance_cents: number }>(
      "select balance_cents from hill.ledger_accounts where code = 'cash'",
    );

    await worker("select engine.top_up($1, $2, 'a payment')", [ann.id, cents]);

    expect(await hill.asHuman(ann).ownState()).toMatchObject({
      paid_cents: cents,
      granted_cents: 0,
      available_cents: cents,
      lots: [],
    });
    expect(await hill.rows("select balance_cents from hill.ledger_accounts where code = 'cash'")).toEqual([
      { balance_cents: (cash?.balance_cents ?? 0) - cents },
    ]);
    expect(await books(hill.root)).toEqual(balanced);
  });

  test.each([1999, 100_001, 0, -2000, null])('a top-up of %s cents is refused', async (cents) => {
    const ann = await anAccount(hill);

    expect(await refusal(worker("select engine.top_up($1, $2, 'a payment')", [ann.id, cents]))).toMatchObject({
      code: 'INVALID_AMOUNT',
      detail: { minimum_cents: 2000, maximum_cents: 100_000 },
    });
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ paid_cents: 0 });
  });

  test('a grant is a lot that expires after 90 days, to the microsecond', async () => {
    const ann = await anAccount(hill);
    await hill.clock.at('10:11:12.131415');

    await grant(hill, ann, 555);

    expect(await hill.asAgent(ann).ownState()).toMatchObject({
      paid_cents: 0,
      granted_cents: 555,
      lots: [{ remaining_cents: 555, expires_at: '2026-05-30T10:11:12.131415Z' }],
    });
    expect(await books(hill.root)).toEqual(balanced);
  });

  test.each([0, -1, null, 1_000_000_001])('a grant of %s cents is refused', async (cents) => {
    const ann = await anAccount(hill);

    expect((await refusal(worker("select engine.grant_credits($1, $2, 'a reason')", [ann.id, cents]))).code).toBe(
      'INVALID_AMOUNT',
    );
  });

  test('an account that there is not gets nothing', async () => {
    for (const call of ['engine.top_up', 'engine.grant_credits'])
      await expect(worker(`select ${call}(gen_random_uuid(), 2000, 'a reason')`, [])).rejects.toMatchObject({
        code: '23503',
      });
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('granted and paid credits are available together, less what tonight reserves', async () => {
    const ann = await anAccount(hill, { credits: 2000, granted: [100, 200] });
    await hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 900 });

    expect(await hill.asAgent(ann).ownState()).toMatchObject({
      paid_cents: 2000,
      granted_cents: 300,
      reserved_cents: 900,
      available_cents: 1400,
    });
  });
});

describe('credits that are spent', () => {
  const hill = useHill();
  let ann: Account;
  const sources = (day: number) =>
    hill.rows('select slot, move, cents, lot_id from engine.charge_sources($1, $2)', [ann.id, day]) as Promise<
      { slot: number; move: string; cents: number; lot_id: number | null }[]
    >;

  beforeAll(async () => {
    ann = await anAccount(hill, { credits: 10_000, daily_cap_cents: 10_000 });
  });

  test('go granted first, soonest expiry first, charge by charge in the order of places; then paid', async () => {
    // three lots on three days, and a top-up between them that changes nothing about the order
    const lots: number[] = [];
    for (const cents of [250, 600, 400]) {
      await grant(hill, ann, cents);
      const [lot] = await hill.rows<{ id: number }>('select max(id) as id from hill.lots where account_id = $1', [
        ann.id,
      ]);
      lots.push(lot?.id ?? 0);
      await topUp(hill, ann, 2000);
      await hill.clock.ringBell();
    }
    // deposited in the other order than that of their places
    await hill.asAgent(ann).play({ slot: 7, move: 'WAR', stake_cents: 1100 });
    await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' });
    await hill.clock.ringBell();

    expect(await sources(4)).toEqual([
      { slot: 2, move: 'PEACE', cents: 250, lot_id: lots[0] },
      { slot: 2, move: 'PEACE', cents: 50, lot_id: lots[1] },
      { slot: 7, move: 'WAR', cents: 550, lot_id: lots[1] },
      { slot: 7, move: 'WAR', cents: 400, lot_id: lots[2] },
      { slot: 7, move: 'WAR', cents: 150, lot_id: null },
    ]);
    expect(await hill.rows('select granted_cents, paid_cents from hill.settlements where day = 4')).toEqual([
      { granted_cents: 1250, paid_cents: 150 },
    ]);
    expect(await hill.asAgent(ann).ownState()).toMatchObject({ granted_cents: 0, paid_cents: 15_850, lots: [] });
  });

  test('come from a lot over several nights, each night from where the last one stopped', async () => {
    await grant(hill, ann, 500);
    const [lot] = await hill.rows<{ id: number }>('select max(id) as id from hill.lots where account_id = $1', [
      ann.id,
    ]);
    for (let night = 5; night <= 6; night++) {
      await hill.asAgent(ann).play({ slot: 10, move: 'PEACE' });
      await hill.clock.ringBell();
    }

    expect(await sources(5)).toEqual([{ slot: 10, move: 'PEACE', cents: 300, lot_id: lot?.id }]);
    expect(await sources(6)).toEqual([
      { slot: 10, move: 'PEACE', cents: 200, lot_id: lot?.id },
      { slot: 10, move: 'PEACE', cents: 100, lot_id: null },
    ]);
  });

  test('are traced the same for ever, whatever comes after', async () => {
    const before = [await sources(4), await sources(5), await sources(6)];
    await grant(hill, ann, 10_000);
    await hill.asAgent(ann).play({ slot: 9, move: 'PEACE' });
    await hill.clock.ringBell();

    expect([await sources(4), await sources(5), await sources(6)]).toEqual(before);
  });

  test('are given back by PASS, and a night without live moves costs nothing', async () => {
    const [before] = await hill.rows('select granted_cents, paid_cents from hill.wallets where account_id = $1', [
      ann.id,
    ]);
    await hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 1500 });
    await hill.asAgent(ann).play({ slot: 1, move: 'PASS' });
    await hill.clock.ringBell();

    expect(
      await hill.rows('select granted_cents, paid_cents from hill.wallets where account_id = $1', [ann.id]),
    ).toEqual([before]);
    expect(await sources(8)).toEqual([]);
    expect(await hill.rows('select 1 from hill.settlements where day = 8')).toEqual([]);
  });

  test('leave entries from which the balance after any past day can be read', async () => {
    const entries = await hill.rows<{ [key: string]: unknown } & Entry>(
      'select day, kind, granted_cents, paid_cents from engine.entries($1) order by at, kind',
      [ann.id],
    );
    expect(entries).toEqual([
      { day: 1, kind: 'grant', granted_cents: 250, paid_cents: 0 },
      { day: 1, kind: 'topup', granted_cents: 0, paid_cents: 10_000 },
      { day: 1, kind: 'topup', granted_cents: 0, paid_cents: 2000 },
      { day: 2, kind: 'grant', granted_cents: 600, paid_cents: 0 },
      { day: 2, kind: 'topup', granted_cents: 0, paid_cents: 2000 },
      { day: 3, kind: 'grant', granted_cents: 400, paid_cents: 0 },
      { day: 3, kind: 'topup', granted_cents: 0, paid_cents: 2000 },
      { day: 5, kind: 'grant', granted_cents: 500, paid_cents: 0 },
      { day: 4, kind: 'night', granted_cents: -1250, paid_cents: -150 },
      { day: 5, kind: 'night', granted_cents: -300, paid_cents: 0 },
      { day: 7, kind: 'grant', granted_cents: 10_000, paid_cents: 0 },
      { day: 6, kind: 'night', granted_cents: -200, paid_cents: -100 },
      { day: 7, kind: 'night', granted_cents: -300, paid_cents: 0 },
    ]);
    const after = await hill.rows(
      'select d.day, b.granted_cents as granted, b.paid_cents as paid from generate_series(0, 8) d (day) cross join engine.balance_after($1, d.day) b order by 1',
      [ann.id],
    );
    expect(after.map(({ granted, paid }) => [granted, paid])).toEqual([
      [0, 0],
      [250, 12_000],
      [850, 14_000],
      [1250, 16_000],
      [0, 15_850],
      [200, 15_850],
      [0, 15_750],
      [9700, 15_750],
      [9700, 15_750],
    ]);
    expect(await books(hill.root)).toEqual(balanced);
  });
});

describe('granted credits that expire', () => {
  const hill = useHill();
  const expired = () =>
    hill.rows(
      "select debit_account_id as account_id, cents, day, reason from hill.transfers where kind = 'expiry' order by id",
    );
  let ann: Account, bob: Account, carl: Account, before: Account, at: Account, after: Account;

  test('stay for 90 days, whatever happens', async () => {
    ann = await anAccount(hill, { credits: 2000, granted: [350, 100] });
    carl = await anAccount(hill, { granted: 500 });
    bob = await anAccount(hill, { granted: 300 }); // his lot is between those of carl
    await grant(hill, carl, 500);
    await hill.clock.at('23:59:59.999999');
    before = await anAccount(hill, { granted: 1 }); // expires a microsecond before the bell of day 91
    await hill.clock.ringBell();
    at = await anAccount(hill, { granted: 2 }); // at the very instant of that bell
    await hill.clock.tick(0.001);
    after = await anAccount(hill, { granted: 3 }); // a microsecond after it
    await hill.clock.toDay(3);
    await grant(hill, ann, 70);
    await hill.clock.toDay(91, '10:00');

    expect(await expired()).toEqual([]);
    // the first lots' 90 days are over at this instant; the day's bell comes later
    expect(await hill.asAgent(ann).ownState()).toMatchObject({ granted_cents: 520, available_cents: 2520 });
  });

  test('pay what is reserved first; only the rest expires, in one transfer, at the first bell at or after; paid credits stay', async () => {
    for (const slot of [1, 3]) await hill.asAgent(ann).play({ slot, move: 'PEACE' });
    await hill.asAgent(bob).play({ slot: 2, move: 'PEACE' });
    await hill.asAgent(carl).play({ slot: 4, move: 'PEACE' });
    await hill.clock.ringBell();

    expect(
      await hill.rows('select granted_cents, paid_cents from hill.settlements where account_id = $1', [ann.id]),
    ).toEqual([{ granted_cents: 520, paid_cents: 80 }]);
    expect(await expired()).toEqual([
      {
        account_id: carl.id,
        cents: 700,
        day: 91,
        reason: '2 lots of this account expired, the first lot 3 and the last lot 5',
      },
      { account_id: before.id, cents: 1, day: 91, reason: 'lot 6 expired' },
      { account_id: at.id, cents: 2, day: 91, reason: 'lot 7 expired' },
    ]);
    expect(await hill.asAgent(ann).ownState()).toMatchObject({ granted_cents: 0, paid_cents: 1920, lots: [] });
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('do so a night later if they came a microsecond later', async () => {
    await hill.clock.ringBell();

    expect((await expired()).slice(3)).toEqual([{ account_id: after.id, cents: 3, day: 92, reason: 'lot 8 expired' }]);
    for (const account of [ann, bob, carl, before, at, after])
      expect(await hill.asAgent(account).ownState()).toMatchObject({ granted_cents: 0, lots: [] });
    expect(await books(hill.root)).toEqual(balanced);
  });
});
