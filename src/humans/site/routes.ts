// The page of an account's site and its two forms.
import type Router from '@koa/router';
import { call } from '../../db/call.ts';
import { type SiteState, writtenUrl } from '../../outside/sites/site-state.ts';
import { linksOf } from '../../records/links.ts';
import { forPeople } from '../for-people.ts';
import { formActs } from '../form-acts.ts';
import { takeAnswer } from '../form-answer.ts';
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

  const act = formActs(sitePath, router, pages, (_, form, error) => ({
    typed: { url: form.get('url') ?? '' },
    problems: error.detail.argument === 'url' ? { url: whole } : { '': forPeople(error) },
  }));

  act(sitePath, async (form, session) => {
    // what is no address is refused by the database, like one that may not be shown
    const url = writtenUrl(form.get('url') ?? '') ?? 'none';
    const site = await call<SiteState>(db, 'api_human.set_site', { session, url });
    return { done: site.url === null ? 'The address is gone.' : 'The address is saved.' };
  });

  act(`${sitePath}/check`, async (_, session) => {
    const { checking } = await call<SiteState>(db, 'api_human.check_site', { session });
    return {
      done: checking
        ? 'The hill looks at your site now.'
        : 'Your site was looked at a moment ago. Try again in some minutes.',
    };
  });
}

const whole = 'Give a whole http or https address without a user name, such as https://example.com/.';
