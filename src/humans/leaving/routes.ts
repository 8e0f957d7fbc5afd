// humans/leaving/routes.ts · the page of leaving and its two forms. Each of them asks for a recent sign-in, which the database checks. Rules 19.
import type Router from '@koa/router';
import type Koa from 'koa';
import { call } from '../../db/call.ts';
import { Refusal } from '../../db/errors.ts';
import { plural } from '../../html/words.ts';
import { setRetryAfter } from '../../http/retry-after.ts';
import type { Word } from '../form-page.ts';
import type { HumanPages } from '../pages.ts';
import { sendDownload } from './download.ts';
import { closedPage, type Leaving, leavingPage, leavingPath } from './page.ts';

export function leavingRoutes(router: Router, pages: HumanPages): void {
  const { db, sessions } = pages;

  const show = async (ctx: Koa.Context, status = 200, word?: Word) => {
    const human = await pages.human(ctx, leavingPath);
    if (!human) return;
    const state = await call<Leaving>(db, 'api_human.leaving', { session: human.session });
    await pages.show(ctx, leavingPage(state, human.session, word), status);
  };

  /** Runs a form; a refusal is shown on the page itself. */
  const act = (path: string, what: (ctx: Koa.Context, session: string, form: URLSearchParams) => Promise<void>) =>
    router.post(path, async (ctx) => {
      const { form, session } = await pages.form(ctx);
      try {
        await what(ctx, session, form);
      } catch (error) {
        if (!(error instanceof Refusal) || error.oauth) throw error;
        const wait = setRetryAfter(ctx, error);
        const todo =
          error.status === 429
            ? `Try again in ${plural(Math.ceil(Number(wait) / 60), 'minute')}.`
            : (hints[error.code] ?? 'Look at what the page says now.');
        await show(ctx, error.status, { tone: 'bad', text: `${error.message} ${todo}` });
      }
    });

  router.get(leavingPath, (ctx) => show(ctx));

  act('/account/download', (ctx, session) => sendDownload(ctx, db, session));

  act('/account/close', async (ctx, session, form) => {
    await call(db, 'api_human.close_account', { session, slug: form.get('slug') });
    sessions.forget(ctx);
    pages.goOn(ctx, '/account/closed');
  });

  router.get('/account/closed', (ctx) => pages.show(ctx, closedPage()));
}

const hints: Readonly<Record<string, string>> = {
  INVALID_ARGUMENT: 'Type it as the page shows it.',
  BELL_RINGING: 'Try again in a minute: nothing was changed.',
  SIGN_IN_AGAIN: 'Sign in again, and come back.',
};
