// What is known outside the database of what was signed of the log: by this process, a file, the hill's own address,
// witnesses. Rules 20.7.
import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hex } from '../log/bytes.ts';
import { type Checkpoint, parseCheckpoint } from '../log/checkpoint.ts';
import { formatNote } from '../log/note.ts';
import type { Logger } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { messageOf } from '../process/start-error.ts';

/** What a place shows. Silent: it cannot say, or what it says is of another hill. */
export type Shown =
  | { readonly says: 'checkpoint'; readonly checkpoint: Checkpoint }
  | { readonly says: 'none' }
  | { readonly says: 'silent'; readonly why: string };

/**
 * What was kept here, and for which database (trusted.database_identity); unknown of a file that an earlier release
 * wrote.
 */
export type Kept = Shown & { readonly database?: string | undefined };

/** What this process knows by itself, for as long as it lives: as good as the file, which may be away. */
export interface Memory {
  /** What it has signed, or saw another worker sign. */
  signed: Seen | null;
  /** What was signed when it came: if more is signed from then on, somebody was vouched for. */
  found?: Seen;
}

export interface Seen {
  readonly checkpoint: Checkpoint;
  readonly database: string | null;
}

/** `why` is a sentence; an error of Node has no full stop. */
export const silent = (error: unknown): Shown => ({
  says: 'silent',
  why: messageOf(error).replace(/(?<![.?!])$/, '.'),
});

/** A disk or a mount that does not answer holds nothing up for longer. */
const fileMs = 500;
/** Paths at which something is under way, or hangs: one after the other, since each holds a thread. */
const busy = new Map<string, Promise<unknown>>();

async function inTime<T>(file: string, work: () => Promise<T>, withinMs = fileMs): Promise<T> {
  const begun = performance.now();
  const timely = <R>(done: Promise<R>): Promise<R> =>
    Promise.race([
      done,
      sleep(Math.max(0, begun + withinMs - performance.now()), undefined, { ref: false }).then(() =>
        Promise.reject(new Error(`${file} does not answer.`)),
      ),
    ]);
  for (let other = busy.get(file); other; other = busy.get(file)) await timely(other.catch(() => {}));
  const done = work().finally(() => busy.delete(file));
  done.catch(() => {}); // thrown at whoever still waits
  busy.set(file, done);
  return timely(done);
}

export async function readKept(file: string | null, withinMs?: number): Promise<Kept> {
  if (file === null) return { says: 'none' };
  try {
    const checkpoint = parseCheckpoint(await inTime(file, () => fs.readFile(file, 'utf8'), withinMs));
    const named = checkpoint.note.signatures.find(({ name }) => name === databaseLine);
    return { says: 'checkpoint', checkpoint, database: named && hex(named.bytes) };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? { says: 'none' } : silent(error);
  }
}

/** In the file alone: a line in the form of a signature, which readers of notes pass over, that names the database. */
const databaseLine = 'hill-database';

/** Whole or not at all, and on the disk when this returns. */
export async function keep(file: string, { note }: Checkpoint, database: string | null): Promise<void> {
  const signatures = note.signatures.filter(({ name }) => name !== databaseLine);
  if (database !== null) signatures.push({ name: databaseLine, id: 0, bytes: Buffer.from(database, 'hex') });
  await inTime(file, () => writeFile(file, formatNote({ text: note.text, signatures })));
}

