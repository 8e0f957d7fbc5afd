// The least that must hold of a world, kept beside it in plain data: who may do what, what lives tonight, and whose the
// money is. Each answer is either what the model allows or a contradiction.
import type { OwnState, Receipt } from '../support/hill/doors.ts';
import { dayOne } from '../support/hill/hill.ts';
import type { NightResult } from '../support/hill/night.ts';
import { resolveNaively } from '../support/naive/naive-engine.ts';
import { rentCents } from '../support/naive/naive-rent.ts';
import { type Cups, noCups } from './cups.ts';
import { barredByToken, type Identity, noIdentity, signedOut } from './identity.ts';
import { type Credit, isBarred, lapse, type Money, noMoney, paidCents, spend, takeBack } from './money.ts';
import { type Subscription, tellNight } from './posts.ts';
import type { State } from './states.ts';

/** Instants are milliseconds since 1970: the clock of a world has no smaller steps. */
/** What staff have ordered for a member, and whether they take it back at the bell of a day. */
interface Order {
  readonly lot: number;
  readonly expiresAt: number;
  revokedOn?: number;
  taken?: true;
}

interface Lot {
  readonly order?: string;
  left: number;
  readonly grantedAt: number;
  readonly expiresAt: number;
}

interface Live {
  readonly agent: string;
  readonly move: 'PEACE' | 'WAR';
  readonly stake: number;
  readonly cost: number;
  readonly message: string | undefined;
  readonly at: string;
  /** The order in which it was deposited, as the hill has it. */
  seq?: number;
}

export interface Member {
  paid: Credit[];
  lots: Lot[];
  /** By their keys. */
  readonly orders: Record<string, Order>;
  dailyCap: number;
  maxStake: number;
  weeklyCap: number | null;
  /** The day from which its agents may play again. */
  pausedUntil: number;
  /** What past nights cost, in cents. */
  charges: Record<number, number>;
  suspended: boolean;
  closed: boolean;
  /** When it acted last, if the clock has gone back since. Nothing that it does comes before that. */
  acted?: number;
  /** Deposits of today. */
  moves: number;
  /** What lives tonight, by place. */
  live: Record<number, Live>;
  /** What it announced, by day and place: `7.3`. */
  announced: Record<string, { readonly intention: string; readonly message: string | undefined }>;
  /** Microseconds since 1970. */
  readonly since: string;
  /** Live moves of past nights. */
  past: { readonly day: number; readonly peace: number; readonly war: number }[];
}

export interface Model {
  /** The last night that was published. */
  lastNight: number;
  members: Record<string, Member>;
  /** `token`: what it was given last, by its name; that of others never ends. */
  agents: Record<string, { readonly of: string; cut: boolean; over?: boolean; token?: string }>;
  identity: Identity;
  /** Days held before tonight, by place and member. */
  holders: Record<number, Record<string, number>>;
  opensDay: Record<number, number>;
  money: Money;
  cups: Cups;
  /** The night that was published last, as everybody is told of it. */
  told: Published | null;
  /** What members are called who have chosen another name. */
  names: Record<string, string>;
  posts: Record<string, Subscription>;
  /** What staff hide now, of what was said with moves that are published and with announcements: see told.ts. */
  readonly hidden: Record<string, true>;
  readonly said: Record<string, true>;
  /** The rare states that calls have met: see states.ts. */
  readonly met: State[];
  /** How many days granted credits live. */
  creditDays: number;
}

/** What the hill answered and the model does not allow, or the other way round. */
export class Contradiction extends Error {
  override readonly name = 'Contradiction';
}

/** The hill's answer to a call: its result, or the code of its refusal. */
export type Answer<T = unknown> = { readonly result: T } | { readonly refused: string };

export interface Deposit {
  readonly agent: string;
  readonly slot: number;
  readonly move: 'PEACE' | 'WAR' | 'PASS';
  readonly stake?: number | undefined;
  readonly message?: string | undefined;
  /** The day that it names, as it is from today: 0 or -1. */
  readonly day?: number | undefined;
}

