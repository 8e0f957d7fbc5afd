// pages/index.ts · the pages for people. Server-rendered, readable without scripts, nothing from outside.
import Router from '@koa/router';
import { html } from 'hono/html';
import type Koa from 'koa';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { call, read } from '../db/call.ts';
import { Failure, typed } from '../db/errors.ts';
import { answer } from '../http/answer.ts';
import { cacheControl } from '../http/freshness.ts';
import { linksOf } from '../links.ts';
import type { Logger } from '../log.ts';
import type { Rules } from '../records.ts';
import { errorsPage, type Hint } from './errors.ts';
import { boardTop, type Front, frontPage } from './front.ts';
import { type Page, protect, render } from './layout.ts';
import { linksPolicy } from './links-policy.ts';
import { rulesPage } from './rules.ts';
import { rulesMarkdown } from './rules-text.ts';
import { sourcePage, sources } from './source.ts';

const pageType = 'text/html; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';
/** For what changes only with the code. */
const unchanging = 'public, max-age=300, must-revalidate';

export function pagesDoor(config: Config, db: pg.Pool, log: Logger): Koa.Middleware {
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
  // whatever no door knows
  router.get(/.*/, (ctx) => sorry(ctx, 404, 'There is nothing here', 'Begin at the first page, or with the data at /api/hill.'));

  const routes = router.routes() as Koa.Middleware;
  const methods = router.allowedMethods() as Koa.Middleware;
  return (ctx, next) => routes(ctx, () => methods(ctx, next));
}

const sorryPage = (title: string, what: string): Page => ({
  title: `Hill: ${title.toLowerCase()}`,
  description: title,
  body: html`<article><h1>${title}</h1><p>${what}</p><p><a href="/">To the hill</a></p></article>`,
});
