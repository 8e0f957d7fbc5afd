// The night file and its result (rules 12.1), and JSON that keeps every digit.

/**
 * A JSON integer: a number, or a bigint where a number would lose digits. Compares with `<` and `===` within its own
 * kind.
 */
export type Integer = number | bigint;

export type NightAccount = { account: string; reputation: number; since: string; house: boolean };
export type NightHolder = { slot: number; account: string; days_held: Integer };
export type NightMove = {
  seq: Integer;
  account: string;
  slot: number;
  move: 'PEACE' | 'WAR';
  stake_cents?: Integer;
  at: string;
};

export type Night = {
  day: Integer;
  open_slots: number[];
  accounts: NightAccount[];
  holders: NightHolder[];
  moves: NightMove[];
};

export type Outcome = 'VACANT' | 'PEACE' | 'WAR' | 'BURN';
export type Occupant = {
  account: string;
  days_held: Integer;
  via: 'holder' | 'peace' | 'war' | 'queue';
  points: number;
};
export type SlotResult = {
  slot: number;
  outcome: Outcome;
  peace_count: number;
  war_count: number;
  burned_cents: Integer;
  occupants: Occupant[];
  evicted: string[];
};
export type QueueEntry = { account: string; from_slot: number; seq: Integer; served_slot: number | null };
export type Charge = { account: string; slot: number; move: 'PEACE' | 'WAR'; cents: Integer; burned: boolean };

export type NightResult = { day: Integer; slots: SlotResult[]; queue: QueueEntry[]; charges: Charge[] };

// TypeScript's library does not describe this half of "JSON.parse source text access" yet.
declare global {
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/** The plain number where it is safe, so that results compare and print the same whoever computed them. */
export function toInteger(value: bigint): Integer {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** JSON.parse, with integers beyond 2^53 as bigint: cents go up to 64 bits. */
export function parseExactly(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text); // ten times as fast, and every integer in it is below 2^53
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    return typeof value === 'number' && source !== undefined && /^-?\d+$/.test(source)
      ? toInteger(BigInt(source))
      : value;
  });
}

/** JSON.stringify, with every digit of a bigint. */
export function stringifyExactly(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'bigint' ? JSON.rawJSON(String(inner)) : inner,
  );
}
