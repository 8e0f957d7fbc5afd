// Payments at Stripe: begun by humans, told by signed events in any order, disputed, refunded, unbarred by staff.
import type { Random } from '../../support/random.ts';
import { same } from '../compare.ts';
import {
  type CallKind,
  type Family,
  keysOf,
  type OfMember,
  refusedFor,
  type StepKind,
  someMember,
  unexpected,
} from '../family.ts';
import { barredBySession } from '../identity.ts';
import { type Answer, Contradiction, type Model, type Moment, momentFor } from '../model.ts';
import {
  type CheckoutTold,
  type ClaimTold,
  creditedBy,
  isBarred,
  release,
  type TopUp,
  takeCheckout,
  takeClaim,
} from '../money.ts';
import { type Call, stripe, type World } from '../world.ts';

/** Digits alone after the kind, so that ids have one order everywhere. */
const newId = (kind: string, random: Random) => `${kind}_${100_000 + random.below(900_000)}`;
const memberOf = (model: Model, name: string) => model.members[name] as Model['members'][string];
const hour = 3_600_000;

const beginTopUp: CallKind<OfMember & { topUp: string; cents: number }> = {
  odds: 6,
  needed: true,
  draw: (world, random) => {
    // not in every world: the more there is to do, the longer is a day
    if (world.temper.odds('payments') < 1) return null;
    const member = someMember(world, random);
    const cents = random.chance(0.05) ? random.pick([1_999, 100_001]) : 2_000 + random.below(3_000);
    return member ? { member, topUp: newId('top', random), cents } : null;
  },
  call: (world, { member, cents }) => {
    const keys = keysOf(world, member);
    return keys ? { as: 'web', name: 'api_human.begin_top_up', args: { session: keys.session, cents } } : null;
  },
  learn: (model, { now }, { member, topUp, cents }, answer) => {
    const { topUps } = model.money;
    const lately = Object.values(topUps).filter(({ of, begunAt }) => of === member && begunAt > now - 2 * hour);
    if ('refused' in answer && answer.refused === 'rate_limited' && lately.length >= 10) return;
    const reasons = {
      ...barredBySession(model, member),
      PAYMENT_DISPUTED: isBarred(model.money, member),
      INVALID_AMOUNT: cents < 2_000 || cents > 100_000,
    };
    if (refusedFor(answer, `${member} begins a top-up`, reasons)) return;
    const { result } = answer as { result: { top_up_id: string } };
    topUps[topUp] = { id: result.top_up_id, of: member, cents, begunAt: now };
  },
};

const someTopUp = ({ model: { money } }: World, random: Random): [string, TopUp] | null => {
  const all = Object.entries(money.topUps);
  // the latest are those of which most is still to come
  return all.length > 0 ? random.pick(random.chance(0.6) ? all.slice(-3) : all) : null;
};

/** The web process has made a session at Stripe. */
const noteCheckout: CallKind<OfMember & { topUp: string; checkout: string }> = {
  odds: 2,
  draw: (world, random) => {
    const [topUp, { of }] = someTopUp(world, random) ?? ['', { of: '' }];
    const member = random.chance(0.1) ? someMember(world, random) : of;
    return topUp && member ? { member, topUp, checkout: `cs_${topUp}${random.chance(0.1) ? '_b' : ''}` } : null;
  },
  call: (world, { member, topUp, checkout }) => {
    const keys = keysOf(world, member);
    const id = world.model.money.topUps[topUp]?.id;
    const args = { session: keys?.session, top_up_id: id, checkout };
    return keys && id ? { as: 'web', name: 'api_human.note_checkout', args } : null;
  },
  learn: (model, _, { member, topUp, checkout }, answer) => {
    if (refusedFor(answer, `${member} gets a session`, barredBySession(model, member))) return;
    const known = model.money.topUps[topUp] as TopUp;
    // nothing of somebody else's
    if (known.of === member) known.checkout ??= checkout;
  },
};

/** An event of Stripe as the web process hands it on. */
function tell(event: string, type: string, sent: number, wrong: string | undefined, object: object): Call {
  const signed = stripe.signed({
    ...{
      id: event,
      object: 'event',
      type,
      created: sent,
      livemode: wrong === 'livemode',
      api_version: '',
      data: { object },
    },
  });
  const signature =
    wrong === 'signature' ? signed.signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')) : signed.signature;
  return { as: 'web', name: 'api_human.take_stripe_event', args: { body: Buffer.from(signed.body), signature } };
}

