// worker/log.ts · signs what the log has become, and never two histories of it. Rules 20.2, 20.6, 20.7.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { call } from '../db/call.ts';
import { type Checkpoint, openCheckpoint, parseCheckpoint, signCheckpoint } from '../log/checkpoint.ts';
import { derivedSigner, isSignedBy, type Signer, verifierKey } from '../log/note.ts';

export interface LogSettings {
  /** Of the first log: the host and `/log`. Those after it have a number behind that. */
  readonly origin: string;
  readonly secret: string;
  /** Outside the database: the last checkpoint that this machine signed. Null: there is no such place. */
  readonly file: string | null;
  /** The checkpoint at the hill's public address; null if nothing was ever there. If it cannot be told, it throws, and nothing is signed. */
  readonly ask: () => Promise<string | null>;
  /** What witnesses show of the log of an origin. Those that do not answer hold nothing up. */
  readonly witnessed?: (origin: string) => Promise<readonly string[]>;
  /** Hears that another log begins, which is to be looked into. */
  readonly tell: (what: string) => void;
}

/** See engine.log_head. */
interface Head {
  readonly generation: number;
  readonly origin: string;
  readonly size: number;
  readonly root: string;
  readonly ended: readonly string[];
  readonly checkpoint: string | null;
  readonly signed: boolean;
  readonly continues: boolean;
}

const readHead = (db: pg.Pool, known?: Checkpoint): Promise<Head | null> =>
  call(db, 'api_worker.log_head', known ? { size: known.size, root: known.root } : {});

/**
 * Numbers what is due and signs it, if all that is known to have been signed is the beginning of it; otherwise another log begins, and is signed. Returns
 * the last checkpoint, which is stored and may be served. Run it at each start and on each quarter hour.
 */
export async function publishLog(db: pg.Pool, settings: LogSettings): Promise<string> {
  const known = (await Promise.all([knownCheckpoints(settings), witnessedCheckpoints(db, settings)])).flat();
  await continueLog(db, settings, known);
  await call(db, 'api_worker.number_log');
  // Read once more, in one statement with what is signed: the database may have become another one meanwhile.
  const heads = await Promise.all([undefined, ...known].map((checkpoint) => readHead(db, checkpoint)));
  const head = heads[0];
  if (!head || !heads.every((other, n) => other && sameHead(other, head) && (other.continues || isPast(settings, head, known[n - 1]))))
    throw new Error('The log changed while it was to be signed: nothing was signed.');
  const root = Buffer.from(head.root, 'base64');
  const note =
    head.signed && head.checkpoint
      ? head.checkpoint
      : await call<string | null>(db, 'api_worker.keep_checkpoint', {
          generation: head.generation,
          size: head.size,
          root,
          note: signCheckpoint({ ...head, root }, signersOf(settings, head.origin), Math.floor(Date.now() / 1_000)),
        });
  if (!note) throw new Error('The log changed while it was signed: that signature is not kept.');
  if (settings.file !== null) await writeFile(settings.file, note);
  return note;
}

const signersOf = ({ secret }: LogSettings, origin: string) =>
  (['ed25519', 'mldsa44'] as const).map((type) => derivedSigner(secret, origin, type));
const sameHead = (a: Head, b: Head): boolean => a.generation === b.generation && a.size === b.size && a.root === b.root;

async function knownCheckpoints({ file, ask }: LogSettings): Promise<Checkpoint[]> {
  const kept =
    file === null
      ? null
      : await fs.readFile(file, 'utf8').catch((error) => {
          if (error.code === 'ENOENT') return null;
          throw error;
        });
  return [kept, await ask()].filter((text) => text !== null).map(parseCheckpoint);
}

/** What witnesses hold of the last log, and of those that began after it. They can show what our keys signed, and make nothing up. */
async function witnessedCheckpoints(db: pg.Pool, settings: LogSettings): Promise<Checkpoint[]> {
  if (!settings.witnessed) return [];
  const found: Checkpoint[] = [];
  const last = (await readHead(db))?.origin ?? settings.origin;
  for (let number = numberOf(settings.origin, last) ?? 1; ; number++) {
    const origin = number === 1 ? settings.origin : `${settings.origin}/${number}`;
    const [key] = signersOf(settings, origin) as [Signer, Signer];
    const ours = (await settings.witnessed(origin)).map((text) => safely(() => openCheckpoint(text, key))).filter((one) => one !== null);
    if (ours.length === 0) return found;
    found.push(...ours);
  }
}

/** Begins another log unless the last one of the database is the one that is known outside, has its key, and goes on from there. */
async function continueLog(db: pg.Pool, settings: LogSettings, known: readonly Checkpoint[]): Promise<void> {
  const head = await readHead(db);
  const signed = head?.checkpoint ? [...known, parseCheckpoint(head.checkpoint)] : known;
  let lost: Checkpoint | undefined;
  for (const checkpoint of signed) {
    if (head && isPast(settings, head, checkpoint)) continue;
    if (checkpoint.origin !== head?.origin && numberOf(settings.origin, checkpoint.origin) === null)
      throw new Error(
        `A log of another name was signed here: ${checkpoint.origin}. Nothing was signed. HILL_CHECKPOINT or BASE_URL leads to another hill.`,
      );
    const [key] = signersOf(settings, checkpoint.origin);
    const ours = checkpoint.origin === head?.origin && key && safely(() => isSignedBy(checkpoint.note, key));
    if (!ours || !(await readHead(db, checkpoint))?.continues) lost = !lost || checkpoint.size > lost.size ? checkpoint : lost;
  }
  const origins = [...signed.map(({ origin }) => origin), ...(head ? [...head.ended, head.origin] : [])];
  const numbers = origins.map((origin) => numberOf(settings.origin, origin)).filter((n) => n !== null);
  if (head && !lost && numberOf(settings.origin, head.origin) !== null) return;
  const before = lost ?? (head && { ...head, root: Buffer.from(head.root, 'base64') });
  const origin = numbers.length === 0 ? settings.origin : `${settings.origin}/${Math.max(...numbers) + 1}`;
  await call<number>(db, 'api_worker.begin_log', {
    origin,
    old_origin: before?.origin ?? null,
    old_size: before?.size ?? null,
    old_root: before?.root ?? null,
    keys: signersOf(settings, origin).map(verifierKey),
  });
  if (before) settings.tell(`The log ${origin} begins: this database does not continue ${before.origin} of size ${before.size}.`);
}

/** Whether it is of a log that ended before the one of the database began: by the database, or by its number. */
const isPast = ({ origin }: LogSettings, head: Head, known?: Checkpoint): boolean =>
  known !== undefined &&
  known.origin !== head.origin &&
  (head.ended.includes(known.origin) || (numberOf(origin, known.origin) ?? Infinity) < (numberOf(origin, head.origin) ?? 0));

/** Which of the logs of this address has that origin: 1 for the first; null if none. */
function numberOf(first: string, origin: string): number | null {
  if (origin === first) return 1;
  const number = origin.startsWith(`${first}/`) ? origin.slice(first.length + 1) : '';
  return /^[1-9][0-9]{0,8}$/.test(number) ? Number(number) : null;
}

/** A signature of ours that does not hold is no signature of ours. */
function safely<T>(check: () => T): T | null {
  try {
    return check();
  } catch {
    return null;
  }
}

/** Whole or not at all, and on the disk when this returns. */
async function writeFile(file: string, text: string): Promise<void> {
  const next = `${file}.${randomUUID()}`;
  await fs.mkdir(path.dirname(file), { recursive: true });
  const handle = await fs.open(next, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await fs.rename(next, file);
}
