// process/proofs.ts · what this process says of the world outside, proven to the database: who came from a provider, what was paid, which key signs.
//
// The login that the database is asked with is not believed by itself: sql/oauth/proofs.sql checks an HMAC under a key that this login cannot read.
import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type pg from 'pg';
import { withClient } from '../db/connect.ts';

export type Purpose = 'sign in' | 'add sign-in' | 'top up' | 'signing key';

/** Two arguments of the functions that ask for a proof. */
export interface Proof {
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

/** Tells the database the key of this secret, at each start and by "npm run migrate": proofs of the one before are refused from then on. */
export async function keepProofKey(secret: string, ownerUrl: string): Promise<void> {
  const key = keyOf(secret);
  const padded = (byte: number) => Buffer.alloc(64, byte).map((value, i) => value ^ (key[i] ?? 0));
  await withClient(ownerUrl, 'DATABASE_URL', (owner) => owner.query('select engine.set_proof_key($1, $2)', [padded(0x36), padded(0x5c)]));
}

/** Whether this process has the secret that "npm run migrate" had; null if that was before there were proofs. On the web's or the worker's login. */
export async function secretFits(
  db: pg.Pool | pg.Client,
  secret: string,
  schema: 'api_human' | 'api_worker' = 'api_human',
): Promise<boolean | null> {
  const { rows } = await db.query<{ fits: boolean | null }>(`select ${schema}.secret_fits($1) as fits`, [hmac(keyOf(secret), 'secret')]);
  return rows[0]?.fits ?? null;
}

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'hill proofs', 32));

// netstrings: each with its length in bytes before it, so that no two lists are one text
const hmac = (key: Buffer, ...parts: readonly string[]): string =>
  createHmac('sha256', key)
    .update(parts.map((part) => `${Buffer.byteLength(part)}:${part},`).join(''))
    .digest('hex');
