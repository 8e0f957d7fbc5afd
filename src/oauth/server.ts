// What all endpoints of the authorization server share.
import type Koa from 'koa';
import type pg from 'pg';
import { countedAddress } from '../http/counted-address.ts';
import { admit } from '../http/rate-limit.ts';
import { guardedFetcher } from '../outside/fetcher/index.ts';
import { fetcherSettings } from '../outside/fetcher/settings.ts';
import type { Config, LimitName } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import { agreedSecret, deriver, keySealer, signingSecret } from '../process/secret.ts';
import { clientDocuments } from './client-metadata.ts';
import { type ShownName, shownNames } from './client-name.ts';
import { rateLimited } from './errors.ts';
import { gathering } from './gathering.ts';
import { KeyRing } from './keys.ts';
import { type Lifetimes, lifetimesOf } from './lifetimes.ts';
import { type Signer, signer } from './tokens.ts';

export interface AuthorizationServer {
  readonly config: Config;
  readonly db: pg.Pool;
  readonly log: Logger;
  readonly keys: KeyRing;
  readonly signer: Signer;
  readonly lifetimes: () => Promise<Lifetimes>;
  /**
   * The refresh token that replaces another. It is derived, so that a rotation can be answered twice although only its
   * hash is stored.
   */
  readonly successorOf: (refreshToken: string) => string;
  /** How many milliseconds the answer to a refresh token waits for others of the same token. */
  readonly gather: ReturnType<typeof gathering>;
  readonly shownName: ShownName;
  /** The metadata documents of clients. */
  readonly documents: ReturnType<typeof clientDocuments>;
  readonly issuer: string;
  /** The resources that tokens are for; the first is the default. */
  readonly resources: readonly string[];
  /** Counts a request of the kind by its address. Gives the present in seconds, or throws rate_limited. */
  admit(ctx: Koa.Context, kind: LimitName): Promise<number>;
  /** The same, by another key than the address. */
  admitFor(who: string, kind: LimitName): Promise<number>;
}

export function authorizationServer(config: Config, db: pg.Pool, log: Logger): AuthorizationServer {
  if (config.env === 'production') signingSecret(config); // a missing secret stops the start
  const keys = new KeyRing(db, keySealer(config));
  const admitFor = async (who: string, kind: LimitName): Promise<number> => {
    const { now, retry_after_seconds: wait } = await admit(db, kind, who, config.limits[kind]);
    if (wait > 0) throw rateLimited(wait);
    return now;
  };
  const lifetimes = lifetimesOf(db);
  const shownName = shownNames(db);
  return {
    config,
    db,
    log,
    keys,
    signer: signer(config.authUrl, keys, lifetimes),
    lifetimes,
    successorOf: deriver(() => agreedSecret(config), 'hill refresh tokens'),
    gather: gathering(),
    shownName,
    documents: clientDocuments(guardedFetcher(fetcherSettings(config)), shownName),
    issuer: config.authUrl,
    resources: [...new Set([config.authUrl, config.baseUrl])],
    admit: (ctx, kind) => admitFor(countedAddress(ctx.ip), kind),
    admitFor,
  };
}
