// What is known outside the database of what was signed: the file, the hill's own address, witnesses, this process.
// Rules 20.7.
import type pg from 'pg';
import { call } from '../db/call.ts';
import { type Checkpoint, parseCheckpoint } from '../log/checkpoint.ts';
import { messageOf } from '../process/start-error.ts';
import { type Kept, keep, readKept, type Seen, type Shown, silent } from './known.ts';
import {
  type FollowSettings,
  type Head,
  isPast,
  type LogSettings,
  NotVouched,
  namesOf,
  numberOf,
  openAny,
  readHead,
  type Secrets,
  safely,
} from './log-head.ts';

const elsewhere =
  "The hill's own address (BASE_URL) leads to another database than this one, so this is a copy, and signs nothing. If it is the one to go on with, lead the address here first, or stop what serves there.";

export interface Known {
  readonly database: string | null;
  /** What the file shows; silent if it is somebody else's, which is not written over. */
  readonly kept: Shown;
  readonly strange: boolean;
  /** What this machine has signed for this database: by its file, and by what this process remembers. */
  readonly mine: readonly Checkpoint[];
  readonly address: Shown;
  readonly witnessed: readonly Checkpoint[];
  /** All of these: what may not be contradicted. */
  readonly checkpoints: readonly Checkpoint[];
}

export async function lookOutside(db: pg.Pool, settings: LogSettings): Promise<Known> {
  const { head, database } = await followLog(db, settings);
  const hasOrigin = namesOf(settings, head);
  const [read, address, witnessed, led] = await Promise.all([
    readKept(settings.file, settings.adopt ? 10_000 : undefined),
    askedAddress(settings, hasOrigin),
    witnessedCheckpoints(settings, head?.origin ?? settings.origin),
    settings.leads?.() ?? 'silent',
  ]);
  if (led !== 'silent') settings.places?.saw('database', led === 'here' ? null : elsewhere);
  if (led === 'another') throw new NotVouched('another', elsewhere);
  const strange = whose(read, database, hasOrigin, settings.adopt === true);
  const kept: Shown = strange === null ? read : silent(new Error(`The file has the checkpoint of ${strange}.`));
  // that all is well there is said when it is written
  if (kept.says === 'silent') settings.places?.saw('file', kept.why);
  settings.places?.saw('address', address.says === 'silent' ? address.why : null);
  const { signed } = settings.memory;
  const mine = [...shownBy(kept), ...(signed?.database === database ? [signed.checkpoint] : [])];
  return {
    database,
    kept,
    strange: strange !== null,
    mine,
    address,
    witnessed,
    checkpoints: [...mine, ...shownBy(address), ...witnessed],
  };
}

export const shownBy = (shown: Shown): Checkpoint[] => (shown.says === 'checkpoint' ? [shown.checkpoint] : []);

/** Whose file it is, if it is somebody else's. With --adopt what another database left is what this one follows. */
function whose(
  read: Kept,
  database: string | null,
  hasOrigin: (origin: string) => boolean,
  adopt: boolean,
): string | null {
  if (read.says !== 'checkpoint') return null;
  if (!hasOrigin(read.checkpoint.origin)) return `another hill: ${read.checkpoint.origin}`;
  return !adopt && read.database !== undefined && database !== null && read.database !== database
    ? 'another database'
    : null;
}

/**
 * Only what the log's own key signed: whatever else stands there was not signed here, and anybody on the way may have
 * put it there.
 */
async function askedAddress(settings: LogSettings, hasOrigin: (origin: string) => boolean): Promise<Shown> {
  try {
    const text = await settings.ask();
    if (text === null) return { says: 'none' };
    const { origin } = parseCheckpoint(text);
    if (!hasOrigin(origin)) throw new Error(`The hill's own address shows the checkpoint of another hill: ${origin}.`);
    return { says: 'checkpoint', checkpoint: openAny(text, settings, origin) };
  } catch (error) {
    return silent(error);
  }
}

/**
 * What witnesses hold of the last log, and of those that began after it. They can show what our keys signed, and make
 * nothing up.
 */
async function witnessedCheckpoints(settings: LogSettings, last: string): Promise<Checkpoint[]> {
  if (!settings.witnessed) return [];
  const { witnessed } = settings;
  const first = numberOf(settings.origin, last) ?? 1;
  const of = async (number: number): Promise<Checkpoint[]> => {
    const origin = number === 1 ? settings.origin : `${settings.origin}/${number}`;
    return (await witnessed(origin))
      .map((text) => safely(() => openAny(text, settings, origin)))
      .filter((one) => one !== null);
  };
  // Together, so that one that never answers costs its time once; those further on only where there is another log.
  const found = await Promise.all([of(first), of(first + 1)]);
  for (let number = first + 2; found.at(-1)?.length !== 0; number++) found.push(await of(number));
  return found.flat();
}

/** In this process, and in the file. */
export async function remember(
  { origin, memory, file, places }: FollowSettings,
  checkpoint: Checkpoint,
  { database, strange, kept }: Pick<Known, 'database' | 'strange' | 'kept'>,
): Promise<void> {
  const before = memory.signed?.database === database ? memory.signed.checkpoint : null;
  const ahead = ({ origin: of, size }: Checkpoint) =>
    of === checkpoint.origin
      ? size > checkpoint.size
      : (numberOf(origin, of) ?? 0) > (numberOf(origin, checkpoint.origin) ?? 0);
  if (before && ahead(before)) return; // another turn of this process was faster
  memory.signed = { checkpoint, database };
  if (file === null || strange) return;
  const failure = await keep(file, checkpoint, database).then(() => null, messageOf);
  if (failure === null || kept.says !== 'silent')
    places?.saw('file', failure && `The file of the last checkpoint cannot be written: ${failure}`);
}

/**
 * Takes note of what other workers sign: where this one was vouched for, or has seen that another one was, since more
 * was signed than there was when it came. So the file of each machine shows what was signed last, whoever did it.
 */
export async function followLog(
  db: pg.Pool,
  settings: FollowSettings,
): Promise<{ head: Head | null; database: string | null }> {
  const { memory, file } = settings;
  const [head, database] = await Promise.all([readHead(db), call<string | null>(db, 'api_worker.database_identity')]);
  const last = head && lastSigned(settings, head);
  if (!head || !last) return { head, database };
  const of = (seen: Seen | null | undefined) => (seen?.database === database ? seen.checkpoint : null);
  const before = of(memory.signed) ?? of(memory.found);
  if (!before) memory.found = { checkpoint: last, database };
  else if (
    last.origin !== before.origin
      ? isPast(settings, head, before)
      : last.size > before.size && (await goesOn(db, head, before))
  ) {
    const kept = await readKept(file);
    await remember(settings, last, {
      database,
      kept,
      strange: whose(kept, database, namesOf(settings, head), false) !== null,
    });
  }
  return { head, database };
}

const goesOn = async (db: pg.Pool, { generation }: Head, from: Checkpoint): Promise<boolean> => {
  const head = await readHead(db, from);
  return head?.generation === generation && head.continues;
};
/** The last checkpoint of a log, if a key of ours signed it. */
const lastSigned = (settings: Secrets, { origin, checkpoint }: Head): Checkpoint | null =>
  checkpoint === null ? null : safely(() => openAny(checkpoint, settings, origin));