function learnTold(answer: Answer, told: { readonly event: string; readonly wrong?: string }, outcome: () => string) {
  if (refusedFor(answer, told.event, { SIGNATURE_REFUSED: told.wrong === 'signature' })) return;
  const { result } = answer as { result: { outcome: string } };
  const expected = outcome();
  if (result.outcome !== expected) unexpected(`${told.event}, which should be "${expected}"`, answer);
}

/** One that was told before; and in one of ten, nothing but its id is the same. */
function again<T extends CheckoutTold | ClaimTold>(
  world: World,
  random: Random,
  is: (told: CheckoutTold | ClaimTold) => told is T,
) {
  const all = Object.values(world.model.money.told).filter(is);
  return all.length > 0 && random.chance(0.15) ? random.pick(all) : null;
}

const checkoutTold: CallKind<CheckoutTold> = {
  odds: 12,
  needed: true,
  beside: 'a bell that rang beside an event of Stripe',
  draw: (world, random) => {
    const old = again(world, random, (told): told is CheckoutTold => 'topUp' in told);
    if (old) return old;
    const [topUp] = someTopUp(world, random) ?? [];
    if (!topUp) return null;
    const [other] = random.chance(0.06) ? (someTopUp(world, random) ?? []) : [];
    return {
      ...{ event: newId('evt', random), topUp, payment: `pi_${other ?? topUp}${random.chance(0.04) ? '_b' : ''}` },
      status: random.pick(['paid', 'paid', 'paid', 'paid', 'expired', 'unpaid'] as const),
      ...(random.chance(0.12)
        ? { wrong: random.pick(['signature', 'livemode', 'amount', 'currency', 'account', 'session'] as const) }
        : {}),
    };
  },
  call: (world, { event, topUp, payment, status, wrong }) => {
    const known = world.model.money.topUps[topUp];
    const keys = known && keysOf(world, known.of);
    if (!keys) return null;
    return tell(event, `checkout.session.${status === 'expired' ? 'expired' : 'completed'}`, 1_900_000_000, wrong, {
      id: wrong === 'session' ? 'cs_none' : (known.checkout ?? `cs_${topUp}`),
      client_reference_id: known.id,
      amount_total: known.cents + (wrong === 'amount' ? 1 : 0),
      currency: wrong === 'currency' ? 'eur' : 'usd',
      metadata: { account_id: wrong === 'account' ? known.id : keys.id },
      status: status === 'unpaid' ? 'open' : status === 'expired' ? 'expired' : 'complete',
      payment_status: status === 'paid' ? 'paid' : 'unpaid',
      payment_intent: status === 'paid' ? payment : null,
    });
  },
  learn: (model, moment, told, answer) => {
    const of = model.members[model.money.topUps[told.topUp]?.of ?? ''];
    const { now } = of ? momentFor(of, moment) : moment;
    return void learnTold(answer, told, () => takeCheckout(model.money, of, told, now));
  },
};

const statuses = {
  dispute: [
    'needs_response',
    'needs_response',
    'needs_response',
    'under_review',
    'won',
    'won',
    'lost',
    'prevented',
    'warning_needs_response',
    'warning_closed',
  ],
  refund: ['succeeded', 'succeeded', 'pending', 'failed', 'canceled'],
} as const;

