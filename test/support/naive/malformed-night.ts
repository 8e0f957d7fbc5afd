// Why a night would be refused, from the last paragraph of rules 12.3, sentence by sentence.

import { microseconds } from '../hill/instant.ts';
import { rentCents } from './naive-rent.ts';

// The bounds that the case book gives to numbers (R.32): a night beyond them is refused, never cut to size.
const LAST_OF_32_BITS = 2n ** 31n - 1n;
const LAST_OF_64_BITS = 2n ** 63n - 1n;

type Fields = Record<string, unknown>;

/**
 * The first reason for which the whole night is refused, or null for a well-formed night. Believes nothing about its
 * argument.
 */
export function whyMalformed(night: unknown): string | null {
  if (!isFields(night)) return 'a night is a JSON object';
  if (!isInteger(night.day) || night.day < 1 || night.day > LAST_OF_32_BITS) return 'day is not an integer from 1';
  for (const list of ['open_slots', 'accounts', 'holders', 'moves']) {
    if (!Array.isArray(night[list])) return `${list} is not a list`;
  }
  const accounts = night.accounts as unknown[];
  const holders = night.holders as unknown[];
  const moves = night.moves as unknown[];
  const open = night.open_slots as unknown[];

  for (let i = 0; i < open.length; i++) {
    const slot = open[i];
    if (!isInteger(slot) || slot < 1 || slot > 10) return `open_slots[${i}] is not an integer from 1 to 10`;
    if (open.indexOf(slot) !== i) return `open_slots names ${slot} twice`;
  }

  for (let i = 0; i < accounts.length; i++) {
    const reason = whyMalformedAccount(accounts[i]);
    if (reason) return `accounts[${i}]: ${reason}`;
    for (let j = 0; j < i; j++) {
      if ((accounts[j] as Fields).account === (accounts[i] as Fields).account) return `accounts[${i}]: listed twice`;
    }
  }

  for (let i = 0; i < holders.length; i++) {
    const reason = whyMalformedHolder(holders[i], open);
    if (reason) return `holders[${i}]: ${reason}`;
    const holder = holders[i] as Fields;
    let others = 0;
    for (let j = 0; j < i; j++) {
      const other = holders[j] as Fields;
      if (other.slot !== holder.slot) continue;
      if (other.account === holder.account) return `holders[${i}]: holds place ${holder.slot} twice`;
      others = others + 1;
    }
    if (others === 2) return `holders[${i}]: a third holder of place ${holder.slot}`;
  }

  for (let i = 0; i < moves.length; i++) {
    const reason = whyMalformedMove(moves[i], open, accounts);
    if (reason) return `moves[${i}]: ${reason}`;
    const move = moves[i] as Fields;
    for (let j = 0; j < i; j++) {
      const other = moves[j] as Fields;
      if (other.seq === move.seq) return `moves[${i}]: seq ${move.seq} is not unique`;
      if (other.account === move.account && other.slot === move.slot)
        return `moves[${i}]: a second move of ${move.account} on place ${move.slot}`;
    }
    for (const holder of holders as Fields[]) {
      if (move.move !== 'PEACE' || holder.account !== move.account || holder.slot !== move.slot) continue;
      if (rentCents(holder.days_held as bigint | number) === null) return `moves[${i}]: the rent does not fit 64 bits`;
    }
  }
  return null;
}

function whyMalformedAccount(account: unknown): string | null {
  if (!isFields(account)) return 'not an object';
  if (!isName(account.account)) return 'account is not a name';
  if (typeof account.reputation !== 'number' || account.reputation < 0 || account.reputation > 1)
    return 'reputation is not a number from 0 to 1';
  if (microseconds(account.since) === null) return 'since is not an instant';
  if (account.house !== undefined && typeof account.house !== 'boolean') return 'house is not true or false';
  return null;
}

function whyMalformedHolder(holder: unknown, open: unknown[]): string | null {
  if (!isFields(holder)) return 'not an object';
  if (!isName(holder.account)) return 'account is not a name';
  if (!isInteger(holder.slot) || !open.includes(holder.slot)) return 'slot is not an open place';
  if (!isInteger(holder.days_held) || holder.days_held < 0 || holder.days_held >= LAST_OF_32_BITS)
    return 'days_held is not an integer from 0';
  return null;
}

function whyMalformedMove(move: unknown, open: unknown[], accounts: unknown[]): string | null {
  if (!isFields(move)) return 'not an object';
  if (!isInteger(move.seq) || move.seq < -LAST_OF_64_BITS - 1n || move.seq > LAST_OF_64_BITS)
    return 'seq is not an integer';
  if (!isInteger(move.slot) || !open.includes(move.slot)) return 'slot is not an open place';
  if (microseconds(move.at) === null) return 'at is not an instant';
  if (move.move === 'PEACE') {
    if (move.stake_cents !== undefined && move.stake_cents !== 0) return 'PEACE carries no stake';
  } else if (move.move === 'WAR') {
    if (!isInteger(move.stake_cents) || move.stake_cents < 800 || move.stake_cents > LAST_OF_64_BITS)
      return 'WAR needs an integer stake of at least 800';
  } else {
    return 'move is not PEACE or WAR';
  }
  for (const account of accounts as Fields[]) {
    if (account.account === move.account) return null;
  }
  return 'account is not in accounts';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}
