// A sign-in under way: its provider, its return address and its protocol secrets, all in the browser's cookies.
import type Koa from 'koa';
import { derive, newSecret, same } from '../browser-secret.ts';
import type { CookieJar } from '../cookies.ts';
import { longestTarget, returnTo } from '../return-to.ts';

const cookie = 'sign_in';
const lifetimeSeconds = 600;

// A browser keeps no cookie of more than 4 KB, and a client's state may be longer: the return address is cut into
// several cookies, enough for the case that every character has to be quoted.
const longestQuoted = 3 * longestTarget;
const pieceLength = 3_000;
const pieces = Array.from({ length: Math.ceil(longestQuoted / pieceLength) }, (_, i) => `${cookie}_to_${i + 1}`);

export interface Pending {
  readonly provider: string;
  readonly returnTo: string;
  /** Sent to the provider and returned by it; it must match the cookie. */
  readonly state: string;
  /** Signed into the ID token, which proves that the token was made for this sign-in. */
  readonly nonce: string;
  /** The PKCE verifier: without it the code is useless. */
  readonly verifier: string;
  /** When adding a sign-in to an account: bound to the session in which it was begun. */
  readonly adds?: ((session: string | undefined) => boolean) | undefined;
  /** When proving a new sign-in to the staff: the code that they gave. */
  readonly code?: string | undefined;
}

/** What a sign-in is for, if not for signing in. */
export interface Purpose {
  /** The session whose account gets another sign-in. */
  readonly addsTo?: string | undefined;
  readonly code?: string | undefined;
}

/** Without a purpose the human who returns is signed in. */
export function beginPending(
  ctx: Koa.Context,
  jar: CookieJar,
  provider: string,
  target: string | undefined,
  { addsTo, code = '' }: Purpose = {},
): Pending {
  const secret = newSecret();
  const goOn = returnTo(target);
  const bound = addsTo === undefined ? '' : boundTo(addsTo, secret);
  jar.set(ctx, cookie, [provider, secret, bound, code].join('.').replace(/\.+$/, ''), lifetimeSeconds);
  const quoted = goOn.replace(/[",;\\]/g, encodeURIComponent); // characters that a cookie cannot hold
  for (const [i, name] of pieces.entries()) {
    const piece = quoted.slice(i * pieceLength, (i + 1) * pieceLength);
    if (piece) jar.set(ctx, name, piece, lifetimeSeconds);
    else if (jar.get(ctx, name)) jar.clear(ctx, name);
  }
  return pendingOf(provider, secret, bound, code, goOn);
}

/** The sign-in that this browser began. It can be read once, because the cookie is deleted with it. */
export function takePending(ctx: Koa.Context, jar: CookieJar): Pending | undefined {
  const value = jar.get(ctx, cookie);
  if (!value) return undefined;
  const goOn = pieces.map((name) => jar.get(ctx, name) ?? '').join('');
  for (const name of [cookie, ...pieces]) if (jar.get(ctx, name)) jar.clear(ctx, name);
  const [provider = '', secret = '', bound = '', code = ''] = value.split('.');
  if (secret.length !== 43) return undefined;
  return pendingOf(provider, secret, bound, code, returnTo(goOn, longestQuoted));
}

const boundTo = (session: string, secret: string): string => derive(session, `add a sign-in ${secret}`);

const pendingOf = (provider: string, secret: string, bound: string, code: string, goOn: string): Pending => ({
  provider,
  code: code || undefined,
  adds: bound ? (session) => session !== undefined && same(boundTo(session, secret), bound) : undefined,
  returnTo: goOn,
  state: derive(secret, `state ${provider}`),
  nonce: derive(secret, `nonce ${provider}`),
  verifier: derive(secret, `verifier ${provider}`),
});
