// Checks that HILL_SIGNING_SECRET belongs to this database, before anything is served or written.
import type pg from 'pg';
import { call } from '../db/call.ts';
import { type Place, withClient } from '../db/connect.ts';
import { secretFits } from '../db/kept-settings.ts';
import { keysAsOwner } from '../db/open-hill.ts';
import { checkOpens, KeyRing, type StoredKeys } from '../oauth/keys.ts';
import type { Config } from '../process/config.ts';
import { keySealer, signingSecret, wrongSecret } from '../process/secret.ts';
import { StartError } from '../process/start-error.ts';

/** With the owner's login, before the database is prepared. */
export async function checkKeysAsOwner(config: Config, owner: Place): Promise<void> {
  const stored = await keysAsOwner<StoredKeys>(owner);
  if (stored) checkOpens(keySealer(config), stored);
}

/** Opens the keys, for the web: the first start makes one. */
export async function openKeys(config: Config, web: pg.Pool): Promise<void> {
  const secret = signingSecret(config);
  const fits = await secretFits(web, secret, 'api_human');
  if (fits === null)
    throw new StartError('The database does not know HILL_SIGNING_SECRET yet: run "npm run migrate" with it first.');
  if (!fits) throw new StartError(wrongSecret);
  await new KeyRing(web, keySealer(config)).open();
}

/** Refuses to take payments whose events nobody could verify, or real ones on terms that nobody has published. */
export async function checkStripeKey({ env, stripe }: Pick<Config, 'env' | 'stripe'>, web: pg.Pool): Promise<void> {
  if (stripe && !(await call<boolean>(web, 'api_human.stripe_key_set')))
    throw new StartError(
      'STRIPE_SECRET_KEY is set, and the database does not know STRIPE_WEBHOOK_SECRET yet: set it, and run "npm run migrate" or "npm start" with it.',
    );
  if (stripe && env === 'production' && !(await call(web, 'api_public.terms')))
    throw new StartError(
      'STRIPE_SECRET_KEY is set, and the database does not know the terms of this hill yet: run "npm run migrate" or "npm start" with HILL_TERMS.',
    );
}

/** For the worker, which may not read the keys. */
export async function checkWorkerSecret(config: Config, url: string): Promise<void> {
  const fits = await withClient(url, 'WORKER_DATABASE_URL', (worker) =>
    secretFits(worker, signingSecret(config), 'api_worker'),
  );
  if (fits === false) throw new StartError(wrongSecret);
}
