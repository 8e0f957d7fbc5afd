// Whose the paid money is: credits on a line, payments, and what disputes and refunds take of it. Rules 5.7, 5.8.
import type { State } from './states.ts';

/** Paid credits. A member has them in the order in which they came, which is that in which they are spent. */
export interface Credit {
  left: number;
  readonly at: number;
  /** The top-up at Stripe that they are of, if they are of one. */
  readonly topUp?: string;
  /** The number of its transfer, where that is known. */
  readonly transfer?: number;
}

export interface TopUp {
  readonly id: string;
  readonly of: string;
  readonly cents: number;
  readonly begunAt: number;
  /** The session at Stripe, once it is noted. */
  checkout?: string;
  /** The payment that was credited. */
  payment?: string;
}

interface Claim {
  readonly kind: 'dispute' | 'refund';
  readonly payment: string;
  cents: number;
  live: boolean;
  at: number;
  /** By what the events of one claim are ordered: when it was sent, whether it settles the claim, its id. */
  told: readonly [number, boolean, string];
  released: boolean;
  /** What a bell took, and what had been spent by then. */
  took?: { readonly taken: number; readonly writtenOff: number };
}

export interface Money {
  topUps: Record<string, TopUp>;
  claims: Record<string, Claim>;
  /** Each event that Stripe told, by its id. */
  told: Record<string, CheckoutTold | ClaimTold>;
  /** The model's. */
  readonly met: State[];
}

export interface CheckoutTold {
  readonly event: string;
  readonly topUp: string;
  readonly payment: string;
  readonly status: 'paid' | 'expired' | 'unpaid';
  readonly wrong?: 'signature' | 'livemode' | 'amount' | 'currency' | 'account' | 'session';
}

export interface ClaimTold {
  readonly event: string;
  readonly kind: 'dispute' | 'refund';
  readonly claim: string;
  readonly payment: string;
  readonly cents: number;
  readonly status: string;
  /** Seconds since 1970, by Stripe's clock: events need not come in that order. */
  readonly sent: number;
  readonly wrong?: 'signature' | 'livemode' | 'currency';
}

interface Payer {
  readonly paid: Credit[];
  readonly closed: boolean;
}

export const noMoney = (met: State[]): Money => ({ topUps: {}, claims: {}, told: {}, met });

const movesNoMoney = /^(won|prevented|warning_.*|failed|canceled)$/;
const settles = /^(won|lost|prevented|warning_closed|succeeded|failed|canceled)$/;

export const paidCents = ({ paid }: Pick<Payer, 'paid'>): number => paid.reduce((sum, { left }) => sum + left, 0);

export const creditedBy = ({ topUps }: Money, payment: string): [string, TopUp] | undefined =>
  Object.entries(topUps).find(([, topUp]) => topUp.payment === payment);

/** Deposits, announcements and further top-ups are refused. */
export const isBarred = (money: Money, member: string): boolean =>
  Object.values(money.claims).some(
    ({ live, released, payment }) => live && !released && creditedBy(money, payment)?.[1].of === member,
  );

export function spend(paid: Credit[], cents: number): void {
  let due = cents;
  for (const credit of paid) {
    const taken = Math.min(credit.left, due);
    credit.left -= taken;
    due -= taken;
  }
}

/**
 * What a bell takes of disputed and refunded top-ups, once the night is settled. What came in since midnight is none of
 * this bell's, nor is a top-up of which something was given back since.
 */
export function takeBack(money: Money, member: string, { paid }: Payer, bell: number): void {
  const due = Object.entries(money.claims)
    .filter(([, { live, took, at }]) => live && !took && at < bell)
    .sort(([a, one], [b, other]) => one.at - other.at || (a < b ? -1 : 1));
  for (const [, claim] of due) {
    const [name, topUp] = creditedBy(money, claim.payment) ?? [];
    const its = paid.filter((credit) => credit.topUp === name);
    if (!name || topUp?.of !== member || its.some(({ at }) => at >= bell)) continue;
    const before = paidCents({ paid: its });
    spend(its, claim.cents);
    const taken = before - paidCents({ paid: its });
    claim.took = { taken, writtenOff: claim.cents - taken };
    if (taken < claim.cents) money.met.push(`a ${claim.kind} of money that was spent`);
  }
}

