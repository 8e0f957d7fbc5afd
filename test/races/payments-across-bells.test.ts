// Payments, disputes and their ends arrive while bells ring and agents deposit: nobody waits in a circle, and the books
// balance. Rules 5.8; decisions 131. HILL_TEST_CLAIMS sets how many bells.
import { expect, test } from 'vitest';
import { anAccount, balanced, books, useHill } from '../support/hill/index.ts';
import { usePayments } from '../support/hill/payments.ts';
import { randomFrom, seed } from '../support/random.ts';

const hill = useHill();
const payments = usePayments(hill);
const { stripe } = payments;
const bells = Number(process.env.HILL_TEST_CLAIMS ?? 3);

test(`over ${bells} bells, HILL_SEED=${seed}`, async () => {
  const chance = randomFrom(seed);
  const accounts = await Promise.all(
    Array.from({ length: 8 }, () =>
      anAccount(hill, { daily_cap_cents: 50_000, max_stake_cents: 50_000, granted: 500 }),
    ),
  );
  const unexpected: unknown[] = [];
  /** Refusals are answers; an error of the database is not. */
  const tried = (call: Promise<unknown>) =>
    call.catch((error: { code?: string }) => {
      if (!/^ZH/.test(error.code ?? '')) unexpected.push(error);
    });
  const open: { payment: string; id: string; cents: number; at: number }[] = [];
  const paid: { payment: string; cents: number }[] = [];
  const act = async (account: (typeof accounts)[number]) => {
    const what = chance.below(5);
    if (what === 0) paid.push({ payment: await payments.topUp(account, 2000), cents: 2000 });
    else if (what === 1)
      await hill
        .asAgent(account)
        .play({ slot: 1 + chance.below(5), move: 'WAR', stake_cents: 800 + chance.below(900) });
    else if (what === 2) await hill.asAgent(account).play({ slot: 1 + chance.below(5), move: 'PEACE' });
    else if (what === 3 && paid.length > 0) {
      const { payment, cents } = chance.pick(paid);
      const { id, event } = await stripe.dispute(payment, cents);
      open.push({ payment, id, cents, at: event.created + 1 });
      await payments.tell(event);
    } else if (open.length > 0) {
      const { payment, id, cents, at } = open.splice(chance.below(open.length), 1)[0] as (typeof open)[number];
      await payments.tell((await stripe.dispute(payment, cents, { id, type: 'closed', status: 'won', at })).event);
    }
  };
  for (let bell = 0; bell < bells; bell++) {
    for (let i = 0; i < 4; i++) await Promise.all(accounts.map((account) => tried(act(account))));
    await hill.clock.toMidnight();
    await Promise.all([
      tried(hill.asWorker().ringNextBell()),
      ...accounts.flatMap((account) => [tried(act(account)), tried(act(account))]),
    ]);
    await tried(hill.asWorker().ringNextBell());
    expect(await books(hill.root)).toEqual(balanced);
  }
  await hill.clock.ringBell();
  expect(unexpected).toEqual([]);
  expect(await payments.faults()).toEqual([]);
  expect(await hill.rows('select from hill.payment_claims where live and taken_cents is null')).toEqual([]);
  expect((await hill.rows('select from hill.payment_claims')).length).toBeGreaterThan(0);
}, 600_000);
