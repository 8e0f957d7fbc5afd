// Holds a night against the checkpoint with which its day was closed: what was deposited was there before the night was
// resolved. Rules
// 20.44, 20.45.
import { equal, hex, sha256, text, utf8 } from '../log/bytes.ts';
import { parseVerifierKey, type Verifier } from '../log/note.ts';
import { checkQuorum, opens, seenBy } from './log.ts';
import type { Policy } from './policy.ts';
import { instantOf, orMissing } from './reading.ts';
import type { Checked } from './report.ts';

/** What a hill says of how it sealed a night. */
export interface Sealed {
  readonly day: number;
  readonly resolvedAt: string;
  /** None of a hill from before days were closed. */
  readonly closed?: {
    readonly at: string;
    readonly origin: string;
    readonly size: number;
    readonly witnesses: readonly { readonly key: string }[];
  } | null;
  readonly unsealed?: string | null;
}

/** The log in which a day was closed, as it was read: null if it is none of the hill's, or does not hold. */
export interface ClosingLog {
  readonly key: Verifier;
  readonly roots: ReadonlyMap<number, Uint8Array>;
  /** How many entries are in the logs before it. */
  readonly before: number;
}

/** What the clocks of two machines may differ by. */
const skewMs = 5_000;
const dayMs = 86_400_000;

/** Whom a reader trusts to have seen closings, and how late they may. */
export interface Witnessing {
  /** Each must have seen it. */
  readonly trusted: readonly Verifier[];
  /** So many must have. */
  readonly policy?: Policy;
  /** A bell rings within two minutes: what is seen later may have been written later. */
  readonly lateSeconds?: number;
}

const mostLateSeconds = 120;

/** Of the logs: numbers of entries are counted on from log to log, from 1. */
interface LoggedClosing {
  readonly night: number;
  readonly deposits: readonly number[];
  /** The first night that has a closing; null if none has. */
  readonly first: number | null;
  readonly log: ClosingLog | null;
  /** What the log says of how it was sealed, and the first night of which it says that. */
  readonly seal: string | undefined;
  readonly firstSeal: number;
  readonly simulated: boolean;
}

/** As the log says it of a night that says this of itself. */
const sealOf = ({ closed, unsealed }: Sealed, log: ClosingLog | null): string | undefined => {
  const root = closed && log?.roots.get(closed.size);
  if (closed) return `closed ${closed.origin} ${closed.size} ${root ? hex(root) : ''}`;
  return unsealed ? `unsealed ${hex(sha256(utf8(unsealed)))}` : undefined;
};

export async function checkClosing(
  { hill, check, note }: Checked,
  sealed: Sealed,
  { trusted, policy, lateSeconds = mostLateSeconds }: Witnessing,
  { night, deposits, first, log, seal, firstSeal, simulated }: LoggedClosing,
): Promise<void> {
  const { day, resolvedAt, closed, unsealed } = sealed;
  if (seal === undefined && day > firstSeal && (closed || unsealed))
    // a hill may have gone back to a release that does not say it
    note(
      `The log does not say how night ${day} was sealed, as it does of night ${firstSeal}: the night is of a release from before such entries, or the entry was taken away.`,
    );
  if (seal !== undefined)
    check(
      seal === sealOf(sealed, log),
      `How night ${day} was sealed is what the log says.`,
      `How night ${day} was sealed is not what the log says: ${seal}.`,
    );
  if (unsealed)
    return note(
      `Night ${day} is UNSEALED: nothing shows what was deposited before it was resolved. The hill says why: ${unsealed}`,
    );
  if (!closed) {
    if (deposits.length === 0) return;
    if (first === null || day < first)
      return note(
        `Night ${day} is from before days were closed: nothing shows what came first, its deposits or its result.`,
      );
    return check(false, '', `Night ${day} has deposits and no closing, and does not say why.`);
  }
  const signed = await orMissing(hill.bytes(`/log/closing/${day}`));
  const checkpoint = log && opens(signed ? text(signed) : '', log.key);
  const right =
    checkpoint &&
    checkpoint.origin === closed.origin &&
    checkpoint.size === closed.size &&
    equal(log.roots.get(closed.size), checkpoint.root);
  check(
    right === true,
    `The closing of day ${day}, of ${closed.size} entries, is signed by the key of ${closed.origin}, which begins with it.`,
    `The closing of day ${day} is not one that the key of ${closed.origin} signed of the beginning of that log.`,
  );
  if (!right) return;
  const end = log.before + closed.size;
  const late = deposits.filter((number) => number > end).length;
  check(
    late === 0,
    `All ${deposits.length} deposits of day ${day} were in the log when it was closed.`,
    `${late} deposits of day ${day} came into the log after it was closed.`,
  );
  check(
    night > end,
    `What came of night ${day} came into the log after that.`,
    `What came of night ${day} was in the log before its day was closed.`,
  );
  const rung = instantOf(resolvedAt) + skewMs;
  const named = closed.witnesses.map(({ key }) => parseVerifierKey(key));
  const asked = trusted.length > 0 || policy ? trusted : named;
  const midnight = Math.floor(instantOf(closed.at) / dayMs) * dayMs;
  const seconds = (at: number) => Math.round((at - midnight) / 1_000);
  const inTime = (at: number | null): at is number =>
    at !== null && (simulated || (at <= rung && at - midnight <= 1_000 * lateSeconds + skewMs));
  for (const witness of asked) {
    const at = seenBy(checkpoint, witness);
    const saw = `The witness ${witness.name} saw the closing of day ${day} at ${new Date(at ?? 0).toISOString()}`;
    check(
      inTime(at),
      `${saw}${simulated ? '' : `, ${seconds(at ?? 0)} seconds after midnight and before its night was resolved`}.`,
      at === null
        ? `The witness ${witness.name} did not sign the closing of day ${day}.`
        : at > rung
          ? `${saw}, and its night was resolved at ${resolvedAt}.`
          : `${saw}, ${seconds(at)} seconds after midnight: nothing shows that no deposit came in meanwhile.`,
    );
  }
  if (policy)
    checkQuorum(
      check,
      policy,
      policy.witnesses.filter((witness) => inTime(seenBy(checkpoint, witness))),
      `the closing of day ${day}${simulated ? '' : ` within ${lateSeconds} seconds of midnight`}`,
    );
  if (asked.length === 0 && !policy)
    note(
      `That day ${day} was closed before its night was resolved is the word of the hill: no outside clock has signed it.`,
    );
}
