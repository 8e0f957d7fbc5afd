// The private feed of an account, for a feed reader: what each night was for it, and what its human should see to.
// Nothing of tonight that is sealed. Protocol 5.4.
import type Router from '@koa/router';
import { html, raw } from 'hono/html';
import { call } from '../../db/call.ts';
import { Refusal } from '../../db/errors.ts';
import { atom, atomType, type Entry, tag } from '../../html/atom.ts';
import { bellOf } from '../../html/days.ts';
import type { Markup } from '../../html/layout.ts';
import { costOf, headline, movesText, paidFrom, verdictsText } from '../../html/own-nights.ts';
import { toldWarning } from '../../html/told-warnings.ts';
import { date, plural } from '../../html/words.ts';
import { type Config, isPlayMoney, topUpsOf } from '../../process/config.ts';
import { practiceSentence } from '../../process/practice.ts';
import type { Night, Warning } from '../../records/own.ts';
import { newSecret } from '../browser-secret.ts';
import type { Act } from '../form-acts.ts';
import { token } from '../form-page.ts';
import type { HumanPages } from '../pages.ts';
import { againPath } from '../recent.ts';
import type { AccountState } from '../records.ts';

/** api_human.feed. */
interface PrivateFeed {
  readonly account_id: string;
  readonly name: string;
  readonly day: number;
  readonly next_bell_at: string;
  readonly warnings: readonly Warning[];
  readonly nights: readonly Night[];
}

const feedPath = /^\/account\/feed\/([\w-]{1,100})\.atom$/;

const feedAddress = (base: string, secret: string): string => `${base}/account/feed/${secret}.atom`;

export function feedRoutes(router: Router, pages: HumanPages, act: Act): void {
  const { config, db } = pages;
  act('/account/feed', async (_, session) => {
    const secret = newSecret();
    await call(db, 'api_human.make_feed', { session, token: secret });
    return { form: 'feed', done: feedAddress(config.baseUrl, secret) };
  });

  act('/account/end-feed', async (_, session) => {
    await call(db, 'api_human.end_feed', { session });
    return 'feed-ended';
  });

  router.get(feedPath, async (ctx) => {
    const [, secret = ''] = feedPath.exec(ctx.path) ?? [];
    const feed = await call<PrivateFeed>(db, 'api_human.feed', { token: secret }).catch((error: unknown) => {
      if (error instanceof Refusal && error.oauth === 'invalid_token') return undefined;
      throw error;
    });
    if (!feed)
      return pages.apologize(ctx, 404, {
        title: 'There is no such feed',
        what: 'Its human ended it, or made a new address. The account page makes another.',
      });
    ctx.set({ 'Cache-Control': 'private, max-age=300', 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' });
    ctx.type = atomType;
    ctx.body = await privateFeed(config, feedAddress(config.baseUrl, secret), feed);
  });
}

async function privateFeed(config: Config, self: string, feed: PrivateFeed): Promise<string> {
  const base = config.baseUrl;
  const playMoney = isPlayMoney(topUpsOf(config));
  const { account_id, name, day, warnings, nights } = feed;
  const about = `private/${account_id}`;
  return atom({
    id: tag(base, about),
    self,
    page: `${base}/account`,
    title: `Your account on Hill: ${name}`,
    subtitle: 'What each night was for your account, and what you should see to.',
    practice: practiceSentence(config),
    author: 'Hill',
    since: bellOf(day - 1, feed),
    entries: [
      ...warnings.map((warning): Entry => {
        const { lead, name: whose = '', rest, href } = toldWarning(warning);
        return {
          id: tag(base, `${about}/${warning.code}/${warning.occasion}`),
          at: bellOf(day - 1, feed),
          title: whose ? `${lead} ${whose}` : lead,
          link: new URL(href, `${base}/account`).href,
          summary: whose ? `${lead} ${whose}${rest}` : rest,
        };
      }),
      ...(await Promise.all(
        nights.map(
          async (night): Promise<Entry> => ({
            id: tag(base, `${about}/night/${night.day}`),
            at: bellOf(night.day, feed),
            title: `Night ${night.day}: ${headline(night)}`,
            link: `${base}/day/${night.day}`,
            summary: costOf(night) > 0 ? paidFrom(night, playMoney) : 'It cost nothing.',
            content: raw(
              String(await html`${movesText(night)}${verdictsText(night)}`).replaceAll('href="/', `href="${base}/`),
            ),
          }),
        ),
      )),
    ],
  });
}

/** `made`: the address of one that was just made. */
export const feedSection = (
  { feed_since, fresh, fresh_minutes }: AccountState,
  session: string,
  made: string | undefined,
): Markup => html`<section class="card" aria-labelledby="feed">
<h2 id="feed">Private feed</h2>
${made ? html`<p>Put this address into your feed reader. It is shown only now.</p><p><code>${made}</code></p>` : ''}
<p>${feed_since ? `You have had one since ${date(feed_since)}.` : 'A feed reader can tell you what each night was for your account, and what you should see to.'} Whoever has its address can read it; it says nothing of tonight’s moves.</p>
${
  fresh
    ? html`<form method="post" action="/account/feed">${token(session)}<button class="plain">${feed_since ? 'Make a new address' : 'Make a private feed'}</button></form>`
    : html`<p class="hint">To make ${feed_since ? 'a new address' : 'one'}, <a rel="nofollow" href="${againPath('/account')}">sign in again</a>: it takes a sign-in of the last ${plural(fresh_minutes, 'minute')}.</p>`
}
${feed_since ? html`<form method="post" action="/account/end-feed">${token(session)}<button class="danger">End the feed</button></form>` : ''}
</section>`;
