// Reads a log whole, and holds it against its signature and against every checkpoint of it that was seen before.
import { equal, hex, latin1, text } from '../log/bytes.ts';
import { type Checkpoint, cosignedAt, openCheckpoint, parseCheckpoint } from '../log/checkpoint.ts';
import { parseVerifierKey, type Verifier, verifierKey } from '../log/note.ts';
import { parseBundle, tilePath } from '../log/tiles.ts';
import type { KnownLogs } from './known-logs.ts';
import type { Policy } from './policy.ts';
import { Missing } from './reading.ts';
import type { Checked } from './report.ts';
import { Tree } from './tree.ts';

/** One of `logs` of /api/log. */
export interface Listed {
  readonly origin: string;
  readonly checkpoint: string;
  readonly tiles: string;
  readonly keys: readonly string[];
  /** By the key of the log before it. None of a hill from before logs were handed over. */
  readonly handover?: string | null;
  /** None of a hill from before there were witnesses. */
  readonly witnesses?: readonly { readonly key: string }[];
}

/** What a log turned out to be. */
export interface ReadLog {
  readonly key: Verifier;
  /** Its last checkpoint. */
  readonly head: Checkpoint;
  readonly entries: readonly string[];
  /** Of the sizes that were asked for, as far as it reaches. */
  readonly roots: ReadonlyMap<number, Uint8Array>;
}

/** A log's last checkpoint, which its key signed. */
export interface Head {
  readonly log: Listed;
  readonly key: Verifier;
  /** What was seen of it before. */
  readonly known: KnownLogs[string] | undefined;
  readonly note: string;
  readonly held: Checkpoint;
}

export const pathIn = (address: string): string => address.slice(new URL(address).origin.length);

/** Null if its key did not sign it. */
export async function readHead(
  { hill, check }: Checked,
  log: Listed,
  seen: KnownLogs,
  pinned?: Verifier,
): Promise<Head | null> {
  const known = seen[log.origin];
  const key = pinned ?? parseVerifierKey(known?.key ?? log.keys[0] ?? '');
  const note = text(await hill.bytes(pathIn(log.checkpoint)));
  const held = key.name === log.origin ? opens(note, key) : null;
  const by = `signed by ${known || pinned ? 'the key that was pinned' : 'the key that it shows, which is pinned from now on'}.`;
  check(
    held !== null,
    `The last checkpoint of ${log.origin} is ${by}`,
    `The last checkpoint of ${log.origin} is not ${by}`,
  );
  if (!held) return null;
  const second = log.keys.slice(1).map((key) => attempt(() => parseVerifierKey(key)));
  if (second.length > 0)
    check(
      second.every((key) => key && seenBy(held, key) !== null),
      'It is signed with ML-DSA-44 too, by the key that the hill shows for that.',
      'It is not signed with ML-DSA-44 by the key that the hill shows for that.',
    );
  return { log, key, known, note, held };
}

/** Adds a checkpoint that holds, and the key that signed it. */
export function addSeen(seen: KnownLogs, { log, key, known, note, held }: Head): void {
  const kept = known?.checkpoints ?? [];
  seen[log.origin] = {
    ...known,
    key: known?.key ?? verifierKey(key),
    checkpoints: kept.some((one) => parseCheckpoint(one).size === held.size) ? kept : [...kept, note],
  };
}

