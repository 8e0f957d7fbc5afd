// Signs what the log has become, and never two histories of it. Rules 20.2, 20.6, 20.7.
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { call } from '../db/call.ts';
import { hex } from '../log/bytes.ts';
import { type Checkpoint, openCheckpoint, parseCheckpoint, type TreeHead } from '../log/checkpoint.ts';
import { isSignedBy, verifierKey } from '../log/note.ts';
import { derivedSigner, type Signer, signCheckpoint, signHandover } from '../log/signing.ts';
import type { Prove } from '../process/proofs.ts';
import { messageOf } from '../process/start-error.ts';
import { numberLog } from './calls.ts';
import {
  type Kept,
  keep,
  type Led,
  type Memory,
  type Places,
  readKept,
  type Seen,
  type Shown,
  silent,
} from './known.ts';

export interface FollowSettings {
  /** Of the first log: the host and `/log`. Those after it have a number behind that. */
  readonly origin: string;
  readonly secret: string;
  /** Others from which the keys of earlier logs were derived. With one of these a log is handed over. */
  readonly formerSecrets?: readonly string[];
  /**
   * Outside the database: the last checkpoint that was signed, as far as this machine knows. Null: there is no such
   * place.
   */
  readonly file: string | null;
  readonly memory: Memory;
  readonly places?: Places;
}

export interface LogSettings extends FollowSettings {
  readonly prove: Prove;
  /** The checkpoint at the hill's public address; null if nothing was ever there. Throws if that cannot be told. */
  readonly ask: () => Promise<string | null>;
  /** Which database the hill's own address leads to. Not given: nobody can tell. */
  readonly leads?: () => Promise<Led>;
  /** What witnesses show of the log of an origin. Those that do not answer hold nothing up. */
  readonly witnessed?: (origin: string) => Promise<readonly string[]>;
  /** The operator says that this database goes on from all that was signed: npm run worker -- --adopt. */
  readonly adopt?: boolean;
  /** Hears that another log begins, which is to be looked into. */
  readonly tell: (what: string) => void;
}

/**
 * Nothing outside the database shows that this log goes on from what was signed, or something shows that it does not.
 */
export class NotVouched extends Error {
  override readonly name = 'NotVouched';
  /** For trusted.give_up_sealing. */
  readonly reason: 'unvouched' | 'contradicted' | 'another';

  constructor(reason: NotVouched['reason'], message: string) {
    super(
      reason === 'another'
        ? `${message} (docs/runbook.md, log-not-signed)`
        : `${message} If this database is the one to go on with, start its worker once with --adopt (docs/runbook.md, log-not-signed).`,
    );
    this.reason = reason;
  }
}

