// Signed notes and the keys that sign them. C2SP signed-note and tlog-cosignature; rules 20.6.
import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto';

/** A line of a note: who signed it, and what comes after the 4 bytes of the key's id. */
export interface Signature {
  readonly name: string;
  readonly id: number;
  readonly bytes: Buffer;
}

export interface Note {
  /** With its last line end. */
  readonly text: string;
  readonly signatures: readonly Signature[];
}

/** Signature types: of the log itself; of a witness, with the time. ML-DSA-44 (FIPS 204) has one for both. */
const types = { ed25519: 0x01, cosignature: 0x04, mldsa44: 0x06 } as const;
type Type = keyof typeof types;
const keyBytes: Readonly<Record<Type, number>> = { ed25519: 32, cosignature: 32, mldsa44: 1312 };
const asymmetric: Readonly<Record<Type, string>> = { ed25519: 'ed25519', cosignature: 'ed25519', mldsa44: 'ml-dsa-44' };

export interface Verifier {
  readonly type: Type;
  readonly name: string;
  readonly id: number;
  readonly key: KeyObject;
}

export interface Signer extends Verifier {
  readonly secret: KeyObject;
}

/** Thrown where a text is not of its form, or a signature does not hold. Messages are for people. */
export class NotSigned extends Error {}

/** More signatures than a log and its witnesses have; a reader must take 16. */
const mostSignatures = 64;
const mostBytes = 1_000_000;
const validName = (name: string): boolean => name !== '' && !/[\p{White_Space}+]/u.test(name);
const rawPublic = (key: KeyObject): Buffer =>
  Buffer.from(
    (key.export({ format: 'jwk' }) as { x?: string; pub?: string })[
      key.asymmetricKeyType === 'ed25519' ? 'x' : 'pub'
    ] as string,
    'base64url',
  );
function verifierOf(name: string, type: Type, key: KeyObject): Verifier {
  if (!validName(name)) throw new NotSigned('The name of a key has a space or a plus sign, or is empty.');
  if (key.asymmetricKeyType !== asymmetric[type]) throw new NotSigned(`This is no key for ${asymmetric[type]}.`);
  const about = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(types[type]), rawPublic(key)]);
  return { type, name, id: createHash('sha256').update(about).digest().readUInt32BE(), key };
}

/** A key's signer under a name, which for a log is its origin. */
export function signerOf(name: string, type: Type, secret: KeyObject): Signer {
  return { ...verifierOf(name, type, createPublicKey(secret)), secret };
}

/** `name+id+key`, as clients and witnesses are told of a key. */
export const verifierKey = ({ type, name, id, key }: Verifier): string =>
  `${name}+${id.toString(16).padStart(8, '0')}+${Buffer.concat([Buffer.of(types[type]), rawPublic(key)]).toString('base64')}`;

export function parseVerifierKey(text: string): Verifier {
  const [, name, id, material] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? [];
  const bytes = strictBase64(material ?? '');
  const type = (Object.keys(types) as Type[]).find((type) => types[type] === bytes?.[0]);
  if (!name || !bytes || !type || bytes.length !== 1 + keyBytes[type])
    throw new NotSigned('This is not a verifier key.');
  const raw = bytes.subarray(1).toString('base64url');
  const jwk = type === 'mldsa44' ? { kty: 'AKP', alg: 'ML-DSA-44', pub: raw } : { kty: 'OKP', crv: 'Ed25519', x: raw };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const verifier = verifierOf(name, type, key);
  if (verifier.id.toString(16).padStart(8, '0') !== id)
    throw new NotSigned('The id of this verifier key is not that of its key.');
  return verifier;
}

// What stands before the seed of a key in PKCS #8 (RFC 8410, RFC 9881).
const pkcs8 = {
  ed25519: '302e020100300506032b657004220420',
  mldsa44: '3034020100300b060960864801650304031104228020',
} as const;

/** The same each time for one secret and purpose, and another for another. */
export function derivedKey(secret: string, purpose: string, type: keyof typeof pkcs8): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  return createPrivateKey({
    key: Buffer.concat([Buffer.from(pkcs8[type], 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
}

/** The signers of a witness, Ed25519 first. */
export const witnessSigners = (secret: string, name: string): readonly Signer[] => [
  signerOf(name, 'cosignature', derivedKey(secret, `hill witness ed25519 ${name}`, 'ed25519')),
  signerOf(name, 'mldsa44', derivedKey(secret, `hill witness mldsa44 ${name}`, 'mldsa44')),
];

/** The log's signer of an origin. */
export const derivedSigner = (secret: string, origin: string, type: keyof typeof pkcs8): Signer =>
  signerOf(origin, type, derivedKey(secret, `hill log ${type} ${origin}`, type));

/** A line of a note, with its line end. */
export const signatureLine = ({ name, id, bytes }: Signature): string => {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(id);
  return `\u2014 ${name} ${Buffer.concat([head, bytes]).toString('base64')}\n`;
};

export const formatNote = ({ text, signatures }: Note): string => `${text}\n${signatures.map(signatureLine).join('')}`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a note has none but line ends
const controls = /[\x00-\x09\x0b-\x1f]/;

export function parseNote(note: string): Note {
  const at = note.lastIndexOf('\n\n');
  if (
    Buffer.byteLength(note) > mostBytes ||
    controls.test(note) ||
    !note.isWellFormed() ||
    at < 0 ||
    !note.endsWith('\n')
  )
    throw new NotSigned('This is not a signed note.');
  const lines = note.slice(at + 2, -1).split('\n');
  if (lines.length > mostSignatures) throw new NotSigned('This note has too many signatures.');
  const signatures = lines.map((text) => {
    const [, name, coded] = /^\u2014 ([^ ]+) ([^ ]+)$/.exec(text) ?? [];
    const bytes = strictBase64(coded ?? '');
    if (!name || !validName(name) || !bytes || bytes.length < 5)
      throw new NotSigned('A line of signature is not of its form.');
    return { name, id: bytes.readUInt32BE(), bytes: bytes.subarray(4) };
  });
  return { text: note.slice(0, at + 1), signatures };
}

/** What an Ed25519 key of a log makes of a text; what a witness signs has its own form (cosignature.ts). */
export function signNote(text: string, { name, id, secret }: Signer): Signature {
  if (!text.endsWith('\n') || controls.test(text))
    throw new NotSigned('The text of a note ends with a line end, and has no other control character.');
  return { name, id, bytes: sign(null, Buffer.from(text), secret) };
}

/**
 * The signatures of a key in a note: none if it did not sign. Whose name and id are known, but whose signature does not
 * hold, is an error.
 */
export function signaturesOf(note: Note, verifier: Verifier, holds: (signature: Buffer) => boolean): Buffer[] {
  const found = note.signatures.filter(({ name, id }) => name === verifier.name && id === verifier.id);
  if (!found.every(({ bytes }) => holds(bytes)))
    throw new NotSigned(`The signature of ${verifier.name} does not hold.`);
  return found.map(({ bytes }) => bytes);
}

/** Whether a log's Ed25519 key signed a note. */
export const isSignedBy = (note: Note, verifier: Verifier): boolean =>
  verifier.type === 'ed25519' &&
  signaturesOf(note, verifier, (bytes) => verify(null, Buffer.from(note.text), verifier.key, bytes)).length > 0;

/** The bytes of a text in base64 as RFC 4648, 4, writes it, and in no other way; null of any other text. */
export function strictBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}
