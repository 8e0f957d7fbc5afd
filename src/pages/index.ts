// pages/index.ts · the pages for people. Server-rendered, readable without scripts, nothing from outside.
import Router from '@koa/router';
import { html } from 'hono/html';
import type Koa from 'koa';
import type pg from 'pg';
import type { Config } from '../config.ts';
import type { Counters } from '../counters.ts';
import { type Clock, call, read } from '../db/call.ts';
import { Failure, typed } from '../db/errors.ts';
import { answer } from '../http/answer.ts';
import { cacheControl } from '../http/freshness.ts';
import { linksOf } from '../links.ts';
import type { Logger } from '../log.ts';
import type { Efficiency, IdentityRecord, Leaderboard, Rules, Tournament, Tournaments, Wall } from '../records.ts';
import { boardLength, efficiencyPage, leaderboardPage, wallPage } from './boards.ts';
import { errorsPage, type Hint } from './errors.ts';
import { boardTop, type Front, frontPage } from './front.ts';
import { identityPage } from './identity.ts';
import { type Page, protect, render } from './layout.ts';
import { linksPolicy } from './links-policy.ts';
import { type NightTold, nightPage } from './night.ts';
import { rulesPage } from './rules.ts';
import { rulesMarkdown } from './rules-text.ts';
import { sourcePage, sources } from './source.ts';
import { tournamentPage } from './tournament.ts';
import { tournamentsPage } from './tournaments.ts';
import { safeUrl } from './words.ts';

const pageType = 'text/html; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';
/** For what changes only with the code. */
const unchanging = 'public, max-age=300, must-revalidate';

