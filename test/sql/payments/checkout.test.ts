// A top-up that is paid for at Stripe: credited once, for what was asked, and for nothing that Stripe did not sign.
// Rules 5.2, 5.7; decisions 99.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keepStripeKey } from '../../../src/db/kept-settings.ts';
import { askStripe } from '../../../src/worker/payments.ts';
import { anAccount, balanced, books, call, useHill } from '../../support/hill/index.ts';
import { usePayments } from '../../support/hill/payments.ts';
import { refusal } from '../../support/hill/refusal.ts';
import { prove } from '../../support/hill/sign-in.ts';
import { aLog } from '../../support/hill/worker.ts';
import type { Event, Session } from '../../support/peers/stripe-server.ts';

const hill = useHill();
const payments = usePayments(hill);
const { stripe } = payments;
const { log } = aLog();

const paidCents = async (id: string) =>
  (await hill.rows('select paid_cents from hill.wallets where account_id = $1', [id]))[0]?.paid_cents;

describe('a payment', () => {
  test('is credited once, however often and by whatever way it is told', async () => {
    const ann = await anAccount(hill);
    const { session, top_up_id } = await payments.begin(ann, 4250);
    expect(await payments.shown(ann)).toMatchObject([{ top_up_id, state: 'pending', cents: 4250 }]);
    const event = await stripe.pay(session);

    const outcomes = await Promise.all([1, 2, 3, 4].map(() => payments.tell(event)));

    expect(outcomes.sort()).toEqual(['credited', 'known', 'known', 'known']);
    expect(await payments.tell({ ...event, id: 'evt_another' })).toBe('credited before');
    expect(await paidCents(ann.id)).toBe(4250);
    expect(await payments.shown(ann)).toMatchObject([{ top_up_id, state: 'paid', remaining_cents: 4250 }]);
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('that is told after its session was said to have expired is credited all the same', async () => {
    const ann = await anAccount(hill);
    const { session } = await payments.begin(ann, 2000);
    const expired = await stripe.expire(session);
    const paid = await stripe.pay(session);
    expect(await payments.tell(expired)).toBe('failed');
    expect(await payments.shown(ann)).toMatchObject([{ state: 'failed' }]);
    expect(await payments.tell(paid)).toBe('credited');
    expect(await payments.tell({ ...expired, id: 'evt_late' })).toBe('credited before');
    expect(await payments.shown(ann)).toMatchObject([{ state: 'paid' }]);
  });

  test('that is not what was asked for is not credited', async () => {
    const [ann, bob] = [await anAccount(hill), await anAccount(hill)];
    const { session } = await payments.begin(ann, 5000);
    const { data, ...event } = await stripe.pay(session);
    const altered = (change: Partial<Session>): Event => ({
      ...event,
      id: `evt_${randomUUID()}`,
      data: { object: { ...data.object, ...change } },
    });

    for (const [change, outcome] of [
      [{ amount_total: 2000 }, 'refused: another amount'],
      [{ amount_total: 500_000 }, 'refused: another amount'],
      [{ currency: 'eur' }, 'refused: another currency'],
      [{ metadata: { account_id: bob.id } }, 'refused: another account'],
      [{ metadata: {} }, 'refused: another account'],
      [{ id: 'cs_of_somebody_else' }, 'refused: another session'],
      [{ payment_intent: null }, 'refused: no payment of its own'],
      [{ payment_status: 'unpaid' as const }, 'not paid yet'],
      [{ client_reference_id: randomUUID() }, 'no top-up of this hill'],
      [{ client_reference_id: null }, 'no top-up of this hill'],
    ] as const)
      expect(await payments.tell(altered(change)), JSON.stringify(change)).toBe(outcome);

    expect([await paidCents(ann.id), await paidCents(bob.id)]).toEqual([0, 0]);
    expect(await payments.tell(altered({}))).toBe('credited');
    const other = await payments.begin(bob, 5000);
    const twice = await stripe.pay(other.session);
    expect(
      await payments.tell({
        ...twice,
        data: { object: { ...twice.data.object, payment_intent: session.payment_intent } },
      }),
    ).toBe('refused: no payment of its own');
  });
});

describe('an event', () => {
  test('with a signature that is missing, altered, old, ahead, or of another body is refused and changes nothing', async () => {
    const ann = await anAccount(hill);
    const event = await stripe.pay((await payments.begin(ann, 2000)).session);
    const { body, signature } = stripe.signed(event);
    const [t, v1] = signature.split(',') as [string, string];
    const now = Math.floor(Date.now() / 1000);
    const at = (seconds: number) => stripe.signed(event, { at: now + seconds }).signature;

    for (const [given, header] of [
      [body, null],
      [body, ''],
      [body, t],
      [body, v1],
      [body, `${t},v0=${v1.slice(3)}`],
      [body, `t=${now + 1},${v1}`.replace(`t=${now + 1}`, `t=${Number(t.slice(2)) - 1}`)],
      [body, `${t},${t},${v1}`],
      [body, `${t},${v1.slice(0, -1)}${v1.endsWith('0') ? '1' : '0'}`],
      [body, `${t},${v1.toUpperCase().replace('V1', 'v1')}`],
      [body, `t=99999999999999999999,${v1}`],
      [body, at(-301)],
      [body, at(302)],
      [body, stripe.signed(event, { secret: 'whsec_of_somebody_else' }).signature],
      [body.replace('2000', '9000'), signature],
      [`${body} `, signature],
    ] as const)
      expect(await refusal(payments.tellRaw(given, header)), `${header}`).toMatchObject({ code: 'SIGNATURE_REFUSED' });

    expect(await paidCents(ann.id)).toBe(0);
    expect(await hill.rows('select from hill.payment_events where id = $1', [event.id])).toEqual([]);
    // an older secret beside the present one, while the two are being exchanged; at the edge of what is taken
    expect((await payments.tellRaw(body, `${at(-290)},v1=${'0'.repeat(64)}`)).outcome).toBe('credited');
  });

  test('that nobody asked for is not kept', async () => {
    expect(await payments.tell(await stripe.happen('customer.created', { id: 'cus_1' }))).toBe('not asked for');
    expect(await hill.rows("select from hill.payment_events where type = 'customer.created'")).toEqual([]);
  });
});

describe('what no event told', () => {
  const payments_ = {
    checkout: () => Promise.reject(new Error('not asked for')),
    session: async (id: string) => stripe.sessions.get(id) as never,
    async *eventsSince(seconds: number) {
      yield* stripe.events.filter(({ created }) => created >= seconds) as never[];
    },
  };

  test('the worker asks for: sessions that were paid or have expired, and all other events', async () => {
    const [ann, bob, carl] = [await anAccount(hill), await anAccount(hill), await anAccount(hill)];
    const before = stripe.events.length;
    const [paid, expired, open] = [
      await payments.begin(ann, 3000),
      await payments.begin(bob, 3000),
      await payments.begin(carl, 3000),
    ];
    await stripe.pay(paid.session);
    await stripe.expire(expired.session);
    stripe.events.length = before; // older than Stripe's list
    await hill.rows('update hill.top_ups set look_at = now() where look_at is not null');

    await askStripe(hill.as('worker'), payments_, prove, log);

    expect(await payments.shown(ann)).toMatchObject([{ state: 'paid' }]);
    expect(await payments.shown(bob)).toMatchObject([{ state: 'failed' }]);
    expect(await payments.shown(carl)).toMatchObject([{ state: 'pending' }]);
    await stripe.dispute(paid.session.payment_intent as string, 3000);
    await askStripe(hill.as('worker'), payments_, prove, log);
    expect(await payments.shown(ann)).toMatchObject([{ state: 'disputed' }]);
    await stripe.pay(open.session);
    await askStripe(hill.as('worker'), payments_, prove, log);
    expect(await payments.shown(carl)).toMatchObject([{ state: 'paid' }]);
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('is believed of the worker’s login with a proof only', async () => {
    const ann = await anAccount(hill);
    const { session } = await payments.begin(ann, 2000);
    const event = JSON.stringify(await stripe.pay(session));
    const checkout = JSON.stringify(session);
    for (const [name, args] of [
      ['take_stripe_event', { event, proven_at: Date.now(), proof: 'a'.repeat(64) }],
      ['take_stripe_event', { event, ...prove('stripe session', event) }],
      ['take_stripe_event', { event: event.replace('2000', '2001'), ...prove('stripe event', event) }],
      ['take_stripe_session', { checkout, ...prove('stripe event', checkout) }],
      ['take_stripe_session', { checkout, proven_at: Date.now() - 70_000, proof: 'x' }],
    ] as const)
      expect(await refusal(call(hill.as('worker'), `api_worker.${name}`, args))).toMatchObject({
        code: 'PROOF_REFUSED',
      });
    expect(await paidCents(ann.id)).toBe(0);
  });
});

describe('a top-up whose session was not made', () => {
  test('is over after half an hour, since Stripe takes none that ends within thirty minutes', async () => {
    const ann = await anAccount(hill);
    const begun = { session: ann.session, cents: 2000 };
    const { top_up_id } = await call<{ top_up_id: string }>(hill.as('web'), 'api_human.begin_top_up', begun);
    const pending = () => call(hill.as('web'), 'api_human.pending_top_up', { session: ann.session, top_up_id });
    const began = (minutes: number) =>
      hill.rows(
        'update hill.top_ups set started_at = now() - make_interval(mins => $2), look_at = now() where id = $1',
        [top_up_id, minutes],
      );
    await began(28);
    expect(await pending()).toMatchObject({ top_up_id, checkout: null });
    await began(29);
    expect(await pending()).toBeNull();
    expect(await payments.shown(ann)).toMatchObject([{ state: 'failed' }]);
    await call(hill.as('worker'), 'api_worker.take_checkout');
    expect(
      await hill.rows('select failed_at is not null as failed from hill.top_ups where id = $1', [top_up_id]),
    ).toEqual([{ failed: true }]);
  });
});

describe('beginning a top-up', () => {
  test.each([[1999], [100_001], [null]])('of %s cents is refused', async (cents) => {
    const ann = await anAccount(hill);
    expect(
      await refusal(call(hill.as('web'), 'api_human.begin_top_up', { session: ann.session, cents })),
    ).toMatchObject({
      code: 'INVALID_AMOUNT',
    });
  });

  test('is refused after ten in an hour', async () => {
    const ann = await anAccount(hill);
    for (let i = 0; i < 10; i++) await payments.begin(ann, 2000);
    expect(await refusal(payments.begin(ann, 2000))).toMatchObject({ code: 'rate_limited' });
  });
});

describe('a test card is not money', () => {
  const mode = (env: 'production' | 'development') => keepStripeKey({ env, stripeWebhookSecret: null }, hill.ownerUrl);
  const outcomeOf = async (id: string) =>
    (await hill.rows('select outcome, payment from hill.payment_events where id = $1', [id]))[0];

  test('where real money is: neither told by a signed event, nor found by the worker', async () => {
    const ann = await anAccount(hill);
    const { session } = await payments.begin(ann, 3000);
    const event = await stripe.pay(session);
    const { session: real } = await payments.begin(ann, 2000);
    await mode('production');
    try {
      expect(await payments.tell(event)).toBe('refused: a test card');
      expect(await outcomeOf(event.id)).toEqual({ outcome: 'refused: a test card', payment: null });
      const checkout = JSON.stringify(session);
      const bySession = { checkout, ...prove('stripe session', checkout) };
      expect(await call(hill.as('worker'), 'api_worker.take_stripe_session', bySession)).toBe('refused: a test card');
      const { livemode, ...silent } = { ...event, id: 'evt_without_mode' };
      expect(await payments.tell(silent as Event)).toBe('refused: neither of real money nor of a test card');
      expect(await paidCents(ann.id)).toBe(0);

      expect(await payments.tell({ ...(await stripe.pay({ ...real, livemode: true })), livemode: true })).toBe(
        'credited',
      );
      expect(await paidCents(ann.id)).toBe(2000);
    } finally {
      await mode('development');
    }
  });

  test('and real money is none where test cards are', async () => {
    const ann = await anAccount(hill);
    const event = { ...(await stripe.pay((await payments.begin(ann, 3000)).session)), livemode: true };
    expect(await payments.tell(event)).toBe('refused: real money, and this hill takes test cards');
    expect(await outcomeOf(event.id)).toMatchObject({ payment: expect.stringMatching(/^pi_/) });
    expect(await paidCents(ann.id)).toBe(0);
  });
});

describe('what cannot be read', () => {
  test('is refused with its reason, and keeps nothing else from being read', async () => {
    const [ann, bob] = [await anAccount(hill), await anAccount(hill)];
    const payment = await payments.topUp(ann, 4000);
    const bad = await stripe.refund(payment, 1000, { status: null as never });
    const odd = {
      ...(await stripe.happen('refund.created', { id: 're_1', payment_intent: { id: payment } })),
      api_version: '2031-01-01.next',
    };
    stripe.events[stripe.events.length - 1] = odd;
    const later = await payments.begin(bob, 2500);
    await stripe.pay(later.session);
    const logged = aLog();

    await askStripe(
      hill.as('worker'),
      {
        checkout: () => Promise.reject(),
        session: () => Promise.reject(),
        eventsSince: async function* () {
          yield* stripe.events as never[];
        },
      },
      prove,
      logged.log,
    );

    expect(await paidCents(bob.id)).toBe(2500);
    expect(
      await hill.rows('select outcome from hill.payment_events where id = any($1) order by id = $2', [
        [bad.event.id, odd.id],
        odd.id,
      ]),
    ).toEqual([{ outcome: 'refused: unreadable (23502 status)' }, { outcome: 'refused: unreadable (payment_intent)' }]);
    expect(logged.everything()).toContain(bad.event.id);
    expect(await payments.tell({ ...bad.event, id: 'evt_signed' })).toBe('refused: unreadable (23502 status)');
    expect(await payments.tell({ ...bad.event, id: 'evt_when', created: 'soon' as never })).toBe(
      'refused: unreadable (created)',
    );
    expect(await paidCents(ann.id)).toBe(4000);
    expect(await payments.faults()).toEqual([]);
  });

  test('of a session that Stripe does not know keeps the worker from no other, and fails its job', async () => {
    const [ann, bob] = [await anAccount(hill), await anAccount(hill)];
    const [gone, paid] = [await payments.begin(ann, 2000), await payments.begin(bob, 2000)];
    await stripe.pay(paid.session);
    await hill.rows("update hill.top_ups set look_at = now() - interval '1 minute' where id = $1", [gone.top_up_id]);
    await hill.rows('update hill.top_ups set look_at = now() where id = $1', [paid.top_up_id]);
    const session = async (id: string) => {
      if (id === gone.session.id) throw new Error('No such checkout session');
      return stripe.sessions.get(id) as never;
    };
    const asked = askStripe(
      hill.as('worker'),
      { checkout: () => Promise.reject(), session, eventsSince: async function* () {} },
      prove,
      log,
    );

    await expect(asked).rejects.toThrow('No such checkout session');
    expect(await payments.shown(bob)).toMatchObject([{ state: 'paid' }]);
  });
});

describe('a payment that waits for a person', () => {
  const waiting = async () =>
    (await call<{ waiting_payments: object }>(hill.as('worker'), 'api_worker.watch')).waiting_payments;

  test('is counted for operators: paid and not credited until it is returned, a dispute in another currency, one to answer', async () => {
    await hill.rows('alter table hill.payment_events disable trigger written_once');
    await hill.rows('delete from hill.payment_events');
    await hill.rows('alter table hill.payment_events enable trigger written_once');
    await hill.rows('update hill.top_ups set look_at = null');
    await hill.rows('update hill.payment_claims set released_at = now()');
    expect(await waiting()).toEqual({ not_credited: 0, refused: 0, dispute: 0, unknown: 0 });
    const ann = await anAccount(hill);
    const { session } = await payments.begin(ann, 5000);
    session.amount_total = 4000;
    await payments.tell(await stripe.pay(session));
    expect(await waiting()).toMatchObject({ not_credited: 1 });
    await payments.tell((await stripe.refund(session.payment_intent as string, 4000)).event);
    expect(await waiting()).toMatchObject({ not_credited: 0 });

    const payment = await payments.topUp(ann, 3000);
    const { id, event } = await stripe.dispute(payment, 3000);
    const euros = {
      ...event,
      id: 'evt_euros',
      data: { object: { ...event.data.object, id: 'dp_euros', currency: 'eur' } },
    };
    expect(await payments.tell(euros)).toBe('refused: a claim in another currency');
    await payments.tell(event);
    expect(await waiting()).toEqual({ not_credited: 0, refused: 1, dispute: 1, unknown: 0 });
    await payments.tell(
      (await stripe.dispute(payment, 3000, { id, status: 'under_review', type: 'updated', at: event.created + 5 }))
        .event,
    );
    const old = await payments.begin(await anAccount(hill), 2000);
    await hill.rows("update hill.top_ups set started_at = now() - interval '4 hours' where id = $1", [old.top_up_id]);
    expect(await waiting()).toEqual({ not_credited: 0, refused: 1, dispute: 0, unknown: 1 });
  });
});
