// What the owner keeps of the settings in the database, at each start and by "npm run migrate": the keys by which it
// checks what processes prove to it (process/proofs.ts) and what Stripe has signed, the terms of the hill, and what its
// staff may give.
import type pg from 'pg';
import type { Config } from '../process/config.ts';
import { keyBlocks, proofKeyBlocks, proofOfSecret } from '../process/proofs.ts';
import { signingSecret } from '../process/secret.ts';
import { readTerms } from '../process/terms.ts';
import { call } from './call.ts';
import type { Place } from './connect.ts';
import { callAsOwner } from './open-hill.ts';

export async function keepSettings(config: Config, owner: Place): Promise<void> {
  await keepProofKeys(config, owner);
  await keepStripeKey(config, owner);
  await keepTerms(config, owner);
  await keepStaffLimits(config, owner);
}

/**
 * Stores the key of the secret; beside that of the one before it, if this database knows that: proofs of either are
 * believed then, until "npm run keys -- finish".
 */
async function keepProofKeys(config: Config, owner: Place): Promise<void> {
  const { oldSigningSecret } = config;
  const known = oldSigningSecret !== null && (await knowsSecret(owner, oldSigningSecret)) === true;
  if (known) await keepNextProofKey(signingSecret(config), owner);
  else await keepProofKey(signingSecret(config), owner);
}

/** As the owner: null if the database knows none. */
export const knowsSecret = (owner: Place, secret: string): Promise<boolean | null> =>
  callAsOwner(owner, 'engine.secret_fits', { proof: proofOfSecret(secret) });

/** Stores the key of a secret that takes the place of the one that the database knows. */
export async function keepNextProofKey(secret: string, owner: Place): Promise<void> {
  const { inner, outer } = proofKeyBlocks(secret);
  await callAsOwner(owner, 'trusted.set_next_proof_key', {
    inner_block: Buffer.from(inner),
    outer_block: Buffer.from(outer),
  });
}

/** Stores the key of this secret. Proofs made with an earlier secret are refused from then on. */
export async function keepProofKey(secret: string, owner: Place): Promise<void> {
  const { inner, outer } = proofKeyBlocks(secret);
  await callAsOwner(owner, 'trusted.set_proof_key', {
    inner_block: Buffer.from(inner),
    outer_block: Buffer.from(outer),
  });
}

/**
 * Stores whether real money is paid here, and the secret with which Stripe signs its events. Without one, what was
 * stored stays. What Stripe tells of the other mode is refused from then on: no serving login can make a test card
 * count.
 */
export async function keepStripeKey(
  { env, stripeWebhookSecret }: Pick<Config, 'env' | 'stripeWebhookSecret'>,
  owner: Place,
): Promise<void> {
  await callAsOwner(owner, 'trusted.set_stripe_mode', { live: env === 'production' });
  if (stripeWebhookSecret === null) return;
  const { inner, outer } = keyBlocks(Buffer.from(stripeWebhookSecret));
  await callAsOwner(owner, 'trusted.set_stripe_key', {
    inner_block: Buffer.from(inner),
    outer_block: Buffer.from(outer),
  });
}

/** Publishes the terms that the settings name. Without any, what was published before stays in force. */
export async function keepTerms(config: Pick<Config, 'operator' | 'terms'>, owner: Place): Promise<void> {
  const published = readTerms(config);
  if (!published) return;
  const { operator, version, terms, privacy } = published;
  await callAsOwner(owner, 'trusted.set_terms', {
    ...{ operator, version, terms_text: terms.text, terms_url: terms.url },
    ...{ privacy_text: privacy.text, privacy_url: privacy.url },
  });
}

/** Stores what a member of the staff may give, so that no mutation of the console can change it. */
export async function keepStaffLimits({ staffLimits }: Pick<Config, 'staffLimits'>, owner: Place): Promise<void> {
  for (const { role, order, day, alone } of staffLimits)
    await callAsOwner(owner, 'trusted.set_staff_limits', {
      ...{ role, order_cents: order, day_cents: day, alone_cents: alone },
    });
}

/**
 * Whether this process has the secret that "npm run migrate" had; null if that was before there were proofs. On the
 * web's, the worker's or the owner's login.
 */
export const secretFits = (
  db: pg.Pool | pg.Client,
  secret: string,
  schema: 'api_human' | 'api_worker' | 'engine' = 'api_human',
): Promise<boolean | null> => call(db, `${schema}.secret_fits`, { proof: proofOfSecret(secret) });