async function writeFile(file: string, text: string): Promise<void> {
  const next = `${file}.${randomUUID()}`;
  await fs.mkdir(path.dirname(file), { recursive: true });
  try {
    const handle = await fs.open(next, 'w');
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await fs.rename(next, file);
  } catch (error) {
    await fs.rm(next, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * The hill's own address is the operator's setting, so it is asked plainly, wherever it leads: on this machine, too.
 */
async function asked(baseUrl: string, path: string, timeoutMs: number): Promise<Response> {
  const address = baseUrl + path;
  return fetch(address, {
    headers: { 'Cache-Control': 'no-cache', 'User-Agent': `Hill (${baseUrl})` },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error) => {
    throw new Error(
      `${address} does not answer (${(error as { cause?: { code?: string } }).cause?.code ?? messageOf(error)}).`,
    );
  });
}

/** Which database the hill's own address leads to. Silent: it cannot be told. */
export type Led = 'here' | 'another' | 'silent';

/** A replica may be late by as much. */
const lateMs = 1_000;

/** What stands in the database: whoever knows the answer reads there. */
export interface Question {
  readonly question: string;
  readonly answer: string;
}

export const newQuestion = (): Question => ({
  question: randomBytes(32).toString('hex'),
  answer: randomBytes(32).toString('hex'),
});

/** Rules 20.37. */
export async function whereAddressLeads(
  baseUrl: string,
  { question, answer }: Question,
  timeoutMs = 5_000,
): Promise<Led> {
  const until = performance.now() + timeoutMs;
  for (let waited = 0, next = 100; ; waited += next, next *= 2) {
    try {
      const answered = await asked(
        baseUrl,
        `/log/address/${question}`,
        Math.max(1, Math.ceil(until - performance.now())),
      );
      const body = await bodyOf(answered);
      if (answered.status === 200) return body === `${answer}\n` ? 'here' : 'silent';
      // A release that does not know questions says 404 without more.
      if (answered.status !== 404 || answered.headers.get('hill-address') !== 'another') return 'silent';
    } catch {
      return 'silent';
    }
    if (waited + next > lateMs || performance.now() + next > until) return 'another';
    await sleep(next);
  }
}

export async function askAddress(baseUrl: string, timeoutMs = 5_000): Promise<string | null> {
  const until = performance.now() + timeoutMs;
  let path = '/log/last/checkpoint';
  let answer = await asked(baseUrl, path, timeoutMs);
  if (answer.status === 404 && answer.headers.get('hill-log') !== 'none') {
    // A release before this one has the last log's there.
    await answer.body?.cancel();
    path = '/log/checkpoint';
    answer = await asked(baseUrl, path, Math.max(1, Math.ceil(until - performance.now())));
  }
  const address = baseUrl + path;
  if (answer.status === 200) return bodyOf(answer);
  await answer.body?.cancel();
  // Only Hill itself can say that there is nothing yet.
  if (answer.status === 404 && answer.headers.get('hill-log') === 'none') return null;
  throw new Error(`${address} answers with ${answer.status}, which does not tell what was signed.`);
}

/** More than any checkpoint with its witnesses has. */
const mostBytes = 100_000;

async function bodyOf({ body, url }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`${url} answers with more than a checkpoint.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Where operators see which places can say what was signed. */
export interface Places {
  /** What a look found, by place; null if all is well there. */
  saw(place: 'file' | 'address' | 'database', wrong: string | null): void;
  /** What was wrong there when somebody looked last; null if nothing was, or nobody has looked. */
  wrong?(place: 'file' | 'address' | 'database'): string | null;
}

/** So often in a row it is no news: when all of a hill starts, its worker is sooner there than its doors. */
const patience = 2;

/**
 * Of several workers one looks each quarter hour, whichever comes first: what another saw before that is not known any
 * more.
 */
const freshMs = 20 * 60_000;

export function placesOf(metrics: Metrics, log: Logger, elapsed = () => performance.now()): Places {
  const found = new Map<string, { wrong: string | null; times: number; at: number }>();
  metrics.gauge(
    'hill_log_place_ok',
    'Whether a place outside the database can say what was signed of the log (1) or not (0).',
    '1',
    () =>
      [...found]
        .filter(([, { at }]) => elapsed() - at < freshMs)
        .map(([place, { wrong }]) => [{ place }, Number(wrong === null)]),
  );
  return {
    wrong: (place) => found.get(place)?.wrong ?? null,
    saw(place, wrong) {
      const before = found.get(place);
      const times = wrong === null ? 0 : (before?.times ?? 0) + 1;
      found.set(place, { wrong, times, at: elapsed() });
      if (times === patience + 1) log.warn(`the log: ${wrong} See docs/runbook.md, log-not-signed.`);
      if (times === 0 && before && before.times > patience)
        log.info(`the log: the ${place} can say again what was signed`);
    },
  };
}
