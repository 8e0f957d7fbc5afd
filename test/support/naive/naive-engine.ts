// A second resolution of the night, for tests only: plain loops in the order of the sentences of rules 3.1, 4.4, 4.5
// and rules 4, 12.1, 12.2. It shares nothing with the engine, so that the two can be held against each other.
import { microseconds } from '../hill/instant.ts';
import {
  type Charge,
  type Night,
  type NightAccount,
  type NightHolder,
  type NightMove,
  type NightResult,
  type SlotResult,
  toInteger,
} from '../hill/night.ts';
import { whyMalformed } from './malformed-night.ts';
import { rentCents } from './naive-rent.ts';

/** One PEACE that obtained no place. */
type Waiting = { move: NightMove; served_slot: number | null };

export function resolveNaively(night: Night): NightResult {
  const reason = whyMalformed(night);
  if (reason) throw new Error(`INVALID_NIGHT: ${reason}`);

  const queue: Waiting[] = [];
  const slots: SlotResult[] = [];
  for (let slot = 1; slot <= 10; slot++) slots.push(resolvePlace(night, slot, queue));

  // The queue is complete before anyone is served from it.
  queue.sort((a, b) => compareInQueue(night, a.move, b.move));
  for (const place of slots) {
    if (place.outcome === 'BURN') serveFromQueue(night, place, queue);
  }

  for (const place of slots) {
    for (const occupant of place.occupants) occupant.points = (11 - place.slot) / place.occupants.length;
  }
  return {
    day: night.day,
    slots,
    queue: queue.map(({ move, served_slot }) => ({
      account: move.account,
      from_slot: move.slot,
      seq: move.seq,
      served_slot,
    })),
    charges: chargesOf(night, slots),
  };
}

/**
 * What the place gives to those who moved on it. Every PEACE that it cannot seat goes to the end of the queue as it
 * stands.
 */
function resolvePlace(night: Night, slot: number, queue: Waiting[]): SlotResult {
  const peace: NightMove[] = [];
  const war: NightMove[] = [];
  for (const move of night.moves) {
    if (move.slot !== slot) continue;
    if (move.move === 'PEACE') peace.push(move);
    else war.push(move);
  }
  peace.sort((a, b) => compareDeposits(night, a, b));

  const place: SlotResult = {
    slot,
    outcome: 'VACANT',
    peace_count: peace.length,
    war_count: war.length,
    burned_cents: 0,
    occupants: [],
    evicted: [],
  };
  if (peace.length === 0 && war.length === 0) return place;

  if (war.length === 1) {
    place.outcome = 'WAR';
    for (const warrior of war) seat(night, place, warrior, 'war');
    for (const move of peace) queue.push({ move, served_slot: null });
  } else {
    place.outcome = war.length === 0 ? 'PEACE' : 'BURN';
    for (const move of peace) {
      if (holderOf(night, move)) seat(night, place, move, 'holder');
    }
    for (const move of peace) {
      if (holderOf(night, move)) continue;
      if (place.occupants.length < 2) seat(night, place, move, 'peace');
      else queue.push({ move, served_slot: null });
    }
  }

  if (place.outcome === 'BURN') {
    let burned = 0n;
    for (const move of war) burned = burned + BigInt(move.stake_cents ?? 0);
    place.burned_cents = toInteger(burned);
  }

  for (const move of [...peace, ...war]) {
    const lostToWar = place.outcome === 'WAR' && move.move === 'PEACE';
    const lostItsSeat = holderOf(night, move) !== null && !sits(place, move.account);
    if (lostToWar || lostItsSeat) place.evicted.push(move.account);
  }
  place.evicted.sort(compareCodePoints);
  return place;
}

function serveFromQueue(night: Night, place: SlotResult, queue: Waiting[]): void {
  while (place.occupants.length < 2) {
    let served: Waiting | null = null;
    for (const entry of queue) {
      if (entry.served_slot !== null) continue;
      if (sits(place, entry.move.account)) continue;
      if (wentToWar(night, entry.move.account, place.slot)) continue;
      served = entry;
      break;
    }
    if (served === null) return;
    served.served_slot = place.slot;
    // Whoever the queue seats has just taken the place: had it kept it, it would have been seated for its own move
    // there.
    place.occupants.push({ account: served.move.account, days_held: 0, via: 'queue', points: 0 });
  }
}

function chargesOf(night: Night, slots: SlotResult[]): Charge[] {
  const charges: Charge[] = [];
  for (const place of slots) {
    const moves = night.moves.filter((move) => move.slot === place.slot);
    moves.sort((a, b) => compare(a.seq, b.seq));
    for (const move of moves) {
      charges.push({
        account: move.account,
        slot: move.slot,
        move: move.move,
        cents: toInteger(costOf(night, move)),
        burned: move.move === 'WAR' && place.outcome === 'BURN',
      });
    }
  }
  return charges;
}

function costOf(night: Night, move: NightMove): bigint {
  if (move.move === 'WAR') return BigInt(move.stake_cents ?? 0);
  const cents = rentCents(holderOf(night, move)?.days_held ?? 0);
  if (cents === null) throw new Error('a rent beyond 64 bits is refused before the night is resolved');
  return cents;
}

function seat(night: Night, place: SlotResult, move: NightMove, via: 'holder' | 'peace' | 'war'): void {
  const holder = holderOf(night, move);
  const daysHeld = holder ? toInteger(BigInt(holder.days_held) + 1n) : 0;
  place.occupants.push({ account: move.account, days_held: daysHeld, via, points: 0 });
}

function holderOf(night: Night, move: NightMove): NightHolder | null {
  for (const holder of night.holders) {
    if (holder.account === move.account && holder.slot === move.slot) return holder;
  }
  return null;
}

function accountOf(night: Night, move: NightMove): NightAccount {
  for (const account of night.accounts) {
    if (account.account === move.account) return account;
  }
  throw new Error(`${move.account} is not in accounts`);
}

function sits(place: SlotResult, account: string): boolean {
  return place.occupants.some((occupant) => occupant.account === account);
}

function wentToWar(night: Night, account: string, slot: number): boolean {
  return night.moves.some((move) => move.account === account && move.slot === slot && move.move === 'WAR');
}

/** Deposit time; equal times by reputation (descending), seniority (older first), then seq. */
function compareDeposits(night: Night, a: NightMove, b: NightMove): number {
  return compare(microseconds(a.at), microseconds(b.at)) || compareStanding(night, a, b) || compare(a.seq, b.seq);
}

/** Reputation descending, seniority ascending, deposit order. */
function compareInQueue(night: Night, a: NightMove, b: NightMove): number {
  return compareStanding(night, a, b) || compareDeposits(night, a, b);
}

function compareStanding(night: Night, a: NightMove, b: NightMove): number {
  const first = accountOf(night, a);
  const second = accountOf(night, b);
  return compare(second.reputation, first.reputation) || compare(microseconds(first.since), microseconds(second.since));
}

function compare(a: number | bigint | null, b: number | bigint | null): number {
  if (a === null || b === null) throw new Error('an instant of a well-formed night can be read');
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

/** Names sort by code point, as in the database. JavaScript alone would compare UTF-16 units. */
function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
