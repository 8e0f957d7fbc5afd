// Accounts that do as they please for a day: deposits, replacements, withdrawals, through the door of an agent.

import type { Move } from '../../../src/db/deposits.ts';
import { refusals } from '../../../src/db/errors.ts';
import type { Random } from '../random.ts';
import type { Account } from './accounts.ts';
import { type PlayArgs, playMany, type Receipt } from './doors.ts';
import type { Hill } from './hill.ts';
import { refusalOf } from './refusal.ts';

/** What an agent may be told while it plays as it pleases; anything else is a fault. */
const expected = new Set([
  'SLOT_CLOSED',
  'NO_MOVES_LEFT',
  'TOO_MANY_PLACES',
  'STAKE_OVER_MANDATE',
  'OVER_DAILY_CAP',
  'INSUFFICIENT_CREDITS',
]);

export function aRandomMove(random: Random, slots: readonly number[]): Move {
  const slot = random.pick(slots);
  const roll = random.below(10);
  const message = random.chance(0.2) ? `Message ${random.below(1000)}` : undefined;
  if (roll < 2) return { slot, move: 'WAR', stake_cents: random.pick([800, 801, 900, 1200, 1500]), message };
  if (roll < 3) return { slot, move: 'PASS' };
  return { slot, move: 'PEACE', message };
}

/** One deposit: its receipt, or null where it was refused as an agent must expect. */
export async function tryToPlay(hill: Hill, account: Account, args: PlayArgs): Promise<Receipt | null> {
  try {
    return await hill.asAgent(account).play(args);
  } catch (error) {
    if (expected.has(refusalOf(error).code)) return null;
    throw error;
  }
}

/** Deposits of one statement: the receipt of each, or null where it was refused as an agent must expect. */
async function tryTogether(hill: Hill, calls: readonly (PlayArgs & { token: string })[]): Promise<(Receipt | null)[]> {
  return (await playMany(hill.as('web'), calls)).map((answer) => {
    if ('day' in answer) return answer;
    if ('refused' in answer && expected.has(refusals[answer.refused.state]?.code ?? '')) return null;
    throw new Error(JSON.stringify(answer));
  });
}

/**
 * A day's deposits of those who feel like it, a little apart, some at one instant, and some together. Returns what was
 * accepted.
 */
export async function playADay(
  hill: Hill,
  random: Random,
  accounts: readonly { account: Account; eagerness: number }[],
  slots: readonly number[],
): Promise<Receipt[]> {
  const receipts: (Receipt | null)[] = [];
  let calls: (PlayArgs & { token: string })[] = [];
  const go = async () => {
    if (calls.length > 0) receipts.push(...(await tryTogether(hill, calls)));
    calls = [];
  };
  for (const { account, eagerness } of random.shuffle(accounts)) {
    if (!random.chance(eagerness)) continue;
    if (random.chance(0.3)) {
      await go();
      await hill.clock.tick(random.below(1000) + 1);
    }
    for (let moves = 1 + random.below(3); moves > 0; moves--) {
      if (calls.some(({ token }) => token === account.token)) await go(); // one of an account at a time
      calls.push({ token: account.token, ...aRandomMove(random, slots) });
    }
    if (random.chance(0.5) || calls.length > 20) await go();
  }
  await go();
  return receipts.filter((receipt) => receipt !== null);
}
