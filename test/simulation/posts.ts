// Of the model: which events of a night are posted where, and what became of each. Rules 15.
import type { NightResult } from '../support/hill/night.ts';
import { rentCents } from '../support/naive/naive-rent.ts';
import type { Member, Model } from './model.ts';
import { paidCents } from './money.ts';

export const eventNames = ['bell_rung', 'seat_won', 'seat_lost', 'fuel_low'] as const;

export interface Subscription {
  readonly member: string;
  readonly agent: string;
  readonly url: string;
  readonly events: readonly string[];
  ended?: true;
  /** 2: its credits do not cover the cheapest move; 1: not a day up to the cap. */
  level: number;
  /** A worker has taken something for it and has not said what became of that. */
  busy?: true;
  /** Something has failed since anything arrived; and that was days ago. */
  failing?: true;
  hopeless?: true;
  /** What it was to be told, as `seat_won 5 3`, and what became of it. */
  readonly told: Record<string, { state: 'waiting' | 'delivered' | 'dropped' | 'given_up'; attempts: number }>;
}

export const isSent = (model: Model, { agent, ended }: Subscription): boolean =>
  !ended && model.agents[agent]?.cut === false;

export function endSubscription(one: Subscription): void {
  one.ended = true;
  for (const delivery of Object.values(one.told)) if (delivery.state === 'waiting') delivery.state = 'dropped';
}

/** An event as its body tells it. */
export const textOf = ({ type, data }: { type: string; data: Readonly<Record<string, unknown>> }): string =>
  [type, data.day, ...(type === 'bell_rung' ? [data.accounts] : [])]
    .concat(type === 'seat_won' ? [data.slot, data.via, data.points] : [])
    .concat(type === 'seat_lost' ? [data.slot, data.days_held, data.because] : [])
    .concat(type === 'fuel_low' ? [data.below, data.credits_cents] : [])
    .join(' ');

/** `before`: who held what before the night. */
export function tellNight(model: Model, night: NightResult, before: Model['holders']): void {
  const accounts = new Set(night.charges.map(({ account }) => account)).size;
  for (const one of Object.values(model.posts)) {
    if (!isSent(model, one)) continue;
    const member = model.members[one.member] as Member;
    const won = night.slots.flatMap(({ slot, occupants }) =>
      occupants
        .filter(({ account, days_held }) => account === one.member && Number(days_held) === 0)
        .map(({ via, points }) => ({ type: 'seat_won', data: { day: night.day, slot, via, points } })),
    );
    const lost = Object.entries(before)
      .filter(([slot, held]) => one.member in held && !(one.member in (model.holders[Number(slot)] ?? {})))
      .map(([slot, held]) => {
        const played = night.charges.some((charge) => charge.account === one.member && `${charge.slot}` === slot);
        const because = played ? 'evicted' : 'left';
        return { type: 'seat_lost', data: { day: night.day, slot, days_held: held[one.member], because } };
      });
    const events = [
      { type: 'bell_rung', data: { day: night.day, accounts } },
      ...won,
      ...lost,
      ...fuel(one, member, night),
    ];
    for (const event of events)
      if (one.events.includes(event.type)) one.told[textOf(event)] = { state: 'waiting', attempts: 0 };
  }
}

/** Told when it has become worse since it was told last. */
function fuel(one: Subscription, member: Member, { day }: NightResult) {
  if (!one.events.includes('fuel_low')) return [];
  const credits_cents = paidCents(member) + member.lots.reduce((sum, { left }) => sum + left, 0);
  const level = credits_cents < Number(rentCents(0)) ? 2 : credits_cents < member.dailyCap ? 1 : 0;
  const worse = level > one.level;
  one.level = level;
  const below = level === 2 ? 'cheapest_move' : 'daily_cap';
  return worse ? [{ type: 'fuel_low', data: { day, below, credits_cents } }] : [];
}

/** Whether a worker may take this one now. */
export function take(model: Model, name: string | undefined, text: string, attempt: number): boolean {
  const one = model.posts[name ?? ''];
  const delivery = one?.told[text];
  if (!one || !delivery || !isSent(model, one) || one.busy || delivery.state !== 'waiting') return false;
  delivery.attempts += 1;
  one.busy = true;
  return delivery.attempts === attempt;
}

/** What the hill makes of the end of an attempt. */
export function attempted(one: Subscription, text: string, outcome: string): string {
  const delivery = one.told[text] as Subscription['told'][string];
  delete one.busy;
  if (outcome === 'busy') delivery.attempts -= 1;
  if (outcome === 'busy') return 'waiting';
  if (outcome === 'delivered') {
    delete one.failing;
    delete one.hopeless;
    delivery.state = 'delivered';
    return 'delivered';
  }
  one.failing = true;
  if (outcome === 'gone' || one.hopeless) {
    endSubscription(one);
    return 'ended';
  }
  if (delivery.attempts < 12) return 'waiting';
  delivery.state = 'given_up';
  return 'given_up';
}
