// Checkpoints: the size and the root of a log, signed by it and by witnesses. C2SP tlog-checkpoint and
// tlog-cosignature; rules 20.6.
import { base64 } from '@scure/base';
import { concat, utf8, viewOf } from './bytes.ts';
import {
  isBy,
  isSignedBy,
  type Note,
  NotSigned,
  parseNote,
  signaturesOf,
  strictBase64,
  type Verifier,
} from './note.ts';

export interface TreeHead {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

export interface Checkpoint extends TreeHead {
  readonly note: Note;
}

export const checkpointText = ({ origin, size, root }: TreeHead): string =>
  `${origin}\n${size}\n${base64.encode(root)}\n`;

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

/** When a witness says that it saw this checkpoint (seconds since 1970), the latest first; none if it did not sign. */
export function cosignedAt(checkpoint: Checkpoint, witness: Verifier): number[] {
  if (witness.type === 'ed25519') throw new NotSigned(`The key of ${witness.name} is not a witness's.`);
  const time = (signature: Uint8Array): bigint => viewOf(signature).getBigUint64(0);
  return signaturesOf(checkpoint.note, witness, (bytes) => {
    if (bytes.length < 9 || time(bytes) > BigInt(Number.MAX_SAFE_INTEGER)) return false;
    const message = signedMessage(checkpoint, checkpoint.note.text, witness.type, witness.name, time(bytes));
    return isBy(witness, message, bytes.subarray(8));
  })
    .map((bytes) => Number(time(bytes)))
    .sort((a, b) => b - a);
}

/**
 * What a cosignature signs. `body` is the whole text of the note: Ed25519 signs its extension lines too, and ML-DSA-44
 * the three facts and the name of who signs.
 */
export function signedMessage(
  { origin, size, root }: TreeHead,
  body: string,
  type: Verifier['type'],
  name: string,
  at: bigint,
): Uint8Array {
  if (type !== 'mldsa44') return utf8(`cosignature/v1\ntime ${at}\n${body}`);
  const short = (text: string) => {
    const bytes = utf8(text);
    if (bytes.length > 255) throw new NotSigned('A name is longer than 255 bytes.');
    return concat(Uint8Array.of(bytes.length), bytes);
  };
  return concat(utf8('subtree/v1\n\0'), short(name), uint64(at), short(origin), uint64(0n), uint64(BigInt(size)), root);
}

/** Big-endian. */
export function uint64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  viewOf(bytes).setBigUint64(0, value);
  return bytes;
}

const isDecimal = (text: string): boolean => /^(0|[1-9][0-9]{0,15})$/.test(text) && Number.isSafeInteger(Number(text));

export { isDecimal };