export function pagesDoor(config: Config, db: pg.Pool, counters: Counters, log: Logger): Koa.Middleware {
  const links = linksOf(config);
  const router = new Router({ sensitive: true });

  const show = async (ctx: Koa.Context, page: Page, cache: string) => {
    protect(ctx, page);
    answer(ctx, pageType, await render(page), cache);
  };
  const sorry = async (ctx: Koa.Context, status: number, title: string, what: string) => {
    protect(ctx);
    ctx.set('Cache-Control', 'no-store');
    ctx.status = status;
    ctx.type = pageType;
    ctx.body = await render(sorryPage(title, what));
  };

  router.use(async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = typed(thrown);
      if (error instanceof Failure) log.error({ code: error.code, kind: error.kind }, 'a page failed');
      if (error.status === 503) ctx.set('Retry-After', '5');
      await sorry(ctx, error.status, error.title, error.hint);
    }
  });

  router.get('/', async (ctx) => {
    const { clock, record } = await read<Front>(db, 'api_public.front', { top: boardTop });
    // it shows the time, so it is never the same twice
    await show(ctx, frontPage(record, clock), 'no-cache');
  });
  // the last night, wherever it is by now
  router.get('/day', async (ctx) => {
    const { last_night } = await call<Clock>(db, 'api_public.clock');
    if (last_night === 0) return sorry(ctx, 404, 'No night yet', 'No bell has rung yet. The first page says when the first one rings.');
    ctx.set('Cache-Control', 'no-cache');
    ctx.redirect(`/day/${last_night}`);
  });
  router.get(/^\/day\/(\d{1,9})$/, async (ctx) => {
    const n = Number(ctx.path.slice('/day/'.length));
    const { clock, record } = await read<NightTold>(db, 'api_public.night_told', { n });
    // a night never changes, but the way to the next one comes with it
    await show(ctx, nightPage(record), n < record.last_night ? unchanging : cacheControl('boards', clock));
  });
  router.get('/boards', (ctx) => ctx.redirect('/boards/points'));
  router.get('/boards/points', async (ctx) => {
    const cursor = typeof ctx.query.cursor === 'string' ? ctx.query.cursor : undefined;
    const { clock, record } = await read<Leaderboard>(db, 'api_public.leaderboard', { max: boardLength, cursor });
    await show(ctx, leaderboardPage(record, cursor === undefined), cacheControl('boards', clock));
  });
  router.get('/boards/efficiency', async (ctx) => {
    const { clock, record } = await read<Efficiency>(db, 'api_public.efficiency');
    await show(ctx, efficiencyPage(record), cacheControl('boards', clock));
  });
  router.get('/boards/wall', async (ctx) => {
    const { clock, record } = await read<Wall>(db, 'api_public.wall');
    await show(ctx, wallPage(record), cacheControl('boards', clock));
  });
  router.get('/identity/:slug', async (ctx) => {
    const found = await orNothing(slugOf(ctx) && read<IdentityRecord>(db, 'api_public.identity', { slug: slugOf(ctx) }));
    if (!found) return sorry(ctx, 404, 'No such identity', 'Nobody on the hill has that name in addresses.');
    const { clock, record } = found;
    if (record.slug !== ctx.params.slug) return ctx.redirect(`/identity/${record.slug}`); // it has another by now
    counters.view(ctx, record.accountId);
    await show(ctx, identityPage(record), cacheControl('hill', clock));
  });
  router.get('/rules', async (ctx) => {
    const { clock, record } = await read<Rules>(db, 'api_public.rules');
    await show(ctx, rulesPage(record), cacheControl('rules', clock));
  });
  router.get('/rules.md', async (ctx) => {
    const { clock, record } = await read<Rules>(db, 'api_public.rules');
    answer(ctx, markdown, rulesMarkdown(record, links.docs.rules_data, links.engineSource), cacheControl('rules', clock));
  });
  router.get('/links.md', (ctx) => answer(ctx, markdown, linksPolicy(config.baseUrl), unchanging));
  router.get('/errors', async (ctx) => show(ctx, errorsPage(await call<Hint[]>(db, 'api_public.errors')), unchanging));
  router.get('/source', (ctx) => show(ctx, sourcePage(), unchanging));
  router.get(/^\/source\/.+$/, (ctx, next) => {
    const text = sources.get(ctx.path.slice('/source/'.length));
    return text === undefined ? next() : answer(ctx, 'text/plain; charset=utf-8', text, unchanging);
  });
  router.get('/tournaments', async (ctx) => {
    const { clock, record } = await read<Tournaments>(db, 'api_public.tournaments');
    await show(ctx, tournamentsPage(record), cacheControl('tournaments', clock));
  });
  router.get('/tournaments/:slug', async (ctx) => {
    const found = await orNothing(slugOf(ctx) && read<Tournament>(db, 'api_public.tournament', { slug: slugOf(ctx) }));
    if (!found) return sorry(ctx, 404, 'No such tournament', 'All of them are listed at /tournaments.');
    const { clock, record } = found;
    await show(ctx, tournamentPage(record), cacheControl('tournaments', clock));
  });
  // Leads to the address that the account itself has set, and nowhere else.
  router.get('/go/:slug', async (ctx) => {
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    const found = await orNothing(slugOf(ctx) && call<Link>(db, 'api_public.link_of', { slug: slugOf(ctx) }));
    if (!found) return sorry(ctx, 404, 'No such identity', 'Nobody on the hill has that name in addresses.');
    const { accountId, name, url } = found;
    const target = safeUrl(url);
    if (target === null) return sorry(ctx, 404, 'No link', `${name} has not set an address to go to.`);
    counters.click(ctx, accountId);
    protect(ctx);
    ctx.set('Cache-Control', 'no-store');
    ctx.redirect(target);
  });
  // whatever no door knows
  router.get(/.*/, (ctx) => sorry(ctx, 404, 'There is nothing here', 'Begin at the first page, or with the data at /api/hill.'));

  const routes = router.routes() as Koa.Middleware;
  const methods = router.allowedMethods() as Koa.Middleware;
  return (ctx, next) => routes(ctx, () => methods(ctx, next));
}

/** The slug of an address, if it is of a form that one can have. */
const slugOf = ({ params }: Koa.Context & { params: { slug?: string } }): string | undefined =>
  /^[\w-]{1,100}$/.test(params.slug ?? '') ? params.slug : undefined;

/** What was read; nothing where there is nothing of that name. */
async function orNothing<T>(reading: Promise<T> | undefined | ''): Promise<T | undefined> {
  try {
    return (await reading) || undefined;
  } catch (thrown) {
    if (typed(thrown).code === 'NOT_FOUND') return undefined;
    throw thrown;
  }
}

interface Link {
  readonly accountId: string;
  readonly name: string;
  readonly url: string | null;
}

const sorryPage = (title: string, what: string): Page => ({
  title: `Hill: ${title.toLowerCase()}`,
  description: title,
  body: html`<article><h1>${title}</h1><p>${what}</p><p><a href="/">To the hill</a></p></article>`,
});
