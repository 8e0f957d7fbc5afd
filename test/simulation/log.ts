// The public log of a world: it only grows, each signed root is that of its entries, and what a receipt promised is in
// it once its night is published.
import { createHash } from 'node:crypto';
import { Contradiction } from './model.ts';
import type { World } from './world.ts';

/** What the log had when it was last looked at, and the deposits that receipts promised, by day. */
export interface LogModel {
  entries: string[];
  readonly promised: Map<number, string[]>;
}

const hash = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** RFC 6962, section 2.1. */
function root(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return hash();
  if (leaves.length === 1) return leaves[0] as Buffer;
  const left = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return hash(Buffer.of(1), root(leaves.slice(0, left)), root(leaves.slice(left)));
}

export async function checkLog({ hill, log, nights }: World): Promise<void> {
  const rows = await hill.rows<{ entry: Buffer }>('select entry from hill.log_entries order by generation, index');
  const entries = rows.map(({ entry }) => entry.toString('latin1'));
  const changed = log.entries.findIndex((entry, i) => entry !== entries[i]);
  if (changed >= 0)
    throw new Contradiction(`Entry ${changed} of the log was ${log.entries[changed]}, and is ${entries[changed]}`);
  log.entries = entries;

  const leaves = rows.map(({ entry }) => hash(Buffer.of(0), entry));
  const [head] = await hill.rows<{ size: number; root: Buffer }>(
    'select size::int, root from hill.log_heads order by generation desc, size desc limit 1',
  );
  if (head && !root(leaves.slice(0, head.size)).equals(head.root))
    throw new Contradiction(`The root over ${head.size} entries of the log is another one`);

  // What is sealed stands in the order of its hashes, which tells nobody who came first.
  const heads = await hill.rows<{ size: number }>('select size::int from hill.log_heads order by generation, size');
  for (const [i, { size }] of heads.entries()) {
    const piece = entries.slice(heads[i - 1]?.size ?? 0, size).filter((entry) => entry.startsWith('deposit '));
    if (piece.some((entry, n) => n > 0 && entry < (piece[n - 1] as string)))
      throw new Contradiction(`The deposits before entry ${size} of the log are not in the order of their hashes`);
  }

  const there = new Set(entries);
  for (const [day, commitments] of log.promised) {
    if (!nights.has(day)) continue;
    const lost = commitments.find((commitment) => !there.has(`deposit ${day} ${commitment}`));
    if (lost) throw new Contradiction(`A deposit of day ${day} is not in the log: ${lost}`);
    log.promised.delete(day);
  }
}
