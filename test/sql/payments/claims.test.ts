// Disputes and refunds: deposits are barred at once, what is left is taken after the next bell, and nobody else sees
// what is reserved. Rules 5.7, 5.8.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Account, anAccount, balanced, books, grant, useHill } from '../../support/hill/index.ts';
import { usePayments } from '../../support/hill/payments.ts';
import { refusal } from '../../support/hill/refusal.ts';

const hill = useHill();
const payments = usePayments(hill);
const { stripe } = payments;

const caps = { daily_cap_cents: 50_000, max_stake_cents: 50_000 };
const war = (account: Account, slot: number, stake_cents: number) =>
  hill.asAgent(account).play({ slot, move: 'WAR', stake_cents });
const wallet = async ({ id }: Account) =>
  (
    await hill.rows<{ granted_cents: number; paid_cents: number }>(
      'select granted_cents, paid_cents from hill.wallets where account_id = $1',
      [id],
    )
  )[0];
const balanceOf = async (code: string) =>
  (
    await hill.rows<{ balance_cents: number }>('select balance_cents from hill.ledger_accounts where code = $1', [code])
  )[0]?.balance_cents as number;
/** A dispute of a payment, told at once. */
const dispute = async (payment: string, cents: number, more: Parameters<typeof stripe.dispute>[2] = {}) => {
  const { id, event } = await stripe.dispute(payment, cents, more);
  await payments.tell(event);
  return id;
};
const sound = async () => {
  expect(await books(hill.root)).toEqual(balanced);
  expect(await payments.faults()).toEqual([]);
};

describe('a dispute', () => {
  test('of what is unspent bars deposits at once, and takes it after the bell', async () => {
    const ann = await anAccount(hill, { ...caps, granted: 900 });
    const payment = await payments.topUp(ann, 3000);
    await dispute(payment, 3000);

    const barred = await refusal(war(ann, 1, 800));
    expect(barred).toMatchObject({ code: 'PAYMENT_DISPUTED', hint: expect.stringContaining('write to the staff') });
    expect(await refusal(hill.asAgent(ann).announce({ slot: 1, intention: 'WAR' }))).toMatchObject({
      code: 'PAYMENT_DISPUTED',
    });
    expect(await refusal(payments.begin(ann, 2000))).toMatchObject({ code: 'PAYMENT_DISPUTED' });
    expect(await wallet(ann)).toEqual({ granted_cents: 900, paid_cents: 3000 });
    const cash = await balanceOf('cash');
    await hill.clock.ringBell();

    expect(await wallet(ann)).toEqual({ granted_cents: 900, paid_cents: 0 });
    expect(await balanceOf('cash')).toBe(cash + 3000);
    expect(await payments.shown(ann)).toMatchObject([{ state: 'disputed', remaining_cents: 0, taken_cents: 3000 }]);
    expect((await refusal(war(ann, 1, 800))).code).toBe('PAYMENT_DISPUTED');
    await sound();
  });

  test('of what is partly spent takes the rest of that top-up alone, and writes off what was spent', async () => {
    const ann = await anAccount(hill, { ...caps, granted: 300 });
    const [first, second, third] = [
      await payments.topUp(ann, 2000),
      await payments.topUp(ann, 4000),
      await payments.topUp(ann, 5000),
    ];
    await war(ann, 2, 3300); // 300 granted, 2000 of the first, 1000 of the second
    await hill.clock.ringBell();
    await grant(hill, ann, 700);
    const lost = await balanceOf('written_off');
    expect(await payments.shown(ann)).toMatchObject([
      { remaining_cents: 0 },
      { remaining_cents: 3000 },
      { remaining_cents: 5000 },
    ]);

    await dispute(second, 4000);
    await hill.clock.ringBell();

    expect(await wallet(ann)).toEqual({ granted_cents: 700, paid_cents: 5000 });
    expect(await balanceOf('written_off')).toBe(lost - 1000);
    expect(await payments.shown(ann)).toMatchObject([
      { state: 'paid', remaining_cents: 0 },
      { state: 'disputed', remaining_cents: 0, taken_cents: 3000, written_off_cents: 1000 },
      { state: 'paid', remaining_cents: 5000 },
    ]);
    await dispute(first, 2000); // all spent
    await dispute(third, 5000);
    await hill.clock.ringBell();

    expect(await wallet(ann)).toEqual({ granted_cents: 700, paid_cents: 0 });
    expect(await balanceOf('written_off')).toBe(lost - 3000);
    await sound();
  });

  test('leaves what is reserved tonight: accepted moves stand and are paid, and only the rest is taken', async () => {
    const ann = await anAccount(hill, { ...caps, granted: 500 });
    const payment = await payments.topUp(ann, 3000);
    await war(ann, 3, 2000); // 500 granted, 1500 of the top-up
    await dispute(payment, 3000);
    expect(await hill.asAgent(ann).ownState()).toMatchObject({
      reserved_cents: 2000,
      paid_cents: 3000,
      available_cents: 1500,
    });
    const lost = await balanceOf('written_off');
    await hill.clock.ringBell();

    expect(
      await hill.rows('select granted_cents, paid_cents from hill.settlements where account_id = $1', [ann.id]),
    ).toEqual([{ granted_cents: 500, paid_cents: 1500 }]);
    expect(await wallet(ann)).toEqual({ granted_cents: 0, paid_cents: 0 });
    expect(await balanceOf('written_off')).toBe(lost - 1500);
    await sound();
  });

  test('that is told before its payment bars the account with the credit', async () => {
    const ann = await anAccount(hill, caps);
    const { session } = await payments.begin(ann, 2000);
    const paid = await stripe.pay(session);
    expect(await payments.tell((await stripe.dispute(session.payment_intent as string, 2000)).event)).toBe(
      'kept until its payment is known',
    );
    expect(await payments.tell(paid)).toBe('credited');
    expect((await refusal(war(ann, 1, 800))).code).toBe('PAYMENT_DISPUTED');
    await hill.clock.ringBell();
    expect(await wallet(ann)).toMatchObject({ paid_cents: 0 });
    await sound();
  });

  test('that comes after the bell’s instant, while the bell is late, waits for the next', async () => {
    const ann = await anAccount(hill, caps);
    const payment = await payments.topUp(ann, 2000);
    await hill.clock.toMidnight();
    await dispute(payment, 2000);
    await hill.asWorker().ringNextBell();
    expect(await wallet(ann)).toMatchObject({ paid_cents: 2000 });
    await hill.clock.ringBell();
    expect(await wallet(ann)).toMatchObject({ paid_cents: 0 });
    await sound();
  });

  test('that is only an inquiry bars nothing', async () => {
    const ann = await anAccount(hill, caps);
    const payment = await payments.topUp(ann, 2000);
    const id = await dispute(payment, 2000, { status: 'warning_needs_response' });
    await war(ann, 4, 800);
    await dispute(payment, 2000, {
      id,
      type: 'updated',
      status: 'needs_response',
      at: Math.floor(Date.now() / 1000) + 1,
    });
    expect((await refusal(war(ann, 5, 800))).code).toBe('PAYMENT_DISPUTED');
  });
});

