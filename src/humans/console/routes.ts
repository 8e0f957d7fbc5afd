// humans/console/routes.ts · hands a member of the staff who is signed in here to the console, by a code bound to the browser. Rules 18.4; decisions 220.
import type Router from '@koa/router';
import { call } from '../../db/call.ts';
import { Refusal } from '../../db/errors.ts';
import { isLoopback } from '../../http/loopback.ts';
import type { HumanPages } from '../pages.ts';
import { newSecret } from '../sign-in/browser-secret.ts';
import { type Asked, consolePath, goOnPage, type Membership, notBegunPage, notStaffPage, pathOf } from './page.ts';

export function consoleRoutes(router: Router, pages: HumanPages): void {
  const { db } = pages;

  router.get(consolePath, async (ctx) => {
    const asked = askedIn(new URLSearchParams(ctx.querystring));
    if (!asked) return pages.show(ctx, notBegunPage(), 400);
    const human = await pages.human(ctx, pathOf(asked));
    if (!human) return;
    try {
      const member = await call<Membership>(db, 'api_human.console', { session: human.session });
      await pages.show(ctx, goOnPage(human, member, asked));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'NOT_STAFF') throw error;
      await pages.show(ctx, notStaffPage(human), error.status);
    }
  });

  router.post(consolePath, async (ctx) => {
    const { form, session } = await pages.form(ctx);
    const asked = askedIn(form);
    if (!asked) return pages.show(ctx, notBegunPage(), 400);
    const code = newSecret();
    try {
      await call(db, 'api_human.give_console_code', { session, code, challenge: asked.challenge });
    } catch (error) {
      // the page says what to do: sign in again, or who can add the account
      if (!(error instanceof Refusal) || !['SIGN_IN_AGAIN', 'NOT_STAFF'].includes(error.code)) throw error;
      return pages.goOn(ctx, pathOf(asked));
    }
    // To this machine alone: whatever else an address named would get the code.
    pages.goOn(ctx, `http://${asked.at}/sign-in/code?code=${code}`);
  });
}

function askedIn(given: URLSearchParams): Asked | undefined {
  const [challenge, at] = [given.get('challenge') ?? '', given.get('at') ?? ''];
  return /^[0-9a-f]{64}$/.test(challenge) && isLoopback(at) ? { challenge, at } : undefined;
}
