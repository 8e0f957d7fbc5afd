// Staff sign in on the site, as every human does, and come back with a code that only this browser can use. Rules 18.4;
// decisions 220.
import { createHash, randomBytes } from 'node:crypto';
import type Koa from 'koa';
import type pg from 'pg';
import { Refusal } from '../db/errors.ts';
import { showComingIn, showSignIn } from './sign-in-page.ts';
import { enterConsole, keepSession } from './staff.ts';

// Lax, not Strict: the browser comes back from another site.
const cookie = 'hill_staff_verifier';
const attributes = { httpOnly: true, sameSite: 'lax', path: '/sign-in', overwrite: true } as const;
const lifetimeMs = 600_000;

export function askSite(baseUrl: string): Koa.Middleware {
  return (ctx) => {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('hex');
    ctx.cookies.set(cookie, verifier, { ...attributes, maxAge: lifetimeMs });
    ctx.status = 303;
    ctx.redirect(`${baseUrl}/console?${new URLSearchParams({ challenge, at: ctx.host })}`);
  };
}

export function comeFromSite(pool: pg.Pool): Koa.Middleware {
  return async (ctx) => {
    const verifier = ctx.cookies.get(cookie);
    ctx.cookies.set(cookie, null, attributes);
    const { code } = ctx.query;
    if (!verifier || typeof code !== 'string') {
      await showSignIn(
        ctx,
        400,
        'This sign-in was not begun in this browser, or more than ten minutes ago. Begin again.',
      );
      return;
    }
    try {
      await keepSession(ctx, (session) => enterConsole(pool, code, verifier, session));
    } catch (error) {
      if (!(error instanceof Refusal) || !['INVALID_TOKEN', 'NOT_STAFF'].includes(error.code)) throw error;
      await showSignIn(ctx, error.code === 'NOT_STAFF' ? 403 : 401, `${error.message} Begin again.`);
      return;
    }
    // Not a redirect: the browser would send no cookie that is Strict along with one, since the site brought it here.
    await showComingIn(ctx);
  };
}
