// process/proofs.ts · what this process says of the world outside, proven to the database: who came from a provider, what was paid, which key signs.
//
// The login that the database is asked with is not believed by itself: sql/oauth/proofs.sql checks an HMAC under a key that this login cannot read.
import { createHash, createHmac, hkdfSync } from 'node:crypto';

type Purpose = 'sign in' | 'add sign-in' | 'top up' | 'signing key';

/** Two arguments of the functions that ask for a proof. */
interface Proof {
  /** Milliseconds since 1970. */
  readonly proven_at: number;
  readonly proof: string;
}

/** Each function's comment says which fields, in which order. */
export type Prove = (purpose: Purpose, ...fields: readonly string[]) => Proof;

/** `secret` is asked for when something is first proven. */
export function prover(secret: () => string): Prove {
  let derived: Buffer | undefined;
  return (purpose, ...fields) => {
    derived ??= keyOf(secret());
    const proven_at = Date.now();
    return { proven_at, proof: hmac(derived, purpose, String(proven_at), ...fields) };
  };
}

/** As a session stands in a proof. */
export const hashed = (session: string): string => createHash('sha256').update(session).digest('hex');

/** What a database that keeps the key of the same secret answers with true: see db/proof-key.ts. */
export const proofOfSecret = (secret: string): string => hmac(keyOf(secret), 'secret');

/** The two blocks that HMAC-SHA256 mixes its key into (RFC 2104): what the database keeps to check proofs, and cannot be turned back into the secret. */
export function proofKeyBlocks(secret: string): { inner: Uint8Array; outer: Uint8Array } {
  const key = keyOf(secret);
  const padded = (byte: number) => Buffer.alloc(64, byte).map((value, i) => value ^ (key[i] ?? 0));
  return { inner: padded(0x36), outer: padded(0x5c) };
}

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'hill proofs', 32));

// netstrings: each with its length in bytes before it, so that no two lists are one text
const hmac = (key: Buffer, ...parts: readonly string[]): string =>
  createHmac('sha256', key)
    .update(parts.map((part) => `${Buffer.byteLength(part)}:${part},`).join(''))
    .digest('hex');
