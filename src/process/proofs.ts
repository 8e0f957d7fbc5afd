// Proves to the database what only this process knows: who signed in at a provider, what was paid, which key signs.
//
// The database does not trust the login alone: sql/oauth/proofs.sql checks an HMAC under a key that this login cannot
// read.
import { createHash, createHmac, hkdfSync } from 'node:crypto';

type Purpose =
  | 'sign in'
  | 'add sign-in'
  | 'prove new sign-in'
  | 'top up'
  | 'signing key'
  | 'receipt key'
  | 'log'
  | 'log handover'
  | 'checkpoint'
  | 'cosignature'
  | 'stripe event'
  | 'stripe session';

/** The two arguments in which a function takes a proof. */
export interface Proof {
  /** Milliseconds since 1970. */
  readonly proven_at: number;
  readonly proof: string;
}

/** Each function's comment says which fields, in which order. */
export type Prove = (purpose: Purpose, ...fields: readonly string[]) => Proof;

/** Calls `secret` for the first proof. */
export function prover(secret: () => string): Prove {
  let derived: Buffer | undefined;
  return (purpose, ...fields) => {
    derived ??= keyOf(secret());
    const proven_at = Date.now();
    return { proven_at, proof: hmac(derived, purpose, String(proven_at), ...fields) };
  };
}

/** How a proof names a session. */
export const hashed = (session: string): string => createHash('sha256').update(session).digest('hex');

/** Shows a database that keeps the key of the same secret that this process has it: see db/kept-settings.ts. */
export const proofOfSecret = (secret: string): string => hmac(keyOf(secret), 'secret');

/** What the database keeps to check proofs. It does not reveal the secret. */
export const proofKeyBlocks = (secret: string): KeyBlocks => keyBlocks(keyOf(secret));

export interface KeyBlocks {
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

/** The two padded keys of HMAC-SHA256 (RFC 2104), from which plain SQL computes it. */
export function keyBlocks(given: Buffer): KeyBlocks {
  const key = given.length > 64 ? createHash('sha256').update(given).digest() : given;
  const padded = (byte: number) => Buffer.alloc(64, byte).map((value, i) => value ^ (key[i] ?? 0));
  return { inner: padded(0x36), outer: padded(0x5c) };
}

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'hill proofs', 32));

// netstrings: each part is preceded by its length in bytes, so no two lists give the same text
const hmac = (key: Buffer, ...parts: readonly string[]): string =>
  createHmac('sha256', key)
    .update(parts.map((part) => `${Buffer.byteLength(part)}:${part},`).join(''))
    .digest('hex');