/** With its entries, also where they are not those of its checkpoint. Adds what it saw to `seen`. */
export async function readLog(
  { hill, check }: Checked,
  head: Head,
  seen: KnownLogs,
  sizes: readonly number[] = [],
): Promise<ReadLog> {
  const { log, key, known, held } = head;
  const before = (known?.checkpoints ?? []).map(parseCheckpoint).sort((a, b) => a.size - b.size);
  const roots = new Map<number, Uint8Array>();
  const wanted = new Set([...[...before, held].map(({ size }) => size), ...sizes]);
  const tree = new Tree();
  const entries: string[] = [];
  const keepRoot = () => void (wanted.has(tree.size) && roots.set(tree.size, tree.root()));
  keepRoot();
  for (let tile = 0; tile * 256 < held.size; tile++) {
    const width = Math.min(256, held.size - 256 * tile);
    const bundle = await hill
      .bytes(pathIn(log.tiles) + tilePath({ level: 'entries', tile, width }))
      .then(parseBundle)
      .catch(nothing);
    for (const entry of bundle) {
      tree.add(entry);
      entries.push(latin1(entry));
      keepRoot();
    }
  }
  const whole = tree.size === held.size && equal(tree.root(), held.root);
  check(
    whole,
    `Its ${held.size} entries are those of that checkpoint.`,
    `The entries that are served are not the ${held.size} that this checkpoint is of: one was changed, moved, put in or taken out.`,
  );
  const others = before.filter(({ size, root }) => !equal(roots.get(size), root));
  if (known)
    check(
      others.length === 0,
      `It begins with each of the ${before.length} checkpoints that were seen before.`,
      (others[0]?.size ?? 0) > held.size
        ? `It was rolled back: it has ${held.size} entries, and a checkpoint of size ${others[0]?.size} was seen before.`
        : `It does not begin with the checkpoint of size ${others[0]?.size} that was seen before: its history was changed, or it is another log under the same name.`,
    );
  if (!whole || others.length > 0) return { key, head: held, entries, roots };
  addSeen(seen, head);
  return { key, head: held, entries, roots };
}

/** Of a bundle that is not there, or is none. */
function nothing(error: unknown): Uint8Array[] {
  if (error instanceof Missing || error instanceof RangeError) return [];
  throw error;
}

/**
 * Who else signed a checkpoint, and when by their clocks. Of `trusted` each must have, or so many as a policy says;
 * where none are named, those that the hill names are counted, whoever they are.
 */
export function reportWitnesses(
  { check, note }: Checked,
  log: Listed,
  checkpoint: Checkpoint,
  trusted: readonly Verifier[],
  policy?: Policy,
): void {
  const seen = (witness: Verifier) => {
    const at = seenBy(checkpoint, witness);
    return at === null ? null : new Date(at).toISOString();
  };
  for (const witness of trusted) {
    const at = seen(witness);
    check(
      at !== null,
      `The witness ${witness.name} saw the last checkpoint of ${log.origin} at ${at}, as what went on from all that it had seen before.`,
      `The last checkpoint of ${log.origin} is not signed by the witness ${witness.name}: it is away, or was shown another history.`,
    );
  }
  if (policy)
    checkQuorum(
      check,
      policy,
      policy.witnesses.filter((witness) => seen(witness) !== null),
      `the last checkpoint of ${log.origin}`,
    );
  if (trusted.length > 0 || policy) return;
  const named = (log.witnesses ?? [])
    .filter(({ key }) => !log.keys.includes(key))
    .map(({ key }) => attempt(() => parseVerifierKey(key)))
    .filter((witness) => witness !== null);
  const times = [...new Map(named.map((witness) => [publicKey(witness), seen(witness)])).values()]
    .filter((at) => at !== null)
    .sort();
  note(
    times.length === 0
      ? `No outside clock has signed the last checkpoint of ${log.origin}: when something happened is the word of the hill.`
      : `The last checkpoint of ${log.origin} was there at ${times[0]}, according to ${times.length === 1 ? 'one witness' : `${times.length} witnesses`}. The hill names them: ask whose keys they are, and name those with --witness.`,
  );
}

/** Whether enough of those whom a policy names have signed something. */
export function checkQuorum(check: Checked['check'], policy: Policy, signed: readonly Verifier[], what: string): void {
  const names = (all: readonly Verifier[]) => all.map(({ name }) => name).join(', ') || 'nobody';
  const others = policy.witnesses.filter((witness) => !signed.includes(witness));
  check(
    policy.enough(new Set(signed)),
    `Enough of the witnesses of the policy have signed ${what}: ${names(signed)}.`,
    `Not enough of the witnesses of the policy have signed ${what}: ${names(signed)}, and not ${names(others)}.`,
  );
}

/** Signed by that key. Null where it is not. */
export const opens = (note: string, key: Verifier): Checkpoint | null => attempt(() => openCheckpoint(note, key));

/** When a witness says that it saw a checkpoint, in milliseconds since 1970; null if it did not sign it. */
export function seenBy(checkpoint: Checkpoint, witness: Verifier): number | null {
  const [seconds] = attempt(() => cosignedAt(checkpoint, witness)) ?? [];
  return seconds === undefined ? null : seconds * 1_000;
}

/** One key under two names is one witness. */
const publicKey = ({ key }: Verifier): string => hex(key);

function attempt<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}