describe('a dispute that is won', () => {
  test('between midnight and the bell leaves what it gives back to the next bell, even if another claim waits for it', async () => {
    const ann = await anAccount(hill, caps);
    const payment = await payments.topUp(ann, 2000);
    const { id, event } = await stripe.dispute(payment, 2000);
    await payments.tell(event);
    await hill.clock.ringBell();
    await dispute(payment, 2000); // another one
    await hill.clock.toMidnight();
    await dispute(payment, 2000, { id, type: 'closed', status: 'won', at: event.created + 5 });
    await hill.asWorker().ringNextBell();

    expect(await wallet(ann)).toEqual({ granted_cents: 0, paid_cents: 2000 });
    await sound();
    await hill.clock.ringBell();
    expect(await wallet(ann)).toEqual({ granted_cents: 0, paid_cents: 0 });
    await sound();
  });

  const later = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

  test('lifts the bar; before the bell nothing was taken', async () => {
    const ann = await anAccount(hill, caps);
    const payment = await payments.topUp(ann, 2000);
    const id = await dispute(payment, 2000);
    await dispute(payment, 2000, { id, type: 'closed', status: 'won', at: later(5) });
    await war(ann, 6, 900);
    await hill.clock.ringBell();
    expect(await wallet(ann)).toMatchObject({ paid_cents: 1100 });
    await sound();
  });

  test('gives back what was taken, to be spent last, and what was written off', async () => {
    const ann = await anAccount(hill, caps);
    const [first, second] = [await payments.topUp(ann, 3000), await payments.topUp(ann, 2000)];
    await war(ann, 6, 1000);
    await hill.clock.ringBell();
    const lost = await balanceOf('written_off');
    const id = await dispute(first, 3000);
    await hill.clock.ringBell();
    expect(await wallet(ann)).toMatchObject({ paid_cents: 2000 });
    const closed = (await stripe.dispute(first, 3000, { id, type: 'closed', status: 'won', at: later(5) })).event;
    expect(await payments.tell(closed)).toBe('won');
    expect(await payments.tell({ ...closed, id: 'evt_zzz' })).toBe('won');

    expect(await wallet(ann)).toMatchObject({ paid_cents: 4000 });
    expect(await balanceOf('written_off')).toBe(lost);
    expect(await payments.shown(ann)).toMatchObject([
      { state: 'paid', remaining_cents: 2000 },
      { state: 'paid', remaining_cents: 2000 },
    ]);
    await war(ann, 6, 2500); // all of the second, and 500 of what came back
    await hill.clock.ringBell();
    expect(await payments.shown(ann)).toMatchObject([{ remaining_cents: 1500 }, { remaining_cents: 0 }]);
    // and once more, as a refund
    await payments.tell((await stripe.refund(first, 3000)).event);
    await payments.tell((await stripe.refund(second, 500)).event);
    await hill.clock.ringBell();
    expect(await wallet(ann)).toMatchObject({ paid_cents: 0 });
    expect(await balanceOf('written_off')).toBe(lost - 2000);
    await sound();
  });

  test('is not undone by an older event that comes late', async () => {
    const ann = await anAccount(hill, caps);
    const payment = await payments.topUp(ann, 2000);
    const opened = await stripe.dispute(payment, 2000);
    await dispute(payment, 2000, { id: opened.id, type: 'closed', status: 'won', at: opened.event.created });
    expect(await payments.tell(opened.event)).toBe('older than what is known');
    await war(ann, 7, 800);
  });
});