/** What is left of the paid credits of an account that was closed lapses. Rules 19.5. */
export function lapse(member: Payer, bell: number): void {
  for (const credit of member.paid) if (member.closed && credit.at < bell) credit.left = 0;
}

/** The outcome of an event of Checkout. Its id counts once. */
export function takeCheckout(money: Money, of: Payer | undefined, told: CheckoutTold, now: number): string {
  if (money.told[told.event]) return 'known';
  money.told[told.event] = told;
  if (told.wrong === 'livemode') return 'refused: real money, and this hill takes test cards';
  const topUp = money.topUps[told.topUp];
  if (!topUp || !of) return 'no top-up of this hill';
  const paid = told.status === 'paid';
  if (topUp.payment) return paid && told.payment !== topUp.payment ? 'refused: paid twice' : 'credited before';
  if (!paid) return told.status === 'expired' ? 'failed' : 'not paid yet';
  if (of.closed) {
    money.met.push('a payment of an account that had closed');
    return 'refused: the account is closed';
  }
  if (told.wrong && (told.wrong !== 'session' || topUp.checkout)) return `refused: another ${told.wrong}`;
  if (creditedBy(money, told.payment)) return 'refused: no payment of its own';
  topUp.payment = told.payment;
  of.paid.push({ left: topUp.cents, at: now, topUp: told.topUp });
  for (const { payment, kind } of Object.values(money.claims))
    if (payment === told.payment) money.met.push(`a ${kind} that came before its payment`);
  return 'credited';
}

function giveBack(claim: Claim, topUp: string, of: Payer, now: number): void {
  if (claim.took && claim.took.taken > 0) of.paid.push({ left: claim.took.taken, at: now, topUp });
  delete claim.took;
}

/** The outcome of an event of a dispute or a refund: in whatever order they come, the latest counts. */
export function takeClaim(
  money: Money,
  members: Readonly<Record<string, Payer>>,
  told: ClaimTold,
  { now, late }: { readonly now: number; readonly late: boolean },
): string {
  if (money.told[told.event]) return 'known';
  money.told[told.event] = told;
  if (told.wrong === 'livemode') return 'refused: real money, and this hill takes test cards';
  const [name, topUp] = creditedBy(money, told.payment) ?? [];
  if (told.wrong) return topUp ? 'refused: a claim in another currency' : 'no payment of this hill';
  const [live, order] = [!movesNoMoney.test(told.status), [told.sent, settles.test(told.status), told.event] as const];
  const known = money.claims[told.claim];
  if (known && !isLater(order, known.told)) return 'older than what is known';
  const same = known?.live && live && known.cents === told.cents;
  if (known?.took && name && topUp && !same) {
    giveBack(known, name, members[topUp.of] as Payer, now);
    money.met.push('a dispute or refund that ended after its money was taken');
    if (late) money.met.push('money that was given back while a bell was due');
  }
  money.claims[told.claim] = {
    ...(known ?? { kind: told.kind, payment: told.payment, released: false }),
    ...{ cents: told.cents, live, at: same ? known.at : now, told: order },
  };
  return topUp ? told.status : 'kept until its payment is known';
}

const isLater = (one: Claim['told'], other: Claim['told']): boolean =>
  one[0] !== other[0] ? one[0] > other[0] : one[1] !== other[1] ? one[1] : one[2] > other[2];

/** Staff end the bar: the claims that bar the account bar it no longer, whatever becomes of them. */
export function release(money: Money, member: string): void {
  for (const claim of Object.values(money.claims))
    if (claim.live && creditedBy(money, claim.payment)?.[1].of === member) claim.released = true;
}
