// The page of an account's site and its two forms.
import type Router from '@koa/router';
import type Koa from 'koa';
import { call } from '../../db/call.ts';
import { Refusal } from '../../db/errors.ts';
import { type SiteState, writtenUrl } from '../../outside/sites/site-state.ts';
import { linksOf } from '../../records/links.ts';
import { forPeople } from '../for-people.ts';
import { sendAgain, sendDone, takeAnswer } from '../form-answer.ts';
import type { HumanPages } from '../pages.ts';
import { sitePage, sitePath } from './page.ts';

export function siteRoutes(router: Router, pages: HumanPages): void {
  const { config, db } = pages;
  const { jar } = pages.sessions;
  const links = linksOf(config);

  router.get(sitePath, async (ctx) => {
    const human = await pages.human(ctx);
    if (!human) return;
    const { session } = human;
    const site = await call<SiteState>(db, 'api_human.site', { session });
    await pages.show(ctx, sitePage({ ...human, site, links, ...takeAnswer(ctx, jar, session) }));
  });

  /** Runs a form; a refusal leads back to the page, beside the field that it is about. */
  const act = (path: string, what: (form: URLSearchParams, session: string) => Promise<string>) =>
    router.post(path, async (ctx: Koa.Context) => {
      const { form, session } = await pages.form(ctx);
      try {
        sendDone(ctx, jar, session, sitePath, { done: await what(form, session) });
      } catch (error) {
        if (!(error instanceof Refusal) || error.oauth) throw error;
        const [name, text] = error.detail.argument === 'url' ? ['url', whole] : (['', forPeople(error)] as const);
        sendAgain(ctx, jar, session, sitePath, {
          form: 'site',
          typed: { url: form.get('url') ?? '' },
          problems: { [name]: text },
        });
      }
    });

  act(sitePath, async (form, session) => {
    // what is no address is refused by the database, like one that may not be shown
    const url = writtenUrl(form.get('url') ?? '') ?? 'none';
    const site = await call<SiteState>(db, 'api_human.set_site', { session, url });
    return site.url === null ? 'The address is gone.' : 'The address is saved.';
  });

  act(`${sitePath}/check`, async (_, session) => {
    const { checking } = await call<SiteState>(db, 'api_human.check_site', { session });
    return checking
      ? 'The hill looks at your site now.'
      : 'Your site was looked at a moment ago. Try again in some minutes.';
  });
}

const whole = 'Give a whole http or https address without a user name, such as https://example.com/.';
