// What Stripe says of the payments of an account that was closed meanwhile. Rules 5.7, 5.8, 19.5.
import { expect, test } from 'vitest';
import { type Account, anAccount, balanced, books, call, useHill } from '../../support/hill/index.ts';
import { usePayments } from '../../support/hill/payments.ts';
import { signIn } from '../../support/hill/sign-in.ts';

const hill = useHill();
const payments = usePayments(hill);
const { stripe } = payments;

/** Its human has signed in just now. */
async function aHuman(name: string): Promise<Account> {
  const { account_id: id, session } = await signIn(hill.as('web'), { subject: name, email: `${name}@example.com` });
  return { ...(await anAccount(hill)), id, session, name };
}
const close = async ({ id, session }: Account) => {
  const [{ slug } = { slug: '' }] = await hill.rows<{ slug: string }>('select slug from hill.accounts where id = $1', [
    id,
  ]);
  await call(hill.as('web'), 'api_human.close_account', { session, slug });
};
const paid = async ({ id }: Account) =>
  (await hill.rows<{ paid_cents: number }>('select paid_cents from hill.wallets where account_id = $1', [id]))[0]
    ?.paid_cents;
const sound = async () => {
  expect(await books(hill.root)).toEqual(balanced);
  expect(await payments.faults()).toEqual([]);
};

test('a top-up that is paid after its account was closed is not credited, and staff are told', async () => {
  const ann = await aHuman('ann');
  const { top_up_id, session } = await payments.begin(ann, 2000);
  await close(ann);

  expect(await payments.tell(await stripe.pay(session))).toBe('refused: the account is closed');

  expect(await paid(ann)).toBe(0);
  expect(
    await hill.rows('select failed_at is not null as failed, look_at from hill.top_ups where id = $1', [top_up_id]),
  ).toEqual([{ failed: true, look_at: null }]);
  expect(
    await hill.rows(
      "select count(*)::int as told from hill.payment_events where outcome = 'refused: the account is closed'",
    ),
  ).toEqual([{ told: 1 }]);
  await hill.clock.ringBell();
  await sound();
});

test('a dispute after the closing finds nothing; what it gives back, once it is won, lapses at the next bell', async () => {
  const bob = await aHuman('bob');
  const [early, late] = [await payments.topUp(bob, 3000), await payments.topUp(bob, 2000)];
  const first = await stripe.dispute(early, 3000);
  await payments.tell(first.event);
  await close(bob);
  await hill.clock.ringBell(); // takes what is disputed, and the rest lapses

  expect(await paid(bob)).toBe(0);
  const lapsed = async () =>
    (
      await hill.rows<{ cents: number }>(
        "select balance_cents as cents from hill.ledger_accounts where code = 'lapsed'",
      )
    )[0]?.cents;
  expect(await lapsed()).toBe(2000);
  await sound();

  await payments.tell((await stripe.dispute(late, 2000)).event);
  const later = first.event.created + 5;
  await payments.tell(
    (await stripe.dispute(early, 3000, { id: first.id, type: 'closed', status: 'won', at: later })).event,
  );
  expect(await paid(bob)).toBe(3000);
  await hill.clock.ringBell();

  expect([await paid(bob), await lapsed()]).toEqual([0, 5000]);
  await sound();
});

test('what a dispute gives back between midnight and the bell lapses at the next bell', async () => {
  const cem = await aHuman('cem');
  const payment = await payments.topUp(cem, 2000);
  const { id, event } = await stripe.dispute(payment, 2000);
  await payments.tell(event);
  await hill.clock.ringBell(); // takes it
  await close(cem);
  await hill.clock.toMidnight();
  await payments.tell(
    (await stripe.dispute(payment, 2000, { id, type: 'closed', status: 'won', at: event.created + 5 })).event,
  );
  await hill.asWorker().ringNextBell();

  expect(await paid(cem)).toBe(2000);
  await sound();
  await hill.clock.ringBell();
  expect(await paid(cem)).toBe(0);
  await sound();
});
