// Pages for looking, for who does not write GraphQL. They read what the schema reads, as the same role.
import Router, { type RouterContext } from '@koa/router';
import type Koa from 'koa';
import type pg from 'pg';
import { readForm } from '../../http/read-form.ts';
import { type LookPage, show } from '../frame.ts';
import { type Asked, graphiqlFiles, graphiqlPage } from '../graphql/graphiql-page.ts';
import { type Example, questions, variablesFor } from '../questions.ts';
import { staffOf } from '../staff.ts';
import { graphiqlPath } from '../ways.ts';
import { accountPage, chargePage, findPage, placePage } from './account.ts';
import { auditPage, entryPage, jobsPage, moneyPage, reportsPage } from './lists.ts';
import { codesFile, orderPage } from './orders.ts';
import { type Ask, look } from './read.ts';
import { tonightPage } from './tonight.ts';
import { wordsPage } from './words.ts';

const pages: Readonly<Record<string, (ask: Ask, ctx: RouterContext) => Promise<LookPage>>> = {
  '/': tonightPage,
  '/money': moneyPage,
  '/reports': reportsPage,
  '/jobs': jobsPage,
  '/audit': (ask, ctx) => auditPage(ask, ctx.URL.searchParams),
  '/words': (ask, ctx) => wordsPage(ask, (ctx.URL.searchParams.get('text') ?? '').trim()),
  '/orders/:id': (ask, { params }) => orderPage(ask, String(params.id)),
  '/audit/:id': (ask, { params }) => entryPage(ask, String(params.id)),
  '/account/:slug': (ask, { params }) => accountPage(ask, String(params.slug)),
  '/account/:slug/night/:day': (ask, { params }) => chargePage(ask, String(params.slug), numberOf(params.day)),
  '/night/:day/:slot': (ask, ctx) =>
    placePage(ask, numberOf(ctx.params.day), numberOf(ctx.params.slot), ctx.URL.searchParams.get('account') || null),
};

export function lookingPages(pool: pg.Pool): Router {
  const router = new Router();
  for (const [path, page] of Object.entries(pages))
    router.get(path, async (ctx) => show(ctx, await look(pool, staffOf(ctx), (ask) => page(ask, ctx))));
  // A form that is posted, so that no address that somebody looks up stays in the history of a browser.
  router.post('/find', async (ctx) => {
    const wanted = ((await readForm(ctx)).get('text') ?? '').replaceAll('\0', '').trim().slice(0, 320);
    if (!wanted) return ctx.redirect('/');
    const found = await look(pool, staffOf(ctx), (ask) => findPage(ask, wanted), true);
    if (!('slug' in found)) return show(ctx, found);
    ctx.status = 303;
    ctx.redirect(`/account/${encodeURIComponent(found.slug)}`);
  });
  router.get('/orders/:id/codes.csv', async (ctx) => {
    const id = String(ctx.params.id);
    const file = await look(pool, staffOf(ctx), (ask) => codesFile(ask, id));
    if (file === null) return;
    ctx.attachment(`hill-codes-${id}.csv`);
    ctx.type = 'text/csv; charset=utf-8';
    ctx.body = file;
  });
  router.get(graphiqlPath, async (ctx) => graphiqlPage(ctx, await askedOf(pool, ctx), staffOf(ctx).name));
  graphiqlFiles(router);
  return router;
}

/** 0, which nothing has, for what is no number of a day or a place. */
const numberOf = (part: string | undefined): number => (/^[1-9]\d{0,6}$/.test(part ?? '') ? Number(part) : 0);

async function askedOf(pool: pg.Pool, ctx: Koa.Context): Promise<Asked> {
  const link = ctx.URL.searchParams;
  const question = link.get('question');
  const [row] = await look(pool, staffOf(ctx), (ask) =>
    ask<Example & { today: string }>(
      'select e.*, (select t.now::date::text from api_staff.tonight() t) as today from api_staff.example() e',
    ),
  );
  if (!row) throw new Error('api_staff.example gives one row');
  return {
    question: questions.some(({ name }) => name === question) ? question : null,
    variables: Object.fromEntries(
      questions.map((one) => [one.name, variablesFor(one, row, row.today, one.name === question ? link : undefined)]),
    ),
  };
}
