// humans/index.ts · the pages for signed-in humans: sign-in, account, claim. What they share: who it is, whether a form is our own, what goes wrong.
import Router from '@koa/router';
import { html } from 'hono/html';
import type Koa from 'koa';
import type pg from 'pg';
import { Failure, Refusal, typed } from '../db/errors.ts';
import { type Page, protect, render } from '../html/layout.ts';
import { setRetryAfter } from '../http/retry-after.ts';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import { accountRoutes } from './account/routes.ts';
import { claimRoutes } from './claim/routes.ts';
import type { Authorization } from './consent/authorization.ts';
import { consentRoutes } from './consent/routes.ts';
import { formPage } from './form-page.ts';
import { ForeignForm, ownForm } from './forms.ts';
import type { AccountState } from './records.ts';
import { type HumanSessions, humanSessions } from './sessions.ts';
import { signInRoutes } from './sign-in/routes.ts';

export interface Human {
  readonly session: string;
  readonly account: AccountState;
}

export interface HumanPages {
  readonly config: Config;
  readonly db: pg.Pool;
  readonly log: Logger;
  readonly sessions: HumanSessions;
  show(ctx: Koa.Context, page: Page, status?: number): Promise<void>;
  /** Whoever is signed in; without one, the browser is sent to sign in and comes back, to where it was unless `back` says otherwise. */
  human(ctx: Koa.Context, back?: string): Promise<Human | undefined>;
  /** A form from a page of ours in this very session, of at most so many bytes. Throws a ForeignForm. */
  form(ctx: Koa.Context, most?: number): Promise<{ form: URLSearchParams; session: string }>;
  goOn(ctx: Koa.Context, path: string): void;
  /** Humans are signed in on one host. On the other, if clients know another, the browser is sent there, and true returned. */
  leadsHome(ctx: Koa.Context): boolean;
}

export function humansDoor(config: Config, db: pg.Pool, log: Logger, authorization: Authorization): Koa.Middleware {
  const sessions = humanSessions(config, db);
  const { origin, host: baseHost } = new URL(config.baseUrl);
  const { host: authHost } = new URL(config.authUrl);

  const pages: HumanPages = {
    config,
    db,
    log,
    sessions,
    async show(ctx, page, status = 200) {
      protect(ctx, page);
      ctx.set('Cache-Control', 'no-store');
      ctx.status = status;
      ctx.type = 'text/html; charset=utf-8';
      ctx.body = await render(page);
    },
    async human(ctx, back) {
      const found = await sessions.find(ctx);
      if (!found) askToSignIn(ctx, back);
      return found;
    },
    async form(ctx, most) {
      const session = sessions.sessionOf(ctx);
      return { form: await ownForm(ctx, origin, session, most), session: session as string };
    },
    goOn(ctx, path) {
      ctx.set('Cache-Control', 'no-store');
      ctx.status = 303;
      ctx.redirect(path);
    },
    leadsHome(ctx) {
      // A host that is neither is a proxy's, which hides what the browser asked for: whoever is sent on from there would come back there.
      const away = ctx.host === authHost && authHost !== baseHost;
      if (away) pages.goOn(ctx, config.baseUrl + ctx.url);
      return away;
    },
  };

  const askToSignIn = (ctx: Koa.Context, back = ctx.method === 'GET' || ctx.method === 'HEAD' ? ctx.url : '/account') => {
    pages.goOn(ctx, `/sign-in?return_to=${encodeURIComponent(back)}`);
  };

  const sorry = (ctx: Koa.Context, status: number, title: string, what: string) =>
    pages.show(
      ctx,
      formPage(title, html`<div class="narrow"><h1>${title}</h1><p>${what}</p><p><a href="/account">Your account</a></p></div>`),
      status,
    );

  const router = new Router({ sensitive: true });
  router.use(async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      if (thrown instanceof ForeignForm) {
        await sorry(
          ctx,
          403,
          'The form did not come from here',
          `It has to be sent from its own page at ${config.baseUrl}, in the session in which that page was opened. Open the page again.`,
        );
        return;
      }
      const { status, expose } = thrown as { status?: number; expose?: boolean };
      if (expose && status) {
        await sorry(ctx, status, 'The form cannot be read', 'Open the page again.');
        return;
      }
      const error = typed(thrown);
      if (error instanceof Refusal && error.code === 'INVALID_TOKEN') {
        askToSignIn(ctx); // signed out meanwhile, in another window or by sign out everywhere
        return;
      }
      if (error instanceof Failure && error.status >= 500) log.error({ code: error.code, kind: error.kind }, 'a page failed');
      else if (error.code === 'PROOF_REFUSED')
        log.error(
          { code: error.code },
          'a page failed: HILL_SIGNING_SECRET is not that of the last "npm run migrate", or the clock is wrong',
        );
      setRetryAfter(ctx, error);
      await sorry(ctx, error.status, error.title, error.hint);
    }
  });
  router.get(/^\/(account|claim|sign-in)(\/|$)/, (ctx, next) => (pages.leadsHome(ctx) ? undefined : next()));
  signInRoutes(router, pages);
  accountRoutes(router, pages);
  claimRoutes(router, pages);
  consentRoutes(router, pages, authorization);
  return router.routes() as Koa.Middleware;
}
