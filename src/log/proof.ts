// Proofs that an entry is in the log, as files, and how they are checked. C2SP tlog-proof; RFC 6962, 2.1; rules 20.5.
import { base64 } from '@scure/base';
import { equal, sha256 } from './bytes.ts';
import { type Checkpoint, isDecimal, openCheckpoint, type TreeHead } from './checkpoint.ts';
import { NotSigned, strictBase64, type Verifier } from './note.ts';

export interface Proof {
  readonly index: number;
  /** From the entry's neighbour to the root's child. */
  readonly path: readonly Uint8Array[];
  /** As it was signed. */
  readonly checkpoint: string;
}

const head = 'c2sp.org/tlog-proof@v1';

export const formatProof = ({ index, path, checkpoint }: Proof): string =>
  `${head}\nindex ${index}\n${path.map((hash) => `${base64.encode(hash)}\n`).join('')}\n${checkpoint}`;

export function parseProof(text: string): Proof {
  const end = text.indexOf('\n\n');
  const [first, ...rest] = text.slice(0, Math.max(0, end)).split('\n');
  const lines = rest[0]?.startsWith('extra ') ? rest.slice(1) : rest; // it proves nothing
  const index = lines[0]?.startsWith('index ') ? lines[0].slice(6) : '';
  const path = lines.slice(1).map(strictBase64);
  if (first !== head || !isDecimal(index) || path.length > 63 || !path.every((hash) => hash?.length === 32))
    throw new NotSigned('This is not a proof of a log.');
  return { index: Number(index), path: path as Uint8Array[], checkpoint: text.slice(end + 2) };
}

/** The checkpoint under which an entry is in the log that has this key. Throws if the proof does not hold. */
export function openProof(text: string, entry: Uint8Array, log: Verifier): Checkpoint {
  const proof = parseProof(text);
  const checkpoint = openCheckpoint(proof.checkpoint, log);
  const root = rootBy(proof.path, proof.index, checkpoint.size, leafHash(entry));
  if (!equal(root, checkpoint.root))
    throw new NotSigned('The entry is not in the log where the proof says that it is.');
  return checkpoint;
}

export const leafHash = (entry: Uint8Array): Uint8Array => sha256(Uint8Array.of(0), entry);
export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(Uint8Array.of(1), left, right);

/** Where a path leads from a leaf of a tree of that size (RFC 9162, 2.1.3.2); null if it is too short or too long. */
function rootBy(path: readonly Uint8Array[], index: number, size: number, leaf: Uint8Array): Uint8Array | null {
  if (index >= size) return null;
  let [at, last, hash] = [BigInt(index), BigInt(size - 1), leaf];
  for (const beside of path) {
    if (last === 0n) return null;
    if (at % 2n === 1n || at === last) {
      hash = nodeHash(beside, hash);
      while (at % 2n === 0n && at !== 0n) [at, last] = [at / 2n, last / 2n];
    } else hash = nodeHash(hash, beside);
    [at, last] = [at / 2n, last / 2n];
  }
  return last === 0n ? hash : null;
}

type Tree = Pick<TreeHead, 'size' | 'root'>;

/**
 * Whether a path shows that a tree begins with an older one (RFC 9162, 2.1.4.2). Every tree begins with the one of no
 * entries.
 */
export function growsFrom(old: Tree, tree: Tree, path: readonly Uint8Array[]): boolean {
  if (old.size === 0 || old.size >= tree.size)
    return path.length === 0 && (old.size === 0 || (old.size === tree.size && equal(old.root, tree.root)));
  let [at, last] = [BigInt(old.size - 1), BigInt(tree.size - 1)];
  while (at % 2n === 1n) [at, last] = [at / 2n, last / 2n];
  const [first, ...rest] = at === 0n ? [old.root, ...path] : path; // a full tree stands in the new one as it is
  if (!first) return false;
  let [before, now] = [first, first];
  for (const beside of rest) {
    if (last === 0n) return false;
    if (at % 2n === 1n || at === last) {
      [before, now] = [nodeHash(beside, before), nodeHash(beside, now)];
      while (at % 2n === 0n && at !== 0n) [at, last] = [at / 2n, last / 2n];
    } else now = nodeHash(now, beside);
    [at, last] = [at / 2n, last / 2n];
  }
  return last === 0n && equal(before, old.root) && equal(now, tree.root);
}
