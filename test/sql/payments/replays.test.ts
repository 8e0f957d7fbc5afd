// Events in random order, with duplicates and losses, come to one ledger. HILL_TEST_REPLAYS sets how many orders are
// tried. Rules 5.7, 5.8.
import { expect, test } from 'vitest';
import { askStripe } from '../../../src/worker/payments.ts';
import { type Account, anAccount, balanced, books, useHill } from '../../support/hill/index.ts';
import { usePayments } from '../../support/hill/payments.ts';
import { prove } from '../../support/hill/sign-in.ts';
import { aLog } from '../../support/hill/worker.ts';
import type { Event } from '../../support/peers/stripe-server.ts';
import { randomFrom, seed } from '../../support/random.ts';

const hill = useHill();
const payments = usePayments(hill);
const { stripe } = payments;
const { log } = aLog();
const replays = Number(process.env.HILL_TEST_REPLAYS ?? 5);

/** What a human did and Stripe tells of it, told in time: the same story each time, for a new account. */
async function story(account: Account): Promise<Event[]> {
  const first = stripe.events.length;
  const began = Math.floor(Date.now() / 1000);
  const begun = [];
  for (const cents of [2000, 3000, 4000, 5000, 6000, 7000]) begun.push((await payments.begin(account, cents)).session);
  const [unpaid, lost, won, refunded, unrefunded, kept] = begun as [never, never, never, never, never, never];
  await stripe.expire(unpaid);
  for (const session of [lost, won, refunded, unrefunded, kept]) await stripe.pay(session);
  const payment = (session: { payment_intent: string | null }) => session.payment_intent as string;
  const a = await stripe.dispute(payment(lost), 3000, { at: began + 10 });
  await stripe.dispute(payment(lost), 3000, { id: a.id, type: 'funds_withdrawn', at: began + 10 });
  await stripe.dispute(payment(lost), 3000, { id: a.id, type: 'closed', status: 'lost', at: began + 30 });
  const b = await stripe.dispute(payment(won), 4000, { status: 'warning_needs_response', at: began + 10 });
  await stripe.dispute(payment(won), 4000, { id: b.id, type: 'updated', at: began + 20 });
  await stripe.dispute(payment(won), 4000, { id: b.id, type: 'closed', status: 'won', at: began + 20 });
  await stripe.refund(payment(refunded), 1200, { at: began + 5 });
  const c = await stripe.refund(payment(unrefunded), 6000, { status: 'pending', at: began + 5 });
  await stripe.refund(payment(unrefunded), 6000, { id: c.id, type: 'updated', status: 'succeeded', at: began + 6 });
  await stripe.refund(payment(unrefunded), 6000, { id: c.id, type: 'failed', status: 'failed', at: began + 9 });
  return stripe.events.slice(first);
}

const api = {
  checkout: () => Promise.reject(new Error('not asked for')),
  session: async (id: string) => stripe.sessions.get(id) as never,
  async *eventsSince() {
    yield* stripe.events as never[];
  },
};

test(`${replays} times the same story, HILL_SEED=${seed}: the same wallet, the same top-ups, the same bar`, async () => {
  const chance = randomFrom(seed);
  const accounts: Account[] = [];
  for (let i = 0; i < replays; i++) {
    const account = await anAccount(hill);
    accounts.push(account);
    const events = await story(account);
    const bell = chance.below(3 * events.length);
    const told = Array.from({ length: 2 * events.length }, () => events[chance.below(events.length)] as Event);
    for (const [n, event] of told.entries()) {
      await payments.tell(event);
      if (n === bell && i % 5 === 0) await hill.clock.ringBell();
    }
    // what was lost is asked for, as is what Stripe tells too late
    await askStripe(hill.as('worker'), api, prove, log);
    stripe.events.length = 0;
  }
  await hill.clock.ringBell();

  const outcomes = await Promise.all(
    accounts.map(async (account) => {
      const shown = (await payments.shown(account)) as Record<string, unknown>[];
      const wallet = await hill.rows('select granted_cents, paid_cents from hill.wallets where account_id = $1', [
        account.id,
      ]);
      return JSON.stringify([wallet, shown.map(({ top_up_id, created_at, ...rest }) => rest)]);
    }),
  );
  expect([...new Set(outcomes)]).toHaveLength(1);
  expect(JSON.parse(outcomes[0] as string)).toEqual([
    [{ granted_cents: 0, paid_cents: 4000 + 3800 + 6000 + 7000 }],
    [
      { cents: 2000, state: 'failed' },
      { cents: 3000, state: 'disputed', remaining_cents: 0, taken_cents: 3000 },
      { cents: 4000, state: 'paid', remaining_cents: 4000 },
      { cents: 5000, state: 'refunded', remaining_cents: 3800, taken_cents: 1200 },
      { cents: 6000, state: 'paid', remaining_cents: 6000 },
      { cents: 7000, state: 'paid', remaining_cents: 7000 },
    ],
  ]);
  expect(await hill.rows('select count(*)::int as barred from hill.accounts where barred_at is not null')).toEqual([
    { barred: replays },
  ]);
  expect(await books(hill.root)).toEqual(balanced);
  expect(await payments.faults()).toEqual([]);
});
