// What signs logs, as witnesses do, too: keys derived from a secret, and what they make of a checkpoint. C2SP
// signed-note, tlog-checkpoint and tlog-cosignature; rules 20.6.
import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto';
import { concat, utf8 } from './bytes.ts';
import { checkpointText, signedMessage, type TreeHead, uint64 } from './checkpoint.ts';
import { handoverText } from './handover.ts';
import { controls, formatNote, NotSigned, type Signature, type Type, type Verifier, verifierOf } from './note.ts';

export interface Signer extends Verifier {
  readonly secret: KeyObject;
}

const asymmetric: Readonly<Record<Type, string>> = { ed25519: 'ed25519', cosignature: 'ed25519', mldsa44: 'ml-dsa-44' };

/** A key's signer under a name, which for a log is its origin. */
export function signerOf(name: string, type: Type, secret: KeyObject): Signer {
  if (secret.asymmetricKeyType !== asymmetric[type]) throw new NotSigned(`This is no key for ${asymmetric[type]}.`);
  const { x, pub = x } = createPublicKey(secret).export({ format: 'jwk' }) as { x?: string; pub?: string };
  return { ...verifierOf(name, type, new Uint8Array(Buffer.from(pub ?? '', 'base64url'))), secret };
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

/** What an Ed25519 key of a log makes of a text; what a witness signs has its own form (cosignature.ts). */
function signNote(text: string, { name, id, secret }: Signer): Signature {
  if (!text.endsWith('\n') || controls.test(text))
    throw new NotSigned('The text of a note ends with a line end, and has no other control character.');
  return { name, id, bytes: sign(null, utf8(text), secret) };
}

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

/**
 * Of a tree, by a witness or, with ML-DSA-44, by the log itself. `at` in seconds since 1970. `body` is the text of the
 * note that is signed, lines behind the root included.
 */
export function cosign(
  head: TreeHead,
  { type, name, id, secret }: Signer,
  at: number,
  body = checkpointText(head),
): Signature {
  const message = signedMessage(head, body, type, name, BigInt(at));
  return { name, id, bytes: concat(uint64(BigInt(at)), sign(null, message, secret)) };
}

/** By the Ed25519 key of a log, for the one after it. The same each time. */
export function signHandover(from: Signer, to: Verifier): string {
  const text = handoverText(from, to);
  return formatNote({ text, signatures: [signNote(text, from)] });
}
