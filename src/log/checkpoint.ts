// Checkpoints: the size and the root of a log, signed by it and by witnesses. C2SP tlog-checkpoint and
// tlog-cosignature; rules 20.6.
import { sign, verify } from 'node:crypto';
import {
  formatNote,
  isSignedBy,
  type Note,
  NotSigned,
  parseNote,
  type Signature,
  type Signer,
  signaturesOf,
  signNote,
  strictBase64,
  type Verifier,
} from './note.ts';

export interface TreeHead {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

export interface Checkpoint extends TreeHead {
  readonly note: Note;
}

const checkpointText = ({ origin, size, root }: TreeHead): string => `${origin}\n${size}\n${root.toString('base64')}\n`;

/**
 * Signed by each key in turn: Ed25519 as a note, ML-DSA-44 as a cosignature of the log's own at an instant (seconds
 * since 1970).
 */
export function signCheckpoint(head: TreeHead, signers: readonly Signer[], at: number): string {
  const text = checkpointText(head);
  return formatNote({
    text,
    signatures: signers.map((key) => (key.type === 'ed25519' ? signNote(text, key) : cosign(head, key, at))),
  });
}

export function parseCheckpoint(text: string): Checkpoint {
  const note = parseNote(text);
  const [origin = '', size = '', root = '', ...more] = note.text.slice(0, -1).split('\n');
  const hash = strictBase64(root);
  if (origin === '' || !isDecimal(size) || hash?.length !== 32 || more.includes(''))
    throw new NotSigned('This is not a checkpoint.');
  return { origin, size: Number(size), root: hash, note };
}

/** A checkpoint of the log that has this key, whose Ed25519 signature is required. */
export function openCheckpoint(text: string, log: Verifier): Checkpoint {
  const checkpoint = parseCheckpoint(text);
  if (checkpoint.origin !== log.name)
    throw new NotSigned(`This checkpoint is of ${checkpoint.origin}, not of ${log.name}.`);
  if (!isSignedBy(checkpoint.note, log)) throw new NotSigned(`This checkpoint is not signed by ${log.name}.`);
  return checkpoint;
}

/** Of a tree, by a witness or, with ML-DSA-44, by the log itself. `at` in seconds since 1970. */
export function cosign(head: TreeHead, { type, name, id, secret }: Signer, at: number): Signature {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(at));
  return {
    name,
    id,
    bytes: Buffer.concat([time, sign(null, signedMessage(head, checkpointText(head), type, name, BigInt(at)), secret)]),
  };
}

/** When a witness says that it saw this checkpoint (seconds since 1970), the latest first; none if it did not sign. */
export function cosignedAt(checkpoint: Checkpoint, witness: Verifier): number[] {
  if (witness.type === 'ed25519') throw new NotSigned(`The key of ${witness.name} is not a witness's.`);
  return signaturesOf(checkpoint.note, witness, (bytes) => {
    if (bytes.length < 9 || bytes.readBigUInt64BE() > BigInt(Number.MAX_SAFE_INTEGER)) return false;
    const message = signedMessage(
      checkpoint,
      checkpoint.note.text,
      witness.type,
      witness.name,
      bytes.readBigUInt64BE(),
    );
    return verify(null, message, witness.key, bytes.subarray(8));
  })
    .map((bytes) => Number(bytes.readBigUInt64BE()))
    .sort((a, b) => b - a);
}

/**
 * `body` is the whole text of the note: Ed25519 signs its extension lines too, and ML-DSA-44 the three facts and the
 * name of who signs.
 */
function signedMessage(
  { origin, size, root }: TreeHead,
  body: string,
  type: Verifier['type'],
  name: string,
  at: bigint,
): Buffer {
  if (type !== 'mldsa44') return Buffer.from(`cosignature/v1\ntime ${at}\n${body}`);
  const numbers = (...values: bigint[]) => {
    const bytes = Buffer.alloc(8 * values.length);
    for (const [n, value] of values.entries()) bytes.writeBigUInt64BE(value, 8 * n);
    return bytes;
  };
  const short = (text: string) => {
    const bytes = Buffer.from(text);
    if (bytes.length > 255) throw new NotSigned('A name is longer than 255 bytes.');
    return Buffer.concat([Buffer.of(bytes.length), bytes]);
  };
  return Buffer.concat([
    Buffer.from('subtree/v1\n\0'),
    short(name),
    numbers(at),
    short(origin),
    numbers(0n, BigInt(size)),
    root,
  ]);
}

const isDecimal = (text: string): boolean => /^(0|[1-9][0-9]{0,15})$/.test(text) && Number.isSafeInteger(Number(text));

export { isDecimal };