/** See trusted.log_head. */
interface Head {
  readonly generation: number;
  readonly origin: string;
  /** None where a release before this one loaded sql/. */
  readonly keys?: readonly string[];
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
 * Numbers what is due and signs it, if what is known outside shows that all that was signed is the beginning of it;
 * otherwise another log begins, and is signed. Returns the last checkpoint, which is stored and may be served. Run it
 * at each start and on each quarter hour. Throws NotVouched.
 */
export async function publishLog(db: pg.Pool, settings: LogSettings): Promise<string> {
  const known = await lookOutside(db, settings);
  await continueLog(db, settings, known);
  while ((await numberLog(db)) !== null);
  // Read once more, in one statement with what is signed: the database may have become another one meanwhile.
  const heads = await Promise.all([undefined, ...known.checkpoints].map((checkpoint) => readHead(db, checkpoint)));
  const head = heads[0];
  if (
    !head ||
    !heads.every(
      (other, n) =>
        other && sameHead(other, head) && (other.continues || isPast(settings, head, known.checkpoints[n - 1])),
    )
  )
    throw new Error('The log changed while it was to be signed: nothing was signed.');
  if (head.signed && head.checkpoint) {
    await remember(settings, parseCheckpoint(head.checkpoint), known);
    return head.checkpoint;
  }
  const note = await sign(db, settings, head, known);
  if (!note) throw new Error('The log changed while it was signed: that signature is not kept.');
  return note;
}

async function sign(db: pg.Pool, settings: LogSettings, head: Head, known: Known): Promise<string | null> {
  const root = Buffer.from(head.root, 'base64');
  const note = signCheckpoint({ ...head, root }, signersOf(settings, head.origin), Math.floor(Date.now() / 1_000));
  const { generation, size } = head;
  // First, so that whoever ends between the two leaves no database that is ahead of the file.
  await remember(settings, parseCheckpoint(note), known);
  const proof = settings.prove('checkpoint', String(generation), String(size), root.toString('hex'), note);
  return call(db, 'api_worker.keep_checkpoint', { generation, size, root, note, ...proof });
}

/** In this process, and in the file. */
async function remember(
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
type Secrets = Pick<FollowSettings, 'secret' | 'formerSecrets'>;

/** The last checkpoint of a log, if a key of ours signed it. */
const lastSigned = (settings: Secrets, { origin, checkpoint }: Head): Checkpoint | null =>
  checkpoint === null ? null : safely(() => openAny(checkpoint, settings, origin));

/** A checkpoint of a log that a key of ours signed, the present one or an earlier one. Throws a NotSigned. */
function openAny(text: string, settings: Secrets, origin: string): Checkpoint {
  const [key] = signersOf(settings, origin);
  return openCheckpoint(text, signedWith(settings, parseCheckpoint(text)) ?? key);
}

/** The key of ours that signed a checkpoint: null if none did. */
const signedWith = ({ secret, formerSecrets = [] }: Secrets, { origin, note }: Checkpoint): Signer | null =>
  [secret, ...formerSecrets]
    .map((one) => derivedSigner(one, origin, 'ed25519'))
    .find((key) => safely(() => isSignedBy(note, key)) === true) ?? null;
/** Whether a log is one of this hill. */
const namesOf = (settings: Pick<FollowSettings, 'origin'>, head: Head | null) => (origin: string) =>
  origin === head?.origin || head?.ended.includes(origin) === true || numberOf(settings.origin, origin) !== null;

const signersOf = ({ secret }: Pick<FollowSettings, 'secret'>, origin: string) =>
  (['ed25519', 'mldsa44'] as const).map((type) => derivedSigner(secret, origin, type)) as [Signer, Signer];
const sameHead = (a: Head, b: Head): boolean => a.generation === b.generation && a.size === b.size && a.root === b.root;

const elsewhere =
  "The hill's own address (BASE_URL) leads to another database than this one, so this is a copy, and signs nothing. If it is the one to go on with, lead the address here first, or stop what serves there.";

interface Known {
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

async function lookOutside(db: pg.Pool, settings: LogSettings): Promise<Known> {
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

const shownBy = (shown: Shown): Checkpoint[] => (shown.says === 'checkpoint' ? [shown.checkpoint] : []);

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

/** Of numbers that may be taken, so many are passed over at most: no two then take one, and nine digits suffice. */
const farthest = 1_000_000;

/**
 * Begins another log unless the last one of the database is the one that is known outside, has its key, and goes on
 * from there. Throws NotVouched.
 */
async function continueLog(db: pg.Pool, settings: LogSettings, known: Known): Promise<void> {
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

/** Whether it is of a log that ended before the one of the database began: by the database, or by its number. */
const isPast = ({ origin }: Pick<FollowSettings, 'origin'>, head: Head, known?: Checkpoint): boolean =>
  known !== undefined &&
  known.origin !== head.origin &&
  (head.ended.includes(known.origin) ||
    (numberOf(origin, known.origin) ?? Infinity) < (numberOf(origin, head.origin) ?? 0));

/** Which of the logs of this address has that origin: 1 for the first; null if none. */
function numberOf(first: string, origin: string): number | null {
  if (origin === first) return 1;
  const number = origin.startsWith(`${first}/`) ? origin.slice(first.length + 1) : '';
  return /^[1-9][0-9]{0,8}$/.test(number) ? Number(number) : null;
}

/**
 * The same, whatever its host: two logs of one hill never have the same, since it is in their addresses
 * (engine.log_number).
 */
const numberIn = (origin: string): number => Number(/\/([1-9][0-9]{0,8})$/.exec(origin)?.[1] ?? 1);

/** A signature of ours that does not hold is no signature of ours. */
function safely<T>(check: () => T): T | null {
  try {
    return check();
  } catch {
    return null;
  }
}
