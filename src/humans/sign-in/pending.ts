// humans/sign-in/pending.ts · a sign-in that has begun: which provider, where to go on, and the secrets of its protocol, all held by the browser's cookie.
import type Koa from 'koa';
import type { CookieJar } from '../cookies.ts';
import { derive, newSecret, same } from './browser-secret.ts';
import { longestTarget, returnTo } from './return-to.ts';

const cookie = 'sign_in';
const lifetimeSeconds = 600;

// A browser keeps no cookie of more than 4 KB, and a client's state may be longer than that: the target is cut into several, as many as it takes if
// every character has to be quoted.
const longestQuoted = 3 * longestTarget;
const pieceLength = 3_000;
const pieces = Array.from({ length: Math.ceil(longestQuoted / pieceLength) }, (_, i) => `${cookie}_to_${i + 1}`);

export interface Pending {
  readonly provider: string;
  readonly returnTo: string;
  /** Goes to the provider and comes back: whoever brings it back has the cookie. */
  readonly state: string;
  /** Is signed into the ID token: which was then made for this sign-in. */
  readonly nonce: string;
  /** Of PKCE: the code is worth nothing to anyone else. */
  readonly verifier: string;
  /** Where it is to add a sign-in to the account of a session: whether it was begun in this one. */
  readonly adds?: ((session: string | undefined) => boolean) | undefined;
}

/** `addsTo`: the session whose account is to have another sign-in; without it whoever comes back is signed in. */
export function beginPending(ctx: Koa.Context, jar: CookieJar, provider: string, target: string | undefined, addsTo?: string): Pending {
  const secret = newSecret();
  const goOn = returnTo(target);
  const bound = addsTo === undefined ? '' : boundTo(addsTo, secret);
  jar.set(ctx, cookie, [provider, secret, ...(bound ? [bound] : [])].join('.'), lifetimeSeconds);
  const quoted = goOn.replace(/[",;\\]/g, encodeURIComponent); // what a cookie cannot hold as it is
  for (const [i, name] of pieces.entries()) {
    const piece = quoted.slice(i * pieceLength, (i + 1) * pieceLength);
    if (piece) jar.set(ctx, name, piece, lifetimeSeconds);
    else if (jar.get(ctx, name)) jar.clear(ctx, name);
  }
  return pendingOf(provider, secret, bound, goOn);
}

/** What this browser began, once: the cookie is taken away with it. */
export function takePending(ctx: Koa.Context, jar: CookieJar): Pending | undefined {
  const value = jar.get(ctx, cookie);
  if (!value) return undefined;
  const goOn = pieces.map((name) => jar.get(ctx, name) ?? '').join('');
  for (const name of [cookie, ...pieces]) if (jar.get(ctx, name)) jar.clear(ctx, name);
  const [provider = '', secret = '', bound = ''] = value.split('.');
  if (secret.length !== 43) return undefined;
  return pendingOf(provider, secret, bound, returnTo(goOn, longestQuoted));
}

const boundTo = (session: string, secret: string): string => derive(session, `add a sign-in ${secret}`);

const pendingOf = (provider: string, secret: string, bound: string, goOn: string): Pending => ({
  provider,
  adds: bound ? (session) => session !== undefined && same(boundTo(session, secret), bound) : undefined,
  returnTo: goOn,
  state: derive(secret, `state ${provider}`),
  nonce: derive(secret, `nonce ${provider}`),
  verifier: derive(secret, `verifier ${provider}`),
});
