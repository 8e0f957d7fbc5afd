// What an agent's status says, as SQL and as the tool give it: of the hill, of its account, and of what it could do.
import { rentCents } from '../support/naive/naive-rent.ts';
import { same } from './compare.ts';
import { barredByToken } from './identity.ts';
import type { Member, Model, Moment } from './model.ts';
import {
  bellAt,
  Contradiction,
  type Deposit,
  deposited,
  granted,
  momentFor,
  reputation,
  reserved,
  weeklyLeft,
} from './model.ts';
import { isBarred, paidCents } from './money.ts';
import { inOrder, known, type Said, saidToday, shown } from './told.ts';

type Codes = Readonly<Record<string, readonly number[]>>;
export interface Status {
  readonly day: number;
  readonly last_night: number;
  readonly bell_ringing?: boolean;
  readonly announce_refused?: string;
  readonly places: readonly {
    readonly slot: number;
    readonly occupants: readonly { readonly slug: string; readonly days_held: number; readonly mine?: true }[];
    readonly peace_cents: number;
    readonly peace_refused?: string;
    readonly war_refused?: string;
  }[];
  /** As the tool tells them. */
  readonly peace_refused?: Codes;
  readonly war_refused?: Codes;
  readonly account: {
    readonly moves:
      | readonly { slot: number; move: string; stake_cents?: number; message?: string; reserved_cents: number }[]
      | null;
    readonly moves_left: number;
    readonly places_left: number;
    readonly cap_left_cents: number;
    readonly max_stake_cents: number;
    readonly reserved_cents: number;
    readonly available_cents: number;
    readonly reputation: number;
    readonly announcements: readonly { slot: number; intention: string }[];
    readonly announcements_left: number;
  };
  readonly announcements: readonly Said[];
  readonly announcements_total: number;
  /** Of SQL alone. */
  readonly advice?: {
    slot: number;
    move: 'PEACE' | 'WAR';
    stake_cents?: number;
    cost_cents: number;
    refused?: string;
  } | null;
}

export function toldStatus(model: Model, moment: Moment, agent: string, told: Status): void {
  const about = `${agent} asks for its status`;
  const of = model.agents[agent]?.of as string;
  const member = model.members[of] as Member;
  const due = moment.today > model.lastNight + 1;
  // one that asks while the bell of another session rings is not shown what is unsealed at that moment
  const ringing = told.bell_ringing === true;
  if (ringing !== due && !(ringing && moment.racing))
    throw new Contradiction(`${about}: is the bell ringing? ${ringing}`);

  same(`${about}, the hill`, theHill(told), {
    ...{ day: moment.today, last_night: model.lastNight, total: saidToday(model, moment).length },
    places: told.places.map(({ slot }) => {
      const held = model.holders[slot] ?? {};
      return {
        ...{ slot, peace_cents: Number(rentCents(held[of] ?? 0)) },
        occupants: Object.entries(held)
          .map(([name, days]) => `${shown(model, name)} ${days} ${name === of}`)
          .sort(),
      };
    }),
  });
  // the structure of a tool has no words
  const all = inOrder(
    saidToday(model, moment).map(({ message, ...one }) => ({
      ...one,
      message: told.advice === undefined ? null : (message ?? null),
    })),
  );
  const wrong = inOrder(told.announcements).find((one) => !all.includes(one));
  if (wrong) throw new Contradiction(`${about}: nobody announced ${wrong}`);
  if (told.announcements.length !== Math.min(3, all.length))
    throw new Contradiction(`${about}: ${told.announcements.length} of ${all.length} announcements`);

  same(`${about}, its account`, theAccount(told), itself(model, moment, member, ringing));
  same(`${about}, what is refused`, told.announce_refused, announceRefused(model, moment, agent));
  // an account that has acted after the instant to which the clock went back waits for that instant: no advice tells
  if (ringing === due && (member.acted ?? 0) <= moment.now) couldPlay(model, moment, agent, told);
}

const theHill = ({ day, last_night, places, announcements_total }: Status) => ({
  ...{ day, last_night, total: announcements_total },
  places: places.map(({ slot, peace_cents, occupants }) => ({
    ...{ slot, peace_cents },
    occupants: occupants.map(({ slug, days_held, mine }) => `${known(slug)} ${days_held} ${mine ?? false}`).sort(),
  })),
});

