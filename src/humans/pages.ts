// What the pages for signed-in humans share: who asks, whether a form is ours, and how a page is sent.
import { html } from 'hono/html';
import type Koa from 'koa';
import type pg from 'pg';
import { type Page, protect, render, siteOf } from '../html/layout.ts';
import { goOn, type Sorry, time } from '../html/sorry.ts';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import { formPage } from './form-page.ts';
import { ownForm } from './forms.ts';
import type { AccountState } from './records.ts';
import { type HumanSessions, humanSessions } from './sessions.ts';

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
  /** A short page that says what went wrong, with the way back to the account. */
  apologize(ctx: Koa.Context, status: number, sorry: Sorry): Promise<void>;
  /** What was tried too often, for how long, and the page to come back to. */
  tooMany(ctx: Koa.Context, what: string, seconds: number, back: string): Promise<void>;
  /**
   * The human who is signed in. Without one, the browser is sent to sign in, and undefined is returned; see `signIn`.
   */
  human(ctx: Koa.Context, back?: string): Promise<Human | undefined>;
  /** Sends the browser to sign in. Afterwards it comes back to where it was, or to `back`. */
  signIn(ctx: Koa.Context, back?: string): void;
  /** A form from a page of ours in this very session, of at most so many bytes. Throws a ForeignForm. */
  form(ctx: Koa.Context, most?: number): Promise<{ form: URLSearchParams; session: string }>;
  goOn(ctx: Koa.Context, path: string): void;
  /**
   * Humans are signed in on one host. If clients know another and this is it, the browser is sent to the first, and
   * true is returned.
   */
  leadsHome(ctx: Koa.Context): boolean;
}

export function humanPages(config: Config, db: pg.Pool, log: Logger): HumanPages {
  const sessions = humanSessions(config, db);
  const site = siteOf(config);
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
      ctx.body = await render(page, site);
    },
    apologize: (ctx, status, { title, what, ways = [['/account', 'Your account']] }) =>
      pages.show(
        ctx,
        formPage(
          title,
          html`<div class="narrow"><h1>${title}</h1>\n<p>${what}</p>\n${goOn({ title, what, ways })}</div>`,
        ),
        status,
      ),
    tooMany(ctx, what, seconds, back) {
      ctx.set('Retry-After', String(seconds));
      return pages.apologize(ctx, 429, {
        title: 'Too many tries',
        what: `${what} Try again in ${time(seconds)}.`,
        ways: [[back, 'Back']],
      });
    },
    async human(ctx, back) {
      const found = await sessions.find(ctx);
      if (!found) pages.signIn(ctx, back);
      return found;
    },
    signIn(ctx, back = ctx.method === 'GET' || ctx.method === 'HEAD' ? ctx.url : '/account') {
      const ended = sessions.sessionOf(ctx) === undefined ? '' : '&ended=1';
      pages.goOn(ctx, `/sign-in?return_to=${encodeURIComponent(back)}${ended}`);
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
      // A host that is neither belongs to a proxy that hides what the browser asked for: a browser sent on from there
      // would come back there.
      const away = ctx.host === authHost && authHost !== baseHost;
      if (away) pages.goOn(ctx, config.baseUrl + ctx.url);
      return away;
    },
  };
  return pages;
}