export interface Announcement {
  readonly agent: string;
  readonly slot: number;
  readonly intention: 'PEACE' | 'WAR' | 'PASS';
  readonly message?: string | undefined;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
export const granted = ({ lots }: Member): number => sum(lots.map(({ left }) => left));
export const reserved = ({ live }: Member): number => sum(Object.values(live).map(({ cost }) => cost));

/** What its weekly cap leaves for the day after the last night. Rules 3.8. */
export const weeklyLeft = ({ lastNight }: Model, { weeklyCap, charges }: Member): number =>
  weeklyCap === null
    ? Number.POSITIVE_INFINITY
    : weeklyCap -
      sum(Object.keys(charges).map((day) => (Number(day) > lastNight - 6 ? (charges[Number(day)] ?? 0) : 0)));

export function emptyModel(opensDay: Record<number, number>): Model {
  const met: State[] = [];
  return {
    ...{ lastNight: 0, members: {}, agents: {}, holders: {}, opensDay, told: null, names: {}, met },
    ...{ posts: {}, hidden: {}, said: {}, creditDays: 90 },
    ...{ money: noMoney(met), cups: noCups(), identity: noIdentity() },
  };
}

export const newMember = (since: string): Member => ({
  ...{ paid: [], lots: [], orders: {}, dailyCap: 1000, maxStake: 1500, suspended: false, closed: false },
  ...{ weeklyCap: null, pausedUntil: 0, charges: {} },
  ...{ moves: 0, live: {}, announced: {}, since, past: [] },
});

/** When something is done, by the clock. */
export interface Moment {
  readonly now: number;
  readonly today: number;
  /** Others call at the same time. */
  readonly racing?: true;
}

export const dayMs = 86_400_000;
/** The bell of a day. */
export const bellAt = (day: number): number => Date.parse(`${dayOne}T00:00:00Z`) + day * dayMs;
/** Of credits that are granted now. */
export const expiryOf = ({ creditDays }: Model, now: number): number => now + creditDays * dayMs;
export const momentOf = (now: number): Moment => ({ now, today: Math.floor((now - bellAt(0)) / dayMs) + 1 });

/** When an account acts. */
export const momentFor = ({ acted }: Member, { now }: Moment): Moment => momentOf(Math.max(now, acted ?? 0));

const memberOf = (model: Model, agent: string): Member =>
  model.members[(model.agents[agent] as { of: string }).of] as Member;

/** A refusal must have a reason that holds, and what has a reason must be refused. */
function judge(answer: Answer, reasons: Readonly<Record<string, boolean>>, about: string): boolean {
  const holding = Object.keys(reasons).filter((code) => reasons[code]);
  if ('refused' in answer) {
    if (!holding.includes(answer.refused))
      throw new Contradiction(`${about} was refused with ${answer.refused}; what holds is [${holding}]`);
    return false;
  }
  if (holding.length > 0) throw new Contradiction(`${about} was accepted, although ${holding}`);
  return true;
}

export function deposited(model: Model, moment: Moment, deposit: Deposit, answer: Answer<Receipt>): undefined {
  const { agent, slot, move, message } = deposit;
  const stake = deposit.stake ?? 0;
  const member = memberOf(model, agent);
  const { now, today } = momentFor(member, moment);
  const live = member.live[slot];
  const barred = {
    ...barredByToken(model, agent, moment.now),
    ACCOUNT_CLOSED: member.closed,
    ACCOUNT_SUSPENDED: member.suspended,
    PAYMENT_DISPUTED: isBarred(model.money, (model.agents[agent] as { of: string }).of),
    PAUSED: today < member.pausedUntil,
    BELL_RINGING: today > model.lastNight + 1,
    DAY_PASSED: deposit.day === -1,
    SLOT_CLOSED: today < (model.opensDay[slot] ?? Number.POSITIVE_INFINITY),
    INVALID_STAKE: move === 'WAR' ? stake < 800 : stake !== 0,
    MESSAGE_TOO_LONG: (message?.length ?? 0) > 140,
  };
  const same = live?.move === move && live.stake === stake && live.message === message;
  const cost = move === 'PASS' ? 0 : move === 'WAR' ? stake : rent(model, slot, member);
  const before = live?.cost ?? 0;
  const after = reserved(member) - before + cost;
  const limits =
    same || (move === 'PASS' && !live)
      ? {}
      : {
          NO_MOVES_LEFT: member.moves >= 4,
          TOO_MANY_PLACES: move !== 'PASS' && !live && Object.keys(member.live).length >= 2,
          STAKE_OVER_MANDATE: move === 'WAR' && stake > member.maxStake,
          OVER_DAILY_CAP: after > member.dailyCap && cost > before,
          WEEKLY_CAP: after > weeklyLeft(model, member) && cost > before,
          INSUFFICIENT_CREDITS: after > paidCents(member) + granted(member),
        };
  const about = `${agent}: ${move} on ${slot}`;
  if (!judge(answer, { ...barred, ...limits }, about)) return;
  const { result } = answer as { result: Receipt };
  if (result.reserved_cents !== (same ? before : cost))
    throw new Contradiction(`${about} reserved ${result.reserved_cents} cents instead of ${cost}`);
  if (same || (move === 'PASS' && !live)) return;
  if (Date.parse(result.deposited_at) !== now)
    throw new Contradiction(`${about} is of ${result.deposited_at}, not of ${new Date(now).toISOString()}`);
  member.moves += 1;
  if (move === 'PASS') delete member.live[slot];
  else member.live[slot] = { agent, move, stake, cost, message, at: result.deposited_at };
}

function rent(model: Model, slot: number, member: Member): number {
  const name = Object.keys(model.members).find((one) => model.members[one] === member) as string;
  return Number(rentCents(model.holders[slot]?.[name] ?? 0));
}

export function withdrawn(
  model: Model,
  moment: Moment,
  { member: name, slot }: { member: string; slot: number },
  answer: Answer<OwnState & { withdrawn: boolean }>,
): undefined {
  const member = model.members[name] as Member;
  const { today } = momentFor(member, moment);
  const reasons = {
    INVALID_TOKEN: member.closed || signedOut(model, name),
    ACCOUNT_CLOSED: member.closed,
    BELL_RINGING: today > model.lastNight + 1,
  };
  if (!judge(answer, reasons, `${name} withdraws from ${slot}`)) return;
  const { result } = answer as { result: { withdrawn: boolean } };
  if (result.withdrawn !== slot in member.live)
    throw new Contradiction(`${name} withdrew from ${slot}: ${result.withdrawn}`);
  delete member.live[slot];
}

export function announced(model: Model, moment: Moment, said: Announcement, answer: Answer): undefined {
  const { agent, slot, intention, message } = said;
  const member = memberOf(model, agent);
  const { now, today } = momentFor(member, moment);
  const stands = member.announced[`${today}.${slot}`];
  const same = stands?.intention === intention && stands.message === message;
  const reasons = {
    ...barredByToken(model, agent, moment.now),
    ACCOUNT_CLOSED: member.closed,
    ACCOUNT_SUSPENDED: member.suspended,
    PAYMENT_DISPUTED: isBarred(model.money, (model.agents[agent] as { of: string }).of),
    PAUSED: today < member.pausedUntil,
    ANNOUNCE_CLOSED: !same && now >= bellAt(today) - 2 * 3_600_000,
    ALREADY_ANNOUNCED: !same && stands !== undefined,
    SLOT_CLOSED: !same && today < (model.opensDay[slot] ?? Number.POSITIVE_INFINITY),
    MESSAGE_TOO_LONG: (message?.length ?? 0) > 140,
    NO_ANNOUNCEMENTS_LEFT:
      !same && Object.keys(member.announced).filter((key) => key.startsWith(`${today}.`)).length >= 2,
  };
  if (!judge(answer, reasons, `${agent} announces ${intention} on ${slot}`)) return;
  member.announced[`${today}.${slot}`] = { intention, message };
  if (message) model.said[`announcement ${today} ${model.agents[agent]?.of} ${slot}`] = true;
}

/** Lots that were there at the bell, soonest expiry first, then paid credits; then what has expired. Rules 5.3, 5.5. */
function settle(member: Member, cents: number, bell: number): { granted: number; paid: number; expired: number } {
  let due = cents;
  for (const lot of member.lots.filter(({ grantedAt }) => grantedAt < bell).sort((a, b) => a.expiresAt - b.expiresAt)) {
    const taken = Math.min(lot.left, due);
    lot.left -= taken;
    due -= taken;
  }
  spend(member.paid, due);
  const before = granted(member);
  member.lots = member.lots.filter(({ left, expiresAt }) => left > 0 && !member.closed && expiresAt > bell);
  return { granted: cents - due, paid: due, expired: before - granted(member) };
}

/** What is left of the grants that staff take back, out of the lots that expire first. Rules 18.7. */
function takeGrants(member: Member, day: number): void {
  const due = Object.entries(member.orders).filter(
    ([, { revokedOn, taken }]) => !taken && (revokedOn ?? day + 1) <= day,
  );
  for (const [key, order] of due.sort(([, a], [, b]) => a.lot - b.lot)) {
    let taking = member.lots.find((lot) => lot.order === key)?.left ?? 0;
    for (const lot of [...member.lots].sort((a, b) => a.expiresAt - b.expiresAt)) {
      const taken = Math.min(lot.left, taking);
      lot.left -= taken;
      taking -= taken;
    }
    order.taken = true;
  }
  member.lots = member.lots.filter(({ left }) => left > 0);
}

/** Of the 30 nights before a day, to 6 decimals. Rules 4.3. */
export function reputation({ past }: Member, day: number): number {
  const counted = past.filter((night) => night.day >= day - 30);
  const peace = sum(counted.map((night) => night.peace));
  const all = peace + sum(counted.map((night) => night.war));
  return all === 0 ? 0 : Math.floor((2_000_000 * peace + all) / (2 * all)) / 1_000_000;
}

/** Rules 6.3. */
function verdict(intention: string, played: 'PEACE' | 'WAR' | undefined): string {
  if (intention === 'PASS') return played === undefined ? 'kept' : played === 'PEACE' ? 'bluffed' : 'betrayed';
  if (played === undefined) return 'ghosted';
  if (played === intention) return 'kept';
  return intention === 'PEACE' ? 'betrayed' : 'bluffed';
}

export interface Published {
  readonly night: NightResult;
  /** Granted credits whose time had come, in cents. */
  readonly expired: number;
  /** Of each announcement, by member and place: `m1.3`. */
  readonly verdicts: Readonly<Record<string, string>>;
  /** What was said with a move, by member and place. */
  readonly messages: Readonly<Record<string, string>>;
  /** What each member who moved paid, in cents. */
  readonly paid: Readonly<Record<string, { readonly granted: number; readonly paid: number }>>;
}

/** The bell of the next day, from what the model knows alone: tonight becomes a night. */
export function ring(model: Model): Published {
  const day = model.lastNight + 1;
  const members = Object.entries(model.members);
  const night = resolveNaively({
    day,
    open_slots: Object.keys(model.opensDay)
      .map(Number)
      .filter((slot) => day >= (model.opensDay[slot] as number)),
    accounts: members.map(([account, member]) => ({
      ...{ account, reputation: reputation(member, day), since: member.since, house: false },
    })),
    holders: Object.entries(model.holders).flatMap(([slot, days]) =>
      Object.entries(days).map(([account, days_held]) => ({ slot: Number(slot), account, days_held })),
    ),
    moves: members
      .flatMap(([account, { live }]) =>
        Object.entries(live).map(([slot, { move, stake, at, seq }]) => ({
          ...{ seq: seq as number, account, slot: Number(slot), move, at },
          ...(move === 'WAR' ? { stake_cents: stake } : {}),
        })),
      )
      .sort((a, b) => a.seq - b.seq),
  });
  const paid: Record<string, { granted: number; paid: number }> = {};
  let expired = 0;
  const verdicts: Record<string, string> = {};
  const messages: Record<string, string> = {};
  for (const [name, member] of members) {
    const moves = Object.values(member.live);
    for (const [slot, { message }] of Object.entries(member.live))
      if (message) {
        messages[`${name}.${slot}`] = message;
        model.said[`move ${day} ${name} ${slot}`] = true;
      }
    for (const [key, { intention }] of Object.entries(member.announced)) {
      const [of, slot] = key.split('.').map(Number) as [number, number];
      if (of > day) continue;
      verdicts[`${name}.${slot}`] = verdict(intention, member.live[slot]?.move);
      delete member.announced[key];
    }
    member.charges[day] = reserved(member);
    const took = settle(member, reserved(member), bellAt(day));
    takeGrants(member, day);
    expired += took.expired;
    if (took.expired > 0 && isBarred(model.money, name))
      model.money.met.push('credits that expired while money was disputed');
    takeBack(model.money, name, member, bellAt(day));
    lapse(member, bellAt(day));
    member.paid = member.paid.filter(({ left }) => left > 0);
    if (moves.length > 0) {
      paid[name] = { granted: took.granted, paid: took.paid };
      const peace = moves.filter(({ move }) => move === 'PEACE').length;
      member.past = [...member.past.filter((one) => one.day > day - 30), { day, peace, war: moves.length - peace }];
    }
    member.moves = 0;
    member.live = {};
  }
  model.lastNight = day;
  const before = model.holders;
  model.holders = {};
  for (const { slot, occupants } of night.slots)
    for (const { account, days_held } of occupants) {
      const there = model.holders[slot] ?? {};
      there[account] = Number(days_held);
      model.holders[slot] = there;
    }
  tellNight(model, night, before);
  model.told = { night, paid, expired, verdicts, messages };
  return model.told;
}
