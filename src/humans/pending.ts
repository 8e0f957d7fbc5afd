// humans/pending.ts · a sign-in that has begun: which provider, where to go on, and the secrets of its protocol, all held by the browser's cookie.
import type Koa from 'koa';
import { derive, newSecret } from './browser-secret.ts';
import type { CookieJar } from './cookies.ts';
import { returnTo } from './return-to.ts';

const cookie = 'sign_in';
const lifetimeSeconds = 600;

export interface Pending {
  readonly provider: string;
  readonly returnTo: string;
  /** Goes to the provider and comes back: whoever brings it back has the cookie. */
  readonly state: string;
  /** Is signed into the ID token: which was then made for this sign-in. */
  readonly nonce: string;
  /** Of PKCE: the code is worth nothing to anyone else. */
  readonly verifier: string;
}

export function beginPending(ctx: Koa.Context, jar: CookieJar, provider: string, target: string | undefined): Pending {
  const secret = newSecret();
  const goOn = returnTo(target);
  jar.set(ctx, cookie, `${provider}.${secret}.${Buffer.from(goOn).toString('base64url')}`, lifetimeSeconds);
  return pendingOf(provider, secret, goOn);
}

/** What this browser began, once: the cookie is taken away with it. */
export function takePending(ctx: Koa.Context, jar: CookieJar): Pending | undefined {
  const value = jar.get(ctx, cookie);
  if (!value) return undefined;
  jar.clear(ctx, cookie);
  const [provider = '', secret = '', goOn = ''] = value.split('.');
  if (secret.length !== 43) return undefined;
  return pendingOf(provider, secret, returnTo(Buffer.from(goOn, 'base64url').toString('utf8')));
}

const pendingOf = (provider: string, secret: string, goOn: string): Pending => ({
  provider,
  returnTo: goOn,
  state: derive(secret, `state ${provider}`),
  nonce: derive(secret, `nonce ${provider}`),
  verifier: derive(secret, `verifier ${provider}`),
});
