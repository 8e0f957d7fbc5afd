// Holds a log against the last checkpoint of it that was seen, by a proof that is made of its tiles: some ten requests,
// however many entries there are. C2SP tlog-tiles; RFC 9162, 2.1.4; rules 20.14.
import { parseCheckpoint } from '../log/checkpoint.ts';
import { growsFrom, nodeHash } from '../log/proof.ts';
import { type Tile, tilePath, widthIn } from '../log/tiles.ts';
import type { KnownLogs } from './known-logs.ts';
import { addSeen, type Head, pathIn } from './log.ts';
import { Missing, type Served } from './reading.ts';
import type { Checked } from './report.ts';

const hashBytes = 32;

/** `head` is a log of which a checkpoint was seen. What holds is added to `seen`. */
export async function checkGrowth({ hill, check }: Checked, head: Head, seen: KnownLogs): Promise<void> {
  const { log, held, known } = head;
  const [last] = (known?.checkpoints ?? []).map(parseCheckpoint).sort((a, b) => b.size - a.size);
  if (!last) return;
  const read = tilesOf(hill, pathIn(log.tiles), held.size);
  const proof = last.size < held.size && last.size > 0 ? await growth(read, last.size, held.size).catch(notThere) : [];
  const grew = proof !== null && growsFrom(last, held, proof);
  check(
    grew,
    `It begins with the checkpoint of size ${last.size} that was seen last, as its tiles prove. Its ${held.size} entries were not read.`,
    last.size > held.size
      ? `It was rolled back: it has ${held.size} entries, and a checkpoint of size ${last.size} was seen before.`
      : `It does not begin with the checkpoint of size ${last.size} that was seen before: its history was changed, or it is another log under the same name.`,
  );
  if (grew) addSeen(seen, head);
}

/** Of a tile that is not there, or is none. */
function notThere(error: unknown): null {
  if (error instanceof Missing || error instanceof RangeError) return null;
  throw error;
}

type Read = (level: number, index: number, count: number) => Promise<Uint8Array[]>;

/** Hashes of a level, which are all of one tile; each tile is read once. */
function tilesOf(hill: Served, address: string, size: number): Read {
  const tiles = new Map<string, Promise<Uint8Array>>();
  return async (level, index, count) => {
    const tile: Omit<Tile, 'width'> = { level, tile: Math.floor(index / 256) };
    const path = address + tilePath({ ...tile, width: widthIn(size, tile) });
    const bytes = tiles.get(path) ?? hill.bytes(path);
    tiles.set(path, bytes);
    const from = index % 256;
    const found = (await bytes).subarray(hashBytes * from, hashBytes * (from + count));
    if (found.length !== hashBytes * count) throw new RangeError('A tile is too short.');
    return Array.from({ length: count }, (_, n) => found.subarray(hashBytes * n, hashBytes * (n + 1)));
  };
}

/** The proof that a tree of `size` begins with one of `old`: neither is empty, nor are they the same. */
async function growth(read: Read, old: number, size: number): Promise<Uint8Array[]> {
  const sub = async (old: number, first: number, size: number, whole: boolean): Promise<Uint8Array[]> => {
    if (old === size) return whole ? [] : [await rootOf(read, first, size)];
    const left = largestBelow(size);
    return old <= left
      ? [...(await sub(old, first, left, whole)), await rootOf(read, first + left, size - left)]
      : [...(await sub(old - left, first + left, size - left, false)), await rootOf(read, first, left)];
  };
  return sub(old, 0, size, true);
}

/** Of the entries from `first` on: a tree of its own within the whole one. */
async function rootOf(read: Read, first: number, size: number): Promise<Uint8Array> {
  if (!Number.isInteger(Math.log2(size))) {
    const left = largestBelow(size);
    return nodeHash(await rootOf(read, first, left), await rootOf(read, first + left, size - left));
  }
  const level = Math.floor(Math.log2(size) / 8);
  const each = 256 ** level;
  let hashes = await read(level, first / each, size / each);
  while (hashes.length > 1)
    hashes = hashes.flatMap((hash, n) => (n % 2 === 0 ? [nodeHash(hash, hashes[n + 1] as Uint8Array)] : []));
  return hashes[0] as Uint8Array;
}

/** The largest power of two below a number above 1. */
const largestBelow = (size: number): number => 2 ** (Math.ceil(Math.log2(size)) - 1);