describe('a refund', () => {
  test('of a part takes that part, and a failed one gives it back', async () => {
    const ann = await anAccount(hill, caps);
    const payment = await payments.topUp(ann, 5000);
    const { id, event } = await stripe.refund(payment, 1500, { status: 'pending' });
    await payments.tell(event);
    expect((await refusal(war(ann, 1, 800))).code).toBe('PAYMENT_DISPUTED');
    await hill.clock.ringBell();
    expect(await wallet(ann)).toMatchObject({ paid_cents: 3500 });
    expect(await payments.shown(ann)).toMatchObject([{ state: 'refunded', taken_cents: 1500, remaining_cents: 3500 }]);
    await payments.tell(
      (await stripe.refund(payment, 1500, { id, status: 'failed', type: 'failed', at: event.created + 1 })).event,
    );
    expect(await wallet(ann)).toMatchObject({ paid_cents: 5000 });
    await war(ann, 1, 800);
    await sound();
  });
});

describe('staff', () => {
  let ann: Account;
  let payment: string;
  beforeAll(async () => {
    ann = await anAccount(hill, caps);
    payment = await payments.topUp(ann, 2000);
  });

  test('see the claim and the bar, and lift it with a reason', async () => {
    const id = await dispute(payment, 2000);
    const staff = hill.asStaff('Berta');
    const lift = (reason: string) => staff.query('select api_staff.lift_bar($1, $2)', [ann.id, reason]);
    await expect(lift(' ')).rejects.toMatchObject({ code: 'ZHRSN' });
    expect(await lift('the bank withdrew it')).toBeDefined();
    await expect(lift('once more')).rejects.toMatchObject({ code: 'ZHSTF' });

    expect(
      await hill.rows(
        'select staff_name, action, details, reason from hill.audit_log where account_id = $1 order by id',
        [ann.id],
      ),
    ).toEqual([
      {
        staff_name: 'Stripe',
        action: 'bar_deposits',
        details: { claims: [{ claim: id, kind: 'dispute', status: 'needs_response', cents: 2000 }] },
        reason: 'A top-up is disputed or refunded',
      },
      { staff_name: 'Berta', action: 'lift_bar', details: { claims: [id] }, reason: 'the bank withdrew it' },
    ]);
    await war(ann, 8, 800);
  });

  test('lift it for what is known: a later word on that claim does not bar again, and a new claim does', async () => {
    const [{ id } = { id: '' }] = await hill.rows<{ id: string }>(
      'select id from hill.payment_claims where payment = $1',
      [payment],
    );
    await dispute(payment, 2000, { id, type: 'closed', status: 'lost', at: Math.floor(Date.now() / 1000) + 5 });
    await hill.asAgent(ann).play({ slot: 8, move: 'PASS' });
    await payments.tell((await stripe.refund(payment, 10)).event);
    expect((await refusal(war(ann, 8, 800))).code).toBe('PAYMENT_DISPUTED');
    await hill.clock.ringBell();
    await sound();
  });
});

describe('what is written past the guards', () => {
  test.each([
    [
      'Each payment credited what was asked for, once',
      'update hill.top_ups set cents = cents + 1 where transfer_id is not null',
    ],
    [
      'Each claim took or wrote off all that Stripe took back',
      'update hill.payment_claims set taken_cents = taken_cents - 1, cents = cents - 1 where taken_cents > 0',
    ],
    ['Each transfer of a claim is its own, and of the account whose top-up it is', 'delete from hill.claim_transfers'],
    [
      "What is left of an account's top-ups is its paid credits",
      'update hill.wallets set paid_cents = paid_cents + 100000',
    ],
    [
      'Accounts are barred for live claims alone',
      'update hill.accounts set barred_at = case when barred_at is null then now() end',
    ],
  ])('is found: %s', async (name, spoil) => {
    await hill.asRoot(async (root) => {
      await root.query('begin; set local session_replication_role = replica');
      await root.query(spoil);
      const { rows } = await root.query<{ name: string }>(
        'select c.name from engine.check_payments() c where c.wrong > 0',
      );
      await root.query('rollback');
      expect(rows.map((row) => row.name)).toContain(name);
    });
  });
});
