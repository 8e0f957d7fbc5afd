// The keys that sign tokens. They are in the database, so that several processes agree; each process reads them again
// every minute.
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type pg from 'pg';
import { call } from '../db/call.ts';
import { Failure, Refusal } from '../db/errors.ts';
import { type Sealer, wrongSecret } from '../process/secret.ts';
import { StartError } from '../process/start-error.ts';

export const algorithm = 'ES256';

export interface KeyTimes {
  /** How long a key signs before its successor takes over. */
  readonly lifetimeSeconds: number;
  /** How long a key is published before it signs: longer than any client caches the set. */
  readonly noticeSeconds: number;
  /** How long this process caches the keys. */
  readonly rereadMs: number;
}

const defaultTimes: KeyTimes = { lifetimeSeconds: 30 * 86_400, noticeSeconds: 3_600, rereadMs: 60_000 };

interface StoredKey {
  readonly kid: string;
  readonly public_jwk: JWK;
  readonly sealed_private: string;
  readonly signs_from: number;
}

/** As stored in the database, the latest key first. */
export interface StoredKeys {
  readonly now: number;
  readonly keys: readonly StoredKey[];
}

/** The keys that may sign: the current one, and its successor if it exists. */
const signing = ({ now, keys }: StoredKeys): readonly StoredKey[] => {
  const present = keys.findIndex(({ signs_from }) => signs_from <= now);
  return present < 0 ? keys : keys.slice(0, present + 1);
};

/** Called at a start: throws a StartError if the secret is not the one that sealed the keys. */
export function checkOpens(sealer: Sealer, stored: StoredKeys): void {
  for (const key of signing(stored)) if (!opens(sealer, key)) throw new StartError(wrongSecret);
}

function opens(sealer: Sealer, { kid, sealed_private }: StoredKey): boolean {
  try {
    sealer.open(sealed_private, kid);
    return true;
  } catch {
    return false;
  }
}

interface Key extends StoredKey {
  readonly publicKey: CryptoKey;
}

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

export class KeyRing {
  readonly #db: pg.Pool;
  readonly #sealer: Sealer;
  readonly #times: KeyTimes;
  #keys: readonly Key[] = [];
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  readonly #opened = new Map<string, CryptoKey>();

  constructor(db: pg.Pool, sealer: Sealer, times: Partial<KeyTimes> = {}) {
    this.#db = db;
    this.#sealer = sealer;
    this.#times = { ...defaultTimes, ...times };
  }

  /**
   * For a start: makes the first key of a new hill, and looks whether all that may sign can be opened here. Throws a
   * StartError, and then has written nothing.
   */
  async open(): Promise<void> {
    await this.#read();
    checkOpens(this.#sealer, await this.#stored());
  }

  /** The public keys, as in /.well-known/jwks.json. */
  async published(): Promise<{ keys: JWK[] }> {
    await this.#fresh();
    return { keys: this.#keys.map(({ public_jwk }) => public_jwk) };
  }

  /** Whether a key was published when the keys were last read: asks nobody. */
  isPublished(kid: string): boolean {
    return this.#keys.some((key) => key.kid === kid);
  }

  /** The key that signs at an instant of the hill's clock, in seconds. */
  async signingKey(now: number): Promise<SigningKey> {
    await this.#fresh();
    const key = this.#keys.find(({ signs_from }) => signs_from <= now) ?? this.#keys.at(-1);
    if (!key) throw new Failure('UNAVAILABLE');
    return { kid: key.kid, privateKey: await this.#open(key) };
  }

  /**
   * The key that a token names, if it is published. An unknown name may be a new key of another process, so the keys
   * are read again.
   */
  async verificationKey(kid: string): Promise<CryptoKey | undefined> {
    await this.#fresh();
    const find = () => this.#keys.find((key) => key.kid === kid)?.publicKey;
    const known = find();
    if (known || Date.now() - this.#readAt < Math.min(1_000, this.#times.rereadMs)) return known; // invented key names must not cause a read each
    await this.#read();
    return find();
  }

  async #fresh(): Promise<void> {
    if (Date.now() - this.#readAt >= this.#times.rereadMs) await this.#read();
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readNow(): Promise<void> {
    let stored = await this.#stored();
    const newest = stored.keys[0];
    const { lifetimeSeconds, noticeSeconds } = this.#times;
    const due = !newest || newest.signs_from + lifetimeSeconds - noticeSeconds <= stored.now;
    // A process with the wrong secret would seal a successor that only it can open, so it makes none.
    if (due && (!newest || opens(this.#sealer, newest))) {
      await this.#add();
      stored = await this.#stored();
    }
    const imported = stored.keys.map(async (key) => ({
      ...key,
      publicKey: (await importJWK(key.public_jwk, algorithm)) as CryptoKey,
    }));
    this.#keys = await Promise.all(imported);
    this.#readAt = Date.now();
  }

  #stored(): Promise<StoredKeys> {
    return call(this.#db, 'api_oauth.signing_keys');
  }

  // If several processes find it due at once, the database accepts one.
  async #add(): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
    const bare = await exportJWK(publicKey);
    const kid = await calculateJwkThumbprint(bare);
    const public_jwk = JSON.stringify({ ...bare, kid, alg: algorithm, use: 'sig' });
    const sealed_private = this.#sealer.seal(JSON.stringify(await exportJWK(privateKey)), kid);
    const { lifetimeSeconds: lifetime_seconds, noticeSeconds: notice_seconds } = this.#times;
    await call(this.#db, 'api_oauth.add_signing_key', {
      ...{ kid, public_jwk, sealed_private, lifetime_seconds, notice_seconds },
      ...this.#sealer.prove(
        'signing key',
        kid,
        public_jwk,
        sealed_private,
        String(lifetime_seconds),
        String(notice_seconds),
      ),
    }).catch((error: unknown) => {
      throw error instanceof Refusal && error.code === 'PROOF_REFUSED' ? cannotOpen() : error;
    });
  }

  async #open({ kid, sealed_private }: StoredKey): Promise<CryptoKey> {
    const opened = this.#opened.get(kid);
    if (opened) return opened;
    let jwk: JWK;
    try {
      jwk = JSON.parse(this.#sealer.open(sealed_private, kid)) as JWK;
    } catch {
      throw cannotOpen();
    }
    const key = (await importJWK(jwk, algorithm)) as CryptoKey;
    this.#opened.set(kid, key);
    return key;
  }
}

const cannotOpen = () =>
  new Failure('INTERNAL_ERROR', { name: 'HILL_SIGNING_SECRET is not the one that sealed the keys of this database' });
