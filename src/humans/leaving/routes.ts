// The page of leaving and its two forms. Each of them asks for a recent sign-in, which the database checks. Rules 19.
import type Router from '@koa/router';
import type Koa from 'koa';
import { call } from '../../db/call.ts';
import { Refusal } from '../../db/errors.ts';
import { retryAfter } from '../../db/retry-after.ts';
import { isPlayMoney, topUpsOf } from '../../process/config.ts';
import { sendAgain, takeAnswer } from '../form-answer.ts';
import type { HumanPages } from '../pages.ts';
import { sendDownload } from './download.ts';
import { closedPage, type Leaving, leavingPage, leavingPath } from './page.ts';

export function leavingRoutes(router: Router, pages: HumanPages): void {
  const { config, db, sessions } = pages;

  const show = async (ctx: Koa.Context) => {
    const human = await pages.human(ctx, leavingPath);
    if (!human) return;
    const state = await call<Leaving>(db, 'api_human.leaving', { session: human.session });
    const { refused } = takeAnswer(ctx, sessions.jar, human.session);
    await pages.show(ctx, leavingPage(state, human.session, refused, isPlayMoney(topUpsOf(config))));
  };

  /** Runs a form; a refusal leads back to the page, beside the field that it is about. */
  const act = (path: string, what: (ctx: Koa.Context, session: string, form: URLSearchParams) => Promise<void>) =>
    router.post(path, async (ctx) => {
      const { form, session } = await pages.form(ctx);
      try {
        await what(ctx, session, form);
      } catch (error) {
        if (!(error instanceof Refusal) || error.oauth) throw error;
        if (error.status === 429) return pages.tooMany(ctx, error.message, retryAfter(error) ?? 0, leavingPath);
        const todo = hints[error.code] ?? 'Look at what the page says now.';
        const field = error.code === 'INVALID_ARGUMENT' ? 'slug' : '';
        sendAgain(ctx, sessions.jar, session, `${leavingPath}#${field}`, {
          form: 'leaving',
          typed: field ? { slug: form.get('slug') ?? '' } : {},
          problems: { [field]: `${error.message} ${todo}` },
        });
      }
    });

  router.get(leavingPath, show);

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
