// What a human is shown when something goes wrong on the way to a page.
import { html } from 'hono/html';
import type Koa from 'koa';
import { Failure, Refusal, typed } from '../db/errors.ts';
import { sorryFor } from '../html/sorry.ts';
import { setRetryAfter } from '../http/retry-after.ts';
import { ForeignForm } from './forms.ts';
import type { HumanPages } from './pages.ts';
import { signInAgainPage } from './recent.ts';

export const explainErrors =
  (pages: HumanPages): Koa.Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      await explain(pages, ctx, thrown);
    }
  };

async function explain(pages: HumanPages, ctx: Koa.Context, thrown: unknown): Promise<void> {
  const { config, log } = pages;
  if (thrown instanceof ForeignForm)
    return pages.apologize(ctx, 403, {
      title: 'The form did not come from here',
      what: `It has to be sent from its own page at ${config.baseUrl}, in the session in which that page was opened. Open the page again.`,
    });
  const { status, expose } = thrown as { status?: number; expose?: boolean };
  if (expose && status)
    return pages.apologize(ctx, status, { title: 'The form cannot be read', what: 'Open the page again.' });
  const error = typed(thrown);
  // signed out meanwhile, in another window or by "sign out everywhere", or the account was closed
  if (error instanceof Refusal && error.oauth === 'invalid_token') return pages.signIn(ctx);
  const human = error.code === 'SIGN_IN_AGAIN' ? await pages.sessions.find(ctx) : undefined;
  if (human) return pages.show(ctx, signInAgainPage(human), error.status);
  if (error instanceof Failure && error.status >= 500)
    log.error({ code: error.code, kind: error.kind }, 'a page failed');
  else if (error.code === 'PROOF_REFUSED')
    log.error(
      { code: error.code },
      'a page failed: HILL_SIGNING_SECRET is not that of the last "npm run migrate", or the clock is wrong',
    );
  setRetryAfter(ctx, error);
  const { title, what } = sorryFor(error);
  // only the answer may have been lost
  const sent = ctx.method === 'POST' && error.code === 'UNAVAILABLE';
  return pages.apologize(ctx, error.status, {
    title,
    what: sent ? html`${what} Look first whether what you sent was done.` : what,
  });
}