function theAccount({ account }: Status) {
  const { moves, announcements, moves_left, places_left, cap_left_cents, max_stake_cents, ...more } = account;
  return {
    moves: moves?.map(({ slot, move, stake_cents, message, reserved_cents }) => ({
      ...{ slot, move, stake: stake_cents ?? 0, message: message ?? null, cost: reserved_cents },
    })),
    ...{ moves_left, places_left, cap_left: cap_left_cents, max_stake: max_stake_cents },
    ...{ reserved: more.reserved_cents, available: more.available_cents, reputation: more.reputation },
    announced: announcements.map(({ slot, intention }) => `${slot} ${intention}`).sort(),
    announcements_left: more.announcements_left,
  };
}

/** Between midnight and its bell, what was deposited is of yesterday: still reserved, and nothing of today's limits. */
function itself(model: Model, { today }: Moment, member: Member, ringing: boolean) {
  const due = today > model.lastNight + 1;
  const live = Object.entries(member.live);
  const announced = Object.entries(member.announced).filter(([key]) => key.startsWith(`${today}.`));
  return {
    moves: ringing
      ? undefined
      : live.map(([slot, { move, stake, message, cost }]) => ({
          ...{ slot: Number(slot), move, stake, message: message ?? null, cost },
        })),
    ...{ moves_left: due ? 4 : 4 - member.moves, places_left: due ? 2 : 2 - live.length },
    cap_left: Math.max(0, Math.min(member.dailyCap, weeklyLeft(model, member)) - (due ? 0 : reserved(member))),
    ...{ max_stake: member.maxStake, reserved: reserved(member) },
    available: paidCents(member) + granted(member) - reserved(member),
    reputation: reputation(member, model.lastNight + 1),
    announced: announced.map(([key, { intention }]) => `${key.split('.')[1]} ${intention}`).sort(),
    announcements_left: 2 - announced.length,
  };
}

function announceRefused(model: Model, { today, now }: Moment, agent: string): string | undefined {
  const of = model.agents[agent]?.of as string;
  const { suspended, announced, pausedUntil } = model.members[of] as Member;
  if (barredByToken(model, agent, now).INSUFFICIENT_SCOPE) return 'INSUFFICIENT_SCOPE';
  if (suspended) return 'ACCOUNT_SUSPENDED';
  if (isBarred(model.money, of)) return 'PAYMENT_DISPUTED';
  if (today < pausedUntil) return 'PAUSED';
  if (now >= bellAt(today) - 2 * 3_600_000) return 'ANNOUNCE_CLOSED';
  const used = Object.keys(announced).filter((key) => key.startsWith(`${today}.`)).length;
  return used >= 2 ? 'NO_ANNOUNCEMENTS_LEFT' : undefined;
}

/** What it says of a move is what play would answer: refused with that code, or accepted for that price. */
function couldPlay(model: Model, moment: Moment, agent: string, told: Status): void {
  const of = model.agents[agent]?.of as string;
  const play = (deposit: Omit<Deposit, 'agent'>, code: string | undefined, cents: number) => {
    const asIf = { ...model, members: { ...model.members, [of]: structuredClone(model.members[of] as Member) } };
    const { now } = momentFor(asIf.members[of] as Member, moment);
    const result = { reserved_cents: cents, deposited_at: new Date(now).toISOString() };
    const answer = code === undefined ? { result } : { refused: code };
    deposited(asIf, moment, { ...deposit, agent }, answer as never);
  };
  const codeOf = (codes: Codes | undefined, slot: number) =>
    Object.keys(codes ?? {}).find((code) => codes?.[code]?.includes(slot));
  for (const { slot, peace_cents, peace_refused, war_refused } of told.places) {
    play({ slot, move: 'PEACE' }, peace_refused ?? codeOf(told.peace_refused, slot), peace_cents);
    play({ slot, move: 'WAR', stake: 800 }, war_refused ?? codeOf(told.war_refused, slot), 800);
  }
  const { advice } = told;
  if (advice) play({ ...advice, stake: advice.stake_cents }, advice.refused, advice.cost_cents);
}
