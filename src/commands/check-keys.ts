// commands/check-keys.ts · whether HILL_SIGNING_SECRET is the one that sealed the keys of the database: looked at before anything is served or written.
import type pg from 'pg';
import type { Config } from '../config.ts';
import { withClient } from '../db/connect.ts';
import { keysAsOwner } from '../db/open-hill.ts';
import { checkOpens, KeyRing, type StoredKeys } from '../oauth/keys.ts';
import { sealer, secretCheck, signingSecret, wrongSecret } from '../secret.ts';
import { StartError } from '../start-error.ts';

/** Before a database is prepared. */
export async function checkKeysAsOwner(config: Config, ownerUrl: string): Promise<void> {
  const stored = await keysAsOwner<StoredKeys>(ownerUrl);
  if (stored)
    checkOpens(
      sealer(() => signingSecret(config)),
      stored,
    );
}

/** Opens the keys, for the web: the first start makes one. */
export async function openKeys(config: Config, web: pg.Pool): Promise<void> {
  const secret = signingSecret(config);
  await new KeyRing(
    web,
    sealer(() => secret),
  ).open(secretCheck(secret));
}

/** For the worker, which sees no key: compares the secret with the one that the web was started with. */
export async function checkWorkerSecret(config: Config, url: string): Promise<void> {
  const known = await withClient(url, 'WORKER_DATABASE_URL', async (worker) => {
    const { rows } = await worker.query<{ known: string | null }>('select api_worker.secret_check() as known');
    return rows[0]?.known ?? null;
  });
  if (known !== null && known !== secretCheck(signingSecret(config))) throw new StartError(wrongSecret);
}
