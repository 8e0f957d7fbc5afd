// verify/log.ts · reads a log whole, and holds it against its signature and against every checkpoint of it that was seen before.
import { type Checkpoint, openCheckpoint, parseCheckpoint } from '../log/checkpoint.ts';
import { parseVerifierKey } from '../log/note.ts';
import { parseBundle, tilePath } from '../log/tiles.ts';
import type { Served } from './reading.ts';
import type { Seen } from './seen.ts';
import { Tree } from './tree.ts';

/** One of `logs` of /api/log. */
export interface Listed {
  readonly origin: string;
  readonly checkpoint: string;
  readonly tiles: string;
  readonly keys: readonly string[];
}

export type Say = (holds: boolean, sentence: string) => void;

/** Its entries; null if they are not those of its checkpoint. Adds what it saw to `seen`. */
export async function readLog(hill: Served, log: Listed, seen: Seen, say: Say): Promise<string[] | null> {
  const known = seen[log.origin];
  const key = parseVerifierKey(known?.key ?? log.keys[0] ?? '');
  const path = (address: string) => address.slice(new URL(address).origin.length);
  const note = (await hill.bytes(path(log.checkpoint))).toString();
  const held: Checkpoint | null = attempt(() => openCheckpoint(note, key));
  say(
    held !== null,
    `The last checkpoint of ${log.origin} is signed by ${known ? 'the key that was pinned' : 'the key that it shows, which is pinned from now on'}.`,
  );
  if (!held) return null;

  const before = (known?.checkpoints ?? []).map(parseCheckpoint).sort((a, b) => a.size - b.size);
  const roots = new Map<number, Buffer>();
  const wanted = new Set([...before, held].map(({ size }) => size));
  const tree = new Tree();
  const entries: string[] = [];
  const keepRoot = () => void (wanted.has(tree.size) && roots.set(tree.size, tree.root()));
  keepRoot();
  for (let tile = 0; tile * 256 < held.size; tile++) {
    const width = Math.min(256, held.size - 256 * tile);
    for (const entry of parseBundle(await hill.bytes(path(log.tiles) + tilePath({ level: 'entries', tile, width })))) {
      tree.add(entry);
      entries.push(entry.toString('latin1'));
      keepRoot();
    }
  }
  const whole = tree.size === held.size && tree.root().equals(held.root);
  say(whole, `Its ${held.size} entries are those of that checkpoint.`);
  const others = before.filter(({ size, root }) => !roots.get(size)?.equals(root));
  if (known)
    say(
      others.length === 0,
      others.length === 0
        ? `It begins with each of the ${before.length} checkpoints that were seen before.`
        : `It does not begin with the checkpoint of size ${others[0]?.size} that was seen before: its history was changed, or it is another log under the same name.`,
    );
  if (!whole || others.length > 0) return null;
  const kept = known?.checkpoints ?? [];
  seen[log.origin] = {
    key: known?.key ?? (log.keys[0] as string),
    checkpoints: kept.some((one) => parseCheckpoint(one).size === held.size) ? kept : [...kept, note],
  };
  return entries;
}

function attempt<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}
