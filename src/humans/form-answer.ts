// What a form led to, on the way to the page that it came from: what was done, or what was typed and is wrong with it.
// Decisions 200.
import type Koa from 'koa';
import { derive, same } from './browser-secret.ts';
import type { CookieJar } from './cookies.ts';

export interface Refused {
  /** Which form of its page. */
  readonly form: string;
  readonly typed: Readonly<Record<string, string>>;
  /** By field; what is about no field stands under ''. */
  readonly problems: Readonly<Record<string, string>>;
}

export interface Done {
  /** The section of the page that says it; without one, it stands at the top. */
  readonly form?: string;
  readonly done: string;
}

interface Answer {
  readonly refused?: Refused;
  readonly done?: Done;
}

const cookie = 'answer';
/** As long as a redirect may take. */
const seconds = 60;
/** No field of ours takes more; a browser keeps no cookie of more than 4 KB. */
const longest = 150;

const mac = (secret: string, text: string): string => derive(secret, `form ${text}`);

/**
 * Sends the browser back to the page of a form, which shows it with what was typed, or says what was done. `secret`:
 * what the form's token was derived from.
 */
function send(ctx: Koa.Context, jar: CookieJar, secret: string, path: string, answer: Answer): void {
  const text = Buffer.from(JSON.stringify(answer)).toString('base64url');
  jar.set(ctx, cookie, `${text}.${mac(secret, text)}`, seconds);
  ctx.set('Cache-Control', 'no-store');
  ctx.status = 303;
  ctx.redirect(path);
}

export function sendAgain(ctx: Koa.Context, jar: CookieJar, secret: string, path: string, refused: Refused): void {
  const typed = Object.fromEntries(
    Object.entries(refused.typed).map(([name, value]) => [name, value.slice(0, longest)]),
  );
  send(ctx, jar, secret, path, { refused: { ...refused, typed } });
}

export const sendDone = (ctx: Koa.Context, jar: CookieJar, secret: string, path: string, done: Done): void =>
  send(ctx, jar, secret, path, { done });

/** What was sent before this page was asked for; once, so that a page that is opened again begins anew. */
export function takeAnswer(ctx: Koa.Context, jar: CookieJar, secret: string | undefined): Answer {
  const value = jar.get(ctx, cookie);
  if (!value) return {};
  jar.clear(ctx, cookie);
  const [text = '', proof = ''] = value.split('.');
  return secret !== undefined && same(proof, mac(secret, text))
    ? JSON.parse(Buffer.from(text, 'base64url').toString())
    : {};
}
