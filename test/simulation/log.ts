// The public log of a world: it only grows, each signed root is that of its entries, what a receipt promised is in it
// once its night is published, and it says of each night how that says it was sealed.
import { createHash } from 'node:crypto';
import { Contradiction } from './model.ts';
import { keptFile } from './outside.ts';
import type { World } from './world.ts';

/** What the log had when it was last looked at, and the deposits that receipts promised, by day. */
export interface LogModel {
  /** By generation. A database that is brought back has fewer. */
  entries: Map<number, readonly string[]>;
  promised: Map<number, string[]>;
  /** The root of each size of each log that was signed, as `origin size`. What was signed stays signed. */
  readonly signed: Map<string, string>;
}

export const emptyLog = (): LogModel => ({ entries: new Map(), promised: new Map(), signed: new Map() });

/** What a receipt promises. */
export function notePromise({ promised }: LogModel, answer: unknown): void {
  const { result } = (answer ?? {}) as { result?: { day?: number; commitment?: string } };
  const { day, commitment } = result ?? {};
  // what staff are shown of a move of the past is no receipt
  if (day && commitment && !commitment.startsWith('\\x')) promised.set(day, [...(promised.get(day) ?? []), commitment]);
}

const hash = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** RFC 6962, section 2.1. */
function root(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return hash();
  if (leaves.length === 1) return leaves[0] as Buffer;
  const left = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return hash(Buffer.of(1), root(leaves.slice(0, left)), root(leaves.slice(left)));
}

interface Head {
  readonly generation: number;
  readonly size: number;
  readonly root: Buffer;
  /** What was signed of it. */
  readonly note: string | null;
}

export async function checkLog(world: World): Promise<void> {
  const { hill, log, nights } = world;
  const rows = await hill.rows<{ generation: number; entry: Buffer }>(
    'select generation, entry from hill.log_entries order by generation, index',
  );
  const heads = await hill.rows<Head>(
    `select generation, h.size::int, h.root, c.note from hill.log_heads h
       left join hill.log_checkpoints c using (generation, size) order by generation, h.size`,
  );
  const there = new Set<string>();
  for (const [generation, entries] of Map.groupBy(rows, (row) => row.generation)) {
    const texts = entries.map(({ entry }) => entry.toString('latin1'));
    const changed = (log.entries.get(generation) ?? []).findIndex((entry, i) => entry !== texts[i]);
    if (changed >= 0) throw new Contradiction(`Entry ${changed} of log ${generation} has become ${texts[changed]}`);
    log.entries.set(generation, texts);
    const own = heads.filter((head) => head.generation === generation);
    checkHeads(
      own,
      entries.map(({ entry }) => entry),
    );
    for (const { note, root } of own) if (note) noteSigned(log, note, root);
    // of a log that has ended what was never signed is in the next one
    const ended = heads.some((head) => head.generation > generation);
    for (const entry of ended ? texts.slice(0, own.findLast(({ note }) => note)?.size ?? 0) : texts) there.add(entry);
  }
  const kept = keptFile(world);
  if (kept) noteSigned(log, kept);
  checkBeginnings(log);
  for (const [day, commitments] of log.promised) {
    if (!nights.has(day)) continue;
    const lost = commitments.find((commitment) => !there.has(`deposit ${day} ${commitment}`));
    if (lost) throw new Contradiction(`A deposit of day ${day} is not in the log: ${lost}`);
    log.promised.delete(day);
  }
  await checkSeals(world, there);
}

/** What is told of how nights were sealed is what the log says, and of what it names that root was signed. */
async function checkSeals({ hill, log }: World, there: ReadonlySet<string>): Promise<void> {
  const logged = Map.groupBy([...there], (entry) => entry.split(' ', 2).join(' '));
  const told = await hill.rows<{
    day: number;
    closed: { origin: string; size: number } | null;
    unsealed: string | null;
  }>(
    `select n.day, t.seal -> 'closed' as closed, t.seal ->> 'unsealed' as unsealed
       from hill.logged_nights n, trusted.night_seal(n.day) t (seal) where n.result is not null`,
  );
  for (const { day, closed, unsealed } of told) {
    if (!logged.has(`night ${day}`)) continue;
    const expected: string[] = [];
    if (closed) {
      const signed = log.signed.get(`${closed.origin} ${closed.size}`) ?? '';
      expected.push(`closed ${day} ${closed.origin} ${closed.size} ${Buffer.from(signed, 'base64').toString('hex')}`);
    } else if (unsealed) expected.push(`unsealed ${day} ${hash(Buffer.from(unsealed)).toString('hex')}`);
    const says = ['closed', 'unsealed'].flatMap((kind) => logged.get(`${kind} ${day}`) ?? []);
    if (says.join() !== expected.join())
      throw new Contradiction(`The log says of night ${day}: ${says.join()}, and the night: ${expected.join()}`);
  }
}

/** What is sealed stands in the order of its hashes, which tells nobody who came first. */
function checkHeads(heads: readonly Head[], entries: readonly Buffer[]): void {
  const last = heads.at(-1);
  const leaves = entries.map((entry) => hash(Buffer.of(0), entry));
  if (last && !root(leaves.slice(0, last.size)).equals(last.root))
    throw new Contradiction(`The root over ${last.size} entries of the log is another one`);
  for (const [i, { size }] of heads.entries()) {
    const piece = entries
      .slice(heads[i - 1]?.size ?? 0, size)
      .filter((entry) => entry.toString('latin1', 0, 8) === 'deposit ');
    if (piece.some((entry, n) => n > 0 && Buffer.compare(entry, piece[n - 1] as Buffer) < 0))
      throw new Contradiction(`The deposits before entry ${size} of the log are not in the order of their hashes`);
  }
}

/** No size of a log is signed with two roots, whatever database signed it. */
function noteSigned({ signed }: LogModel, note: string, of?: Buffer): void {
  const [origin, size, text] = note.split('\n') as [string, string, string];
  if (of && text !== of.toString('base64'))
    throw new Contradiction(`What is signed of ${origin} ${size} is not its root`);
  const before = signed.get(`${origin} ${size}`);
  if (before && before !== text) throw new Contradiction(`${origin} ${size} is signed with two roots`);
  signed.set(`${origin} ${size}`, text);
}

/** A log that goes on in the place of another names something of it that was signed. */
function checkBeginnings({ entries, signed }: LogModel): void {
  for (const [first = ''] of entries.values()) {
    const [kind, origin, size, of = ''] = first.split(' ');
    if (kind !== 'log') continue;
    if (signed.get(`${origin} ${size}`) !== Buffer.from(of, 'hex').toString('base64'))
      throw new Contradiction(`A log begins with what nobody signed: ${first}`);
  }
}