const claimTold: CallKind<ClaimTold> = {
  odds: 9,
  needed: true,
  beside: 'a bell that rang beside an event of Stripe',
  draw: (world, random) => {
    const old = again(world, random, (told): told is ClaimTold => 'claim' in told);
    if (old) return old;
    const claims = Object.entries(world.model.money.claims);
    const [name, topUp] = someTopUp(world, random) ?? [];
    if (!name || !topUp) return null;
    const [claim, known] = claims.length > 0 && random.chance(0.55) ? random.pick(claims) : [];
    const kind = known?.kind ?? random.pick(['dispute', 'dispute', 'refund'] as const);
    const cents =
      known && random.chance(0.85) ? known.cents : random.chance(0.5) ? topUp.cents : 1 + random.below(topUp.cents);
    return {
      ...{ event: newId('evt', random), kind, claim: claim ?? newId(kind === 'dispute' ? 'dp' : 're', random), cents },
      payment: known?.payment ?? `pi_${name}`,
      status: random.pick<string>(statuses[kind]),
      sent: Math.floor(world.now / 1_000) - random.pick([0, 0, 0, 1, 3_600, 86_400]),
      ...(random.chance(0.06) ? { wrong: random.pick(['signature', 'livemode', 'currency'] as const) } : {}),
    };
  },
  call: (_, { event, kind, claim, payment, cents, status, sent, wrong }) =>
    tell(event, kind === 'dispute' ? 'charge.dispute.updated' : 'refund.updated', sent, wrong, {
      ...{ id: claim, amount: cents, payment_intent: payment, status, currency: wrong === 'currency' ? 'eur' : 'usd' },
    }),
  learn: (model, moment, told, answer) => {
    const [, topUp] = creditedBy(model.money, told.payment) ?? [];
    const of = model.members[topUp?.of ?? ''];
    const when = { now: of ? momentFor(of, moment).now : moment.now, late: isLate(model, moment) };
    return void learnTold(answer, told, () => takeClaim(model.money, model.members, told, when));
  },
};

const isLate = ({ lastNight }: Model, { today }: Moment) => today > lastNight + 1;

const liftBar: CallKind<OfMember> = {
  odds: 4,
  draw: (world, random) => {
    if (Object.keys(world.model.money.claims).length === 0) return null;
    const barred = Object.keys(world.model.members).filter((name) => isBarred(world.model.money, name));
    const member = barred.length > 0 && random.chance(0.8) ? random.pick(barred) : someMember(world, random);
    return member ? { member } : null;
  },
  call: (world, { member }) => {
    const keys = keysOf(world, member);
    return keys ? { as: 'staff', name: 'api_staff.lift_bar', args: { account_id: keys.id, reason: 'a world' } } : null;
  },
  learn: (model, _, { member }, answer) => {
    if (refusedFor(answer, `the bar of ${member} is lifted`, { NOT_ALLOWED: !isBarred(model.money, member) })) return;
    release(model.money, member);
  },
};

/** What `npm run verify` asks of the money, which takes longer than to compare it. */
const audit: StepKind<object> = {
  odds: 0.5,
  draw: () => ({}),
  step: async ({ hill }) => {
    const wrong = await hill.rows(
      `select c.name, c.example
         from (select * from engine.check_balances() union all select * from engine.check_settlements()
               union all select * from engine.check_payments() union all select * from engine.check_tournaments()) c
        where c.wrong > 0`,
    );
    if (wrong.length > 0) throw new Contradiction(`What the hill checks of itself: ${JSON.stringify(wrong)}`);
  },
};

/** What is left of each credit, and what claims came to. */
async function check({ hill, model, members }: World): Promise<void> {
  const { topUps, claims } = model.money;
  if (Object.keys(topUps).length === 0) return;
  const { rows } = await hill.root.query<{ claims: object; credits: Record<string, number[]> }>({
    name: 'credits and claims',
    text: `
    select (select coalesce(jsonb_object_agg(c.id, jsonb_build_object('live', c.live, 'cents', c.cents, 'released', c.released_at is not null,
                                                                      'taken', c.taken_cents, 'writtenOff', c.written_off_cents)), '{}')
              from hill.payment_claims c) as claims,
           (select coalesce(jsonb_object_agg(a.account_id, (select coalesce(jsonb_agg(p.remaining_cents order by p.transfer_id), '[]')
                                                              from engine.paid_credits(a.account_id) p where p.remaining_cents > 0)), '{}')
              from (select distinct t.account_id from hill.top_ups t where t.transfer_id is not null) a) as credits`,
  });
  const [row] = rows;
  const expected = Object.entries(claims).map(([name, { live, cents, released, took }]) => [
    name,
    { live, cents, released, taken: took?.taken ?? null, writtenOff: took?.writtenOff ?? null },
  ]);
  same('the claims', row?.claims, Object.fromEntries(expected));
  for (const [account, left] of Object.entries(row?.credits ?? {})) {
    const name = members.get(account) as string;
    const credits = memberOf(model, name).paid.filter((credit) => credit.left > 0);
    same(
      `the credits of ${name}`,
      left,
      credits.map((credit) => credit.left),
    );
  }
}

export const payments: Family = {
  calls: { beginTopUp, noteCheckout, checkoutTold, claimTold, liftBar },
  steps: { audit },
  check,
};
