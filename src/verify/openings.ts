// Holds what a hill opens of a night against what was committed to in the log before it. Rules 20.14, 20.19.
import { commitmentTo, messageHashOf } from '../log/commitment.ts';
import type { Served } from './reading.ts';
import type { Checked } from './report.ts';

/** A move of the night file: what the night was resolved from. */
export interface FileMove {
  readonly seq: number;
  readonly account: string;
  readonly slot: number;
  readonly move: string;
  readonly stake_cents: number;
  readonly at: string;
}

/** An account of the night file, by its id. */
export interface FileAccount {
  readonly account: string;
  readonly reputation: number;
  readonly since: string;
}

/** A line of moves.ndjson, as far as it matters here. */
interface Shown {
  readonly seq: number;
  readonly occupant: { readonly accountId: string };
  readonly slot: number;
  readonly move: string;
  readonly stake_cents: number;
  readonly at: string;
  readonly reputation: number;
  readonly since: string;
  readonly message: string | null;
  readonly opening?: {
    readonly salt: string;
    readonly ends: string;
    readonly message_hash: string | null;
    readonly message_salt: string | null;
  };
}

/** Of the log: the deposits of a day by their commitments, and the night, each with its number. */
export interface LoggedDay {
  readonly deposits: ReadonlyMap<string, number>;
  readonly night: number;
  /** The first day that has deposits in the log: earlier ones of that day may be from before the log. */
  readonly first: boolean;
}

/** A deposit that was opened: its entry in the log, when it says that it was made, and which it is. */
export interface Instant {
  readonly number: number;
  readonly at: string;
  readonly which: string;
}

/** Commitments that opened on a night, and what these have of those that they end. */
export interface Openings {
  readonly opened: ReadonlySet<string>;
  readonly ends: ReadonlySet<string>;
  readonly instants: readonly Instant[];
}

/** What everybody reads in place of words that staff hide: rules 18.5. */
export const hiddenWords = '[hidden by staff]';

/** The moves that are shown of a night, by their numbers, and how many: one number may be there twice. */
async function shownOf(hill: Served, day: number): Promise<{ shown: Map<number, Shown>; lines: number }> {
  const shown = new Map<number, Shown>();
  let lines = 0;
  for await (const line of hill.lines(`/api/day/${day}/moves.ndjson`)) {
    const move = JSON.parse(line) as Shown;
    shown.set(move.seq, move);
    lines += 1;
  }
  return { shown, lines };
}

export async function checkOpenings(
  { hill, check, note }: Checked,
  day: number,
  { moves, accounts }: { readonly moves: readonly FileMove[]; readonly accounts: readonly FileAccount[] },
  logged: LoggedDay,
): Promise<Openings> {
  const { shown, lines } = await shownOf(hill, day);
  const opened = new Set<string>();
  const ends = new Set<string>();
  const instants: Instant[] = [];
  const wrong: string[] = [];
  const reworded: string[] = [];
  const otherwise: string[] = [];
  const byId = new Map(accounts.map((one) => [one.account, one]));
  let hidden = 0;
  let unsealed = 0;
  for (const { seq, account, slot, move, stake_cents, at } of moves) {
    const which = `the ${move} of ${account} on place ${slot}`;
    const line = shown.get(seq);
    const { message = null, opening } = line ?? {};
    const facts = [account, slot, move, stake_cents, at, byId.get(account)?.reputation, byId.get(account)?.since];
    const published = line && [
      line.occupant.accountId,
      line.slot,
      line.move,
      line.stake_cents,
      line.at,
      line.reputation,
      line.since,
    ];
    if (published && facts.some((fact, n) => fact !== published[n])) otherwise.push(which);
    if (!opening) {
      if (logged.first) unsealed += 1;
      else wrong.push(`${which} is not opened`);
      continue;
    }
    const commitment = commitmentTo({
      day,
      account_id: account,
      slot,
      move,
      stake_cents,
      deposited_at: at,
      ...opening,
    });
    const number = logged.deposits.get(commitment);
    if (number === undefined) wrong.push(`${which} opens to no deposit in the log`);
    else if (number > logged.night) wrong.push(`${which} was logged after the night`);
    else if (opened.has(commitment)) wrong.push(`${which} opens to a deposit that another move opens to, too`);
    if (number !== undefined) instants.push({ number, at, which });
    opened.add(commitment);
    ends.add(opening.ends);
    if (opening.message_salt !== null && message !== null) {
      if (messageHashOf(opening.message_salt, message) !== opening.message_hash) reworded.push(which);
    } else if (message === null || message === hiddenWords) hidden += opening.message_hash === null ? 0 : 1;
    else reworded.push(which);
  }
  const all = `Each of the ${moves.length - unsealed} moves of night ${day}`;
  check(
    wrong.length === 0,
    `${all} that the log has opens to a deposit of its own, which the log has before the night.`,
    `Of night ${day}, ${wrong[0]}${andOthers(wrong)}.`,
  );
  check(
    reworded.length === 0,
    `${all} says what was sealed, or nothing.`,
    `Of night ${day}, ${reworded[0]} shows other words than were sealed${andOthers(reworded)}.`,
  );
  check(
    otherwise.length === 0,
    `What the hill shows of each move of night ${day}, reputation and seniority too, is what its night file has.`,
    `Of night ${day}, ${otherwise[0]} is shown otherwise than its night file has it, or the reputation or seniority of its account is${andOthers(otherwise)}.`,
  );
  const late = [...logged.deposits.values()].some((number) => number > logged.night);
  const ended = logged.deposits.size - opened.size;
  check(
    !late && lines === moves.length,
    `The log has ${logged.deposits.size} deposits of night ${day}, none of them after the night. ${ended} are not opened: replaced, withdrawn, or PASS.`,
    late
      ? `The log has a deposit of night ${day} after the night.`
      : `The hill shows ${lines} moves of night ${day}, and its night file has ${moves.length}.`,
  );
  if (hidden > 0)
    note(`Of ${hidden} messages of night ${day} the hill shows the hash alone: they are hidden or deleted.`);
  if (unsealed > 0) note(`${unsealed} moves of night ${day} have no commitment: the log began on that day.`);
  return { opened, ends, instants };
}

export const andOthers = ({ length }: readonly string[]): string => (length > 1 ? `; and ${length - 1} more` : '');
