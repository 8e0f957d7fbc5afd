// Hands a member of the staff who is signed in here to the console, by a code bound to the browser. Rules 18.4;
// decisions 220.
import type Router from '@koa/router';
import type Koa from 'koa';
import { call } from '../../db/call.ts';
import { Refusal } from '../../db/errors.ts';
import { isLoopback } from '../../http/loopback.ts';
import { newSecret } from '../browser-secret.ts';
import type { HumanPages } from '../pages.ts';
import { type Asked, consolePath, goOnPage, type Membership, notBegunPage, notStaffPage, pathOf } from './page.ts';

export function consoleRoutes(router: Router, pages: HumanPages): void {
  const { config, db } = pages;

  /** Where the console is, as the console or a link says; anything that is not it is answered here. */
  const askedIn = async (ctx: Koa.Context, given: URLSearchParams): Promise<Asked | undefined> => {
    const [challenge, at] = [given.get('challenge') ?? '', given.get('at') ?? ''];
    const fits = /^[0-9a-f]{64}$/.test(challenge) && isLoopback(at);
    // any program of this machine may listen on any other port
    const known = fits && config.consolePorts.includes(Number(/:(\d+)$/.exec(at)?.[1] ?? 80));
    if (known) return { challenge, at };
    await pages.show(ctx, notBegunPage(fits ? at : undefined), 400);
    return undefined;
  };

  router.get(consolePath, async (ctx) => {
    const asked = await askedIn(ctx, new URLSearchParams(ctx.querystring));
    if (!asked) return;
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
    const asked = await askedIn(ctx, form);
    if (!asked) return;
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
