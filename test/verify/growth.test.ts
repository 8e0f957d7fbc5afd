// Whoever has seen a log checks by its tiles that it goes on from there, with few requests. Rules 20.14.
import { beforeAll, expect, test } from 'vitest';
import { utf8 } from '../../src/log/bytes.ts';
import { parseCheckpoint } from '../../src/log/checkpoint.ts';
import { verifierKey } from '../../src/log/note.ts';
import { derivedSigner, signCheckpoint } from '../../src/log/signing.ts';
import { parseTilePath, tilePath } from '../../src/log/tiles.ts';
import { verifyHill } from '../../src/verify/index.ts';
import type { KnownLogs } from '../../src/verify/known-logs.ts';
import { Tiles } from '../../src/verify/node/tiles.ts';
import { Missing, reading } from '../../src/verify/reading.ts';
import { receiptsIn } from '../../src/verify/receipts.ts';
import { Tree } from '../../src/verify/tree.ts';
import { secret } from '../support/hill/secret.ts';

const origin = 'hill.example/log';
const keys = (['ed25519', 'mldsa44'] as const).map((type) => derivedSigner(secret, origin, type));
const listed = { origin, checkpoint: `https://${origin}/checkpoint`, tiles: `https://${origin}/` };
const about = { simulated: true, logs: [{ ...listed, keys: keys.map(verifierKey), witnesses: [] }] };
/** Beyond 256², so that tiles of three levels have a part. */
const largest = 70_000;
const sizes = [1, 2, 255, 256, 257, 511, 513, 4_097, 65_535, 65_536, 65_537, 69_999, largest];

/** Tiles and checkpoints by the sizes of the tree. */
const full = new Map<string, Uint8Array>();
const partial = new Map<number, Map<string, Uint8Array>>();
const notes = new Map<number, string>();
beforeAll(() => {
  const tree = new Tree();
  const tiles = new Tiles((tile, bytes) => full.set(tilePath(tile), bytes));
  for (let n = 1; n <= largest; n++) {
    tree.add(utf8(`deposit ${n}`));
    tiles.add(utf8(`deposit ${n}`));
    if (!sizes.includes(n)) continue;
    notes.set(n, signCheckpoint({ origin, size: n, root: tree.root() }, keys, 0));
    partial.set(n, new Map([...tiles.partial()].map(([tile, bytes]) => [tilePath(tile), bytes])));
  }
});

async function verify(size: number, seen: KnownLogs, change: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes) {
  const wrong: string[] = [];
  let requests = 0;
  const hill = reading('https://hill.example', async (address) => {
    requests += 1;
    const path = address.slice('/log/'.length);
    const bytes =
      address === '/api/log'
        ? utf8(JSON.stringify(about))
        : path === 'checkpoint'
          ? utf8(notes.get(size) as string)
          : parseTilePath(path) && (partial.get(size)?.get(path) ?? full.get(path));
    if (!bytes) throw new Missing(`${address} is not there.`);
    return [path.startsWith('tile/') ? change(bytes) : bytes][
      Symbol.iterator
    ]() as unknown as AsyncIterable<Uint8Array>;
  });
  await verifyHill({
    ...{ hill, days: [], held: receiptsIn([]), seen, logOnly: true },
    withEngine: () => Promise.reject(new Error('no engine is asked')),
    say: (holds, sentence) => void (holds || wrong.push(sentence)),
    note: () => {},
  });
  return { wrong, requests };
}
const pinned = (size: number): KnownLogs => ({
  [origin]: { key: verifierKey(keys[0] as (typeof keys)[number]), checkpoints: [notes.get(size) as string] },
});

test('it goes on from each size that was seen, which takes a dozen requests at most', async () => {
  for (const [n, old] of sizes.entries())
    for (const size of sizes.slice(n)) {
      const seen = pinned(old);
      const { wrong, requests } = await verify(size, seen);
      expect(wrong, `${old} to ${size}`).toEqual([]);
      expect(requests).toBeLessThanOrEqual(12);
      expect(seen[origin]?.checkpoints.map((note) => parseCheckpoint(note).size)).toEqual([...new Set([old, size])]);
    }
});

test('of another history, of tiles that were changed, and of a log that is shorter it is wrong', async () => {
  const seen = pinned(4_097);
  const other = { [origin]: { key: seen[origin]?.key as string, checkpoints: [] as string[] } };
  const root = new Uint8Array(32).fill(7);
  other[origin]?.checkpoints.push(signCheckpoint({ origin, size: 4_097, root }, keys, 0));
  expect((await verify(largest, other)).wrong).toEqual([
    expect.stringContaining('It does not begin with the checkpoint'),
  ]);
  const flipped = (bytes: Uint8Array) => bytes.map((byte, n) => (n % 32 === 0 ? byte ^ 1 : byte));
  expect((await verify(largest, seen, flipped)).wrong).toEqual([expect.stringContaining('It does not begin with')]);
  expect((await verify(largest, seen, (bytes) => bytes.subarray(1))).wrong).toHaveLength(1);
  expect((await verify(4_097, pinned(largest))).wrong).toEqual([expect.stringContaining('It was rolled back')]);
});
