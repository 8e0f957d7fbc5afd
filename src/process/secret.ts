// HILL_SIGNING_SECRET, and sealing with it: signing keys and webhook secrets, which a dump of the database then does
// not reveal.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Config } from './config.ts';
import { type Prove, prover } from './proofs.ts';
import { StartError } from './start-error.ts';

/** HILL_SIGNING_SECRET or, in development only, a file beside the database that the first start creates. */
export function signingSecret({
  env,
  signingSecret,
  dataDir,
}: Pick<Config, 'env' | 'signingSecret' | 'dataDir'>): string {
  if (signingSecret) return signingSecret;
  if (env === 'production')
    throw new StartError(
      'HILL_SIGNING_SECRET must be set in production: at least 32 random characters, the same for migrate and every web and worker process.',
    );
  const file = secretFile(dataDir);
  fs.mkdirSync(dataDir, { recursive: true });
  try {
    fs.writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new StartError(`HILL_DATA_DIR: cannot write ${file}.`, { cause: error });
  }
  return fs.readFileSync(file, 'utf8').trim();
}

const secretFile = (dataDir: string): string => path.join(dataDir, 'signing-secret');

/** The same, if there is one; none is made. */
export function knownSecret({
  env,
  signingSecret,
  dataDir,
}: Pick<Config, 'env' | 'signingSecret' | 'dataDir'>): string | null {
  if (signingSecret || env === 'production') return signingSecret;
  try {
    return fs.readFileSync(secretFile(dataDir), 'utf8').trim();
  } catch {
    return null;
  }
}

export const wrongSecret =
  'HILL_SIGNING_SECRET is not the one that sealed the signing keys of this database. Set that one. Nothing was started or changed.';

export interface Sealer {
  seal(text: string, about: string): string;
  /** Throws if it was sealed with another secret or another `about`. */
  open(sealed: string, about: string): string;
  /** Proves to the database that a call comes from a holder of the secret. */
  readonly prove: Prove;
}

const signingKeys = 'hill signing keys';
const webhookSecrets = 'hill webhook secrets';

export type SecretSettings = Pick<Config, 'env' | 'signingSecret' | 'oldSigningSecret' | 'dataDir'>;

/** For the keys that sign tokens. While one secret takes the place of another, what either sealed is opened. */
export const keySealer = (config: SecretSettings): Sealer =>
  sealer(() => signingSecret(config), signingKeys, config.oldSigningSecret);
/** The same for the secrets of webhooks. */
export const webhookSealer = (config: SecretSettings): Sealer =>
  sealer(() => signingSecret(config), webhookSecrets, config.oldSigningSecret);

/**
 * What is derived, and compared in other processes: until the old secret is taken out of the settings, by that one, as
 * processes do that were started before.
 */
export const agreedSecret = (config: SecretSettings): string => config.oldSigningSecret ?? signingSecret(config);

/**
 * Calls `secret` at first use. What is sealed for one purpose cannot be opened for another. What `before` sealed is
 * opened, too.
 */
export function sealer(secret: () => string, purpose = signingKeys, before: string | null = null): Sealer {
  let derived: Buffer | undefined;
  const key = () => {
    derived ??= Buffer.from(hkdfSync('sha256', secret(), '', purpose, 32));
    return derived;
  };
  const former = before === null ? undefined : sealer(() => before, purpose);
  return {
    prove: prover(secret),
    seal(text, about) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key(), iv).setAAD(Buffer.from(about));
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
    },
    open(sealed, about) {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key(), bytes.subarray(0, 12)).setAAD(Buffer.from(about));
      decipher.setAuthTag(bytes.subarray(-16));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
      } catch (error) {
        if (former) return former.open(sealed, about);
        throw error;
      }
    },
  };
}

/**
 * Derives a text from another (HMAC-SHA256): always the same, and only with the secret. Each purpose gives a different
 * one.
 */
export function deriver(secret: () => string, purpose: string): (from: string) => string {
  let derived: Buffer | undefined;
  return (from) => {
    derived ??= Buffer.from(hkdfSync('sha256', secret(), '', purpose, 32));
    return createHmac('sha256', derived).update(from).digest('base64url');
  };
}
