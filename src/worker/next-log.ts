// Begins another log where the database does not go on from what was signed, and where somebody outside vouches for
// that. Rules 20.7, 20.52.
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { call } from '../db/call.ts';
import { hex } from '../log/bytes.ts';
import { type Checkpoint, parseCheckpoint, type TreeHead } from '../log/checkpoint.ts';
import { isSignedBy, verifierKey } from '../log/note.ts';
import { signHandover } from '../log/signing.ts';
import {
  type Head,
  isPast,
  type LogSettings,
  NotVouched,
  numberOf,
  readHead,
  type Secrets,
  safely,
  signedWith,
  signersOf,
} from './log-head.ts';
import { type Known, shownBy } from './look-outside.ts';

/** Of numbers that may be taken, so many are passed over at most: no two then take one, and nine digits suffice. */
const farthest = 1_000_000;

/**
 * Begins another log unless the last one of the database is the one that is known outside, has its key, and goes on
 * from there. Throws NotVouched.
 */
export async function continueLog(db: pg.Pool, settings: LogSettings, known: Known): Promise<void> {
  const head = await readHead(db);
  const own = head?.checkpoint ? safely(() => parseCheckpoint(head.checkpoint as string)) : null;
  /** It is of this log, and the log goes on from there. */
  const leads = async (checkpoint: Checkpoint): Promise<boolean> =>
    checkpoint.origin === head?.origin &&
    signedWith(settings, checkpoint) !== null &&
    (await readHead(db, checkpoint))?.continues === true;
  let lost: Checkpoint | undefined;
  for (const checkpoint of [...known.checkpoints, ...(own ? [own] : [])])
    if (!(head && isPast(settings, head, checkpoint)) && !(await leads(checkpoint)))
      lost = !lost || checkpoint.size > lost.size ? checkpoint : lost;
  const foreign = lost !== undefined && lost !== own;
  const unreadable = head?.checkpoint !== null && head !== null && own === null;
  /**
   * Where it shows that nothing was signed since. Of a log that has just begun nothing was, and it shows the one
   * before.
   */
  const reaches = (checkpoint: Checkpoint) =>
    checkpoint.origin === head?.origin
      ? checkpoint.size >= (own?.size ?? 0)
      : head?.checkpoint === null && isPast(settings, head, checkpoint);
  if (own && !settings.adopt && signedWith(settings, own) === null)
    throw new NotVouched(
      'contradicted',
      `The log ${own.origin} is signed by a key that this worker has not: give it that secret, or hand the log over (docs/operations.md#the-key-of-the-log).`,
    );
  if (!settings.adopt) vouched(known, { foreign, own, signed: head?.checkpoint !== null && head !== null, reaches });
  // What it has may name what was lost, and it is to be written.
  else if (known.kept.says === 'silent')
    throw new Error(`${known.kept.why} Mend that, or name another file in HILL_CHECKPOINT.`);
  // The operator says which database goes on. Nobody says that no more of this log was signed, so it does not.
  const unknown = settings.adopt && own !== null && ![...known.mine, ...known.witnessed].some(reaches);

  const kept = head && hasOurKey(settings, head, own);
  if (kept && !lost && !unreadable && !unknown && numberOf(settings.origin, head.origin) !== null) return;
  const numbers = [...known.checkpoints.map(({ origin }) => origin), ...(head ? [...head.ended, head.origin] : [])].map(
    numberIn,
  );
  const before = lost ?? own ?? (unreadable && head ? { ...head, root: Buffer.from(head.root, 'base64') } : null);
  const next = numbers.length === 0 ? 1 : Math.max(...numbers) + 1;
  // Nobody says whether the next number is free: this database may have begun that log before, and lost it. Where there
  // are witnesses it is the next all the same, since they are asked for one log after the other.
  const number = unknown && !lost && !settings.witnessed ? next + randomInt(farthest) : next;
  const origin = number === 1 ? settings.origin : `${settings.origin}/${number}`;
  await begin(db, settings, origin, before);
  if (before)
    settings.tell(
      unknown && !lost
        ? `The log ${origin} begins: nothing outside the database says how far ${before.origin} was signed. It has ${before.size} entries here.`
        : `The log ${origin} begins: this database does not continue ${before.origin} of size ${before.size}.`,
    );
}

/** Whether the present key signs a log. Of one that was not signed yet, that it is to be. */
function hasOurKey(settings: Secrets, { origin, keys = [] }: Head, own: Checkpoint | null): boolean {
  const [key] = signersOf(settings, origin);
  if (own) return safely(() => isSignedBy(own.note, key)) === true;
  return keys.length === 0 || keys[0] === verifierKey(key);
}

/** Whoever has the key of the log before names this one as the next. */
async function begin(
  db: pg.Pool,
  settings: LogSettings,
  origin: string,
  before: (TreeHead & { readonly note?: Checkpoint['note'] }) | null,
): Promise<void> {
  const signers = signersOf(settings, origin);
  const keys = signers.map(verifierKey);
  const old = { old_origin: before?.origin ?? null, old_size: before?.size ?? null, old_root: before?.root ?? null };
  const fields = [origin, before?.origin ?? '', String(before?.size ?? ''), before ? hex(before.root) : '', ...keys];
  const key = before?.note && signedWith(settings, before as Checkpoint);
  if (key) {
    const note = signHandover(key, signers[0]);
    const proof = settings.prove('log handover', note, ...fields);
    await call<number>(db, 'api_worker.hand_log_over', { origin, ...old, keys, note, ...proof });
  } else await call<number>(db, 'api_worker.begin_log', { origin, ...old, keys, ...settings.prove('log', ...fields) });
}

interface Found {
  /** What the database keeps as signed last. */
  readonly own: Checkpoint | null;
  /** Something outside shows what this log does not go on from. */
  readonly foreign: boolean;
  /** Something was signed of this log. */
  readonly signed: boolean;
  readonly reaches: (checkpoint: Checkpoint) => boolean;
}

/**
 * Whether somebody outside the database shows that it is the one that was signed for, and what last. Throws NotVouched.
 */
function vouched({ kept, mine, address, witnessed }: Known, { foreign, own, signed, reaches }: Found): void {
  // This machine has signed for this database: whatever was lost since, it knows, and the next log names it.
  if (mine.length > 0 && (foreign || mine.some(reaches))) return;
  if (foreign)
    throw new NotVouched(
      'contradicted',
      'What was signed before is not the beginning of this log: was a database restored, or does another sign?',
    );
  if (signed && witnessed.some(reaches)) return;
  // A hill that is new
  if (!signed && kept.says === 'none' && address.says !== 'silent') return;
  const why = [kept, address].flatMap((shown) => (shown.says === 'silent' ? [shown.why] : []));
  if (signed && kept.says === 'none') why.unshift('The file of the last checkpoint (HILL_CHECKPOINT) is not there.');
  // The address may be this very database: it shows what that has, restored or not.
  for (const { origin, size } of shownBy(kept))
    why.unshift(
      `The file fell behind: it has size ${size} of ${origin}, and the database ${own?.size} of ${own?.origin}.`,
    );
  throw new NotVouched('unvouched', `Nothing outside the database says what was signed last: ${why.join(' ')}`);
}

/**
 * The same, whatever its host: two logs of one hill never have the same, since it is in their addresses
 * (engine.log_number).
 */
const numberIn = (origin: string): number => Number(/\/([1-9][0-9]{0,8})$/.exec(origin)?.[1] ?? 1);
