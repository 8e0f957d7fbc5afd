// db/proof-key.ts · the key by which the database checks what processes prove to it (process/proofs.ts).
import type pg from 'pg';
import { proofKeyBlocks, proofOfSecret } from '../process/proofs.ts';
import { withClient } from './connect.ts';

/** Stores the key of this secret, at each start and by "npm run migrate". Proofs made with an earlier secret are refused from then on. */
export async function keepProofKey(secret: string, ownerUrl: string): Promise<void> {
  const { inner, outer } = proofKeyBlocks(secret);
  await withClient(ownerUrl, 'DATABASE_URL', (owner) =>
    owner.query('select engine.set_proof_key($1, $2)', [Buffer.from(inner), Buffer.from(outer)]),
  );
}

/** Whether this process has the secret that "npm run migrate" had; null if that was before there were proofs. On the web's or the worker's login. */
export async function secretFits(
  db: pg.Pool | pg.Client,
  secret: string,
  schema: 'api_human' | 'api_worker' = 'api_human',
): Promise<boolean | null> {
  const { rows } = await db.query<{ fits: boolean | null }>(`select ${schema}.secret_fits($1) as fits`, [proofOfSecret(secret)]);
  return rows[0]?.fits ?? null;
}
