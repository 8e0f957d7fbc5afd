// Signed notes and the keys that sign them. C2SP signed-note and tlog-cosignature; rules 20.6.

import { base64 } from '@scure/base';
import { isByEd25519, isByMlDsa44 } from '#signatures';
import { concat, sha256, utf8, viewOf } from './bytes.ts';

/** A line of a note: who signed it, and what comes after the 4 bytes of the key's id. */
export interface Signature {
  readonly name: string;
  readonly id: number;
  readonly bytes: Uint8Array;
}

export interface Note {
  /** With its last line end. */
  readonly text: string;
  readonly signatures: readonly Signature[];
}

/** Signature types: of the log itself; of a witness, with the time. ML-DSA-44 (FIPS 204) has one for both. */
const types = { ed25519: 0x01, cosignature: 0x04, mldsa44: 0x06 } as const;
export type Type = keyof typeof types;
const keyBytes: Readonly<Record<Type, number>> = { ed25519: 32, cosignature: 32, mldsa44: 1312 };
export interface Verifier {
  readonly type: Type;
  readonly name: string;
  readonly id: number;
  /** The public key as it stands in a verifier key. */
  readonly key: Uint8Array;
}

/** Thrown where a text is not of its form, or a signature does not hold. Messages are for people. */
export class NotSigned extends Error {}

/** More signatures than a log and its witnesses have; a reader must take 16. */
const mostSignatures = 64;
const mostBytes = 1_000_000;
const validName = (name: string): boolean => name !== '' && !/[\p{White_Space}+]/u.test(name);

/** Throws if the name or the length of the key is not one that a key may have. */
export function verifierOf(name: string, type: Type, key: Uint8Array): Verifier {
  if (!validName(name)) throw new NotSigned('The name of a key has a space or a plus sign, or is empty.');
  if (key.length !== keyBytes[type]) throw new NotSigned('The key does not have the length of its type.');
  const about = concat(utf8(`${name}\n`), Uint8Array.of(types[type]), key);
  return { type, name, id: viewOf(sha256(about)).getUint32(0), key };
}

/** `name+id+key`, as clients and witnesses are told of a key. */
export const verifierKey = ({ type, name, id, key }: Verifier): string =>
  `${name}+${id.toString(16).padStart(8, '0')}+${base64.encode(concat(Uint8Array.of(types[type]), key))}`;

export function parseVerifierKey(text: string): Verifier {
  const [, name, id, material] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? [];
  const bytes = strictBase64(material ?? '');
  const type = (Object.keys(types) as Type[]).find((type) => types[type] === bytes?.[0]);
  if (!name || !bytes || !type || bytes.length !== 1 + keyBytes[type])
    throw new NotSigned('This is not a verifier key.');
  const verifier = verifierOf(name, type, bytes.subarray(1));
  if (verifier.id.toString(16).padStart(8, '0') !== id)
    throw new NotSigned('The id of this verifier key is not that of its key.');
  return verifier;
}

/** A line of a note, with its line end. */
export const signatureLine = ({ name, id, bytes }: Signature): string => {
  const head = new Uint8Array(4);
  viewOf(head).setUint32(0, id);
  return `\u2014 ${name} ${base64.encode(concat(head, bytes))}\n`;
};

export const formatNote = ({ text, signatures }: Note): string => `${text}\n${signatures.map(signatureLine).join('')}`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a note has none but line ends
export const controls = /[\x00-\x09\x0b-\x1f]/;

export function parseNote(note: string): Note {
  const at = note.lastIndexOf('\n\n');
  if (utf8(note).length > mostBytes || controls.test(note) || !note.isWellFormed() || at < 0 || !note.endsWith('\n'))
    throw new NotSigned('This is not a signed note.');
  const lines = note.slice(at + 2, -1).split('\n');
  if (lines.length > mostSignatures) throw new NotSigned('This note has too many signatures.');
  const signatures = lines.map((text) => {
    const [, name, coded] = /^\u2014 ([^ ]+) ([^ ]+)$/.exec(text) ?? [];
    const bytes = strictBase64(coded ?? '');
    if (!name || !validName(name) || !bytes || bytes.length < 5)
      throw new NotSigned('A line of signature is not of its form.');
    return { name, id: viewOf(bytes).getUint32(0), bytes: bytes.subarray(4) };
  });
  return { text: note.slice(0, at + 1), signatures };
}

/**
 * The signatures of a key in a note: none if it did not sign. Whose name and id are known, but whose signature does not
 * hold, is an error.
 */
export function signaturesOf(note: Note, verifier: Verifier, holds: (signature: Uint8Array) => boolean): Uint8Array[] {
  const found = note.signatures.filter(({ name, id }) => name === verifier.name && id === verifier.id);
  if (!found.every(({ bytes }) => holds(bytes)))
    throw new NotSigned(`The signature of ${verifier.name} does not hold.`);
  return found.map(({ bytes }) => bytes);
}

/** Whether a log's Ed25519 key signed a note. */
export const isSignedBy = (note: Note, verifier: Verifier): boolean =>
  verifier.type === 'ed25519' &&
  signaturesOf(note, verifier, (bytes) => isBy(verifier, utf8(note.text), bytes)).length > 0;

/** Whether a key made a signature. */
export const isBy = ({ type, key }: Verifier, message: Uint8Array, signature: Uint8Array): boolean =>
  (type === 'mldsa44' ? isByMlDsa44 : isByEd25519)(key, message, signature);

/** The bytes of a text in base64 as RFC 4648, 4, writes it, and in no other way; null of any other text. */
export function strictBase64(text: string): Uint8Array | null {
  try {
    return base64.decode(text);
  } catch {
    return null;
  }
}
