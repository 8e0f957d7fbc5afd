// pages/index.ts · the pages for people: rendered on the server, readable without scripts, loading nothing from elsewhere.
import Router from '@koa/router';
import { html } from 'hono/html';
import type Koa from 'koa';
import { type Args, type Clock, call } from '../db/call.ts';
import { Failure, type Refusal, refusal, typed } from '../db/errors.ts';
import { type Page, protect, protection, render } from '../html/layout.ts';
import { plural, safeUrl } from '../html/words.ts';
import { answer } from '../http/answer.ts';
import type { Counters } from '../http/counters.ts';
import type { Follows } from '../http/freshness.ts';
import { prefersMarkdown } from '../http/markdown.ts';
import type { Kept } from '../http/memory.ts';
import { methods, open, openPicture, tellMethods } from '../http/open.ts';
import { nothing, problem } from '../http/problem.ts';
import type { Reading } from '../http/reading.ts';
import { type More, Representation } from '../http/representation.ts';
import { setRetryAfter } from '../http/retry-after.ts';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import type { Efficiency, IdentityRecord, Leaderboard, Rules, Tournament, Tournaments, Wall } from '../records/index.ts';
import { linksOf } from '../records/links.ts';
import { type BoardTold, boardLength, efficiencyPage, leaderboardPage, wallPage } from './boards.ts';
import { errorsPage, type Hint } from './errors.ts';
import { boardTop, type Front, frontPage } from './front.ts';
import { frontMarkdown } from './front-markdown.ts';
import { identityPage } from './identity.ts';
import { leadingOn } from './leading-on.ts';
import { linksPolicy } from './links-policy.ts';
import { type NightTold, nightPage } from './night.ts';
import { addPictures, iconFile } from './pictures.ts';
import type { Ribbon } from './ribbon.ts';
import { rulesPage } from './rules.ts';
import { rulesMarkdown } from './rules-text.ts';
import { sourcePage, sources } from './source.ts';
import { tournamentPage } from './tournament.ts';
import { tournamentsPage } from './tournaments.ts';

const pageType = 'text/html; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';
/** For pages that change only with the code. */
const unchanging = 'public, max-age=300, must-revalidate';

export function pagesDoor(config: Config, reading: Reading, counters: Counters, log: Logger): Koa.Middleware {
  const links = linksOf(config);
  const { source } = reading;
  const router = new Router({ sensitive: true });

  /** Kept by itself: it changes once a night, and the first page is built every second. */
  const theRibbon = async () => {
    const { representation, current } = await reading.memory.read('the ribbon', 'boards', async () => {
      const { clock, record, current } = await source.read<Ribbon>('api_public.ribbon', {});
      return { clock, current, representation: new Representation('application/json', JSON.stringify(record)) };
    });
    return { ribbon: JSON.parse(representation.identity.toString()) as Ribbon, current };
  };
  const keep = <R>({ address, follows, reads, args = {}, ribbon, tell, pageOf, more }: Told<R>): Promise<Kept> =>
    reading.memory.read(address, follows, async () => {
      const [{ clock, record, current }, picture] = await Promise.all([source.read<R>(reads, args), ribbon && theRibbon()]);
      await addPictures(record, async (ids) => (await source.read<Record<string, string>>('api_public.icons', { ids })).record);
      return {
        clock,
        current: current && picture?.current !== false,
        representation: await written(tell(record, clock, picture?.ribbon), more),
        pageOf: pageOf?.(record),
      };
    });
  const show = async <R>(ctx: Koa.Context, told: Told<R>) => reading.give(ctx, await keep(told));
  /** Pages that change only with the code. */
  const document = (ctx: Koa.Context, representation: Representation) => answer(ctx, representation, unchanging);
  const sorry = async (ctx: Koa.Context, status: number, title: string, what: string, error: Refusal | Failure = nothing(links, what)) => {
    // A browser says that it accepts HTML. Everything else is a program, and gets the error as the public API gives it.
    ctx.vary('Accept');
    if (!/\btext\/html\b/i.test(ctx.get('Accept'))) {
      ctx.set(open);
      return problem(ctx, links, error);
    }
    protect(ctx);
    ctx.set('Cache-Control', 'no-store');
    ctx.status = status;
    ctx.type = pageType;
    ctx.body = await render(sorryPage(title, what));
  };

  const answering: Koa.Middleware = async (ctx, next) => {
    try {
      reading.admitPage(ctx);
      await next();
    } catch (thrown) {
      if (thrown instanceof Moved) return ctx.redirect(thrown.to);
      const error = typed(thrown);
      if (error instanceof Failure && error.status >= 500) log.error({ code: error.code, kind: error.kind }, 'a page failed');
      const seconds = setRetryAfter(ctx, error);
      await sorry(
        ctx,
        error.status,
        error.title,
        error.status === 429 ? `Try again in ${plural(Number(seconds), 'second')}.` : error.hint,
        error,
      );
    }
  };

  const first = {
    follows: 'front',
    reads: 'api_public.front',
    args: { top: boardTop },
    more: { vary: 'Accept, Accept-Encoding', fields: { Link: leadingOn } },
  } as const;
  router.get('/', (ctx) =>
    prefersMarkdown(ctx.get('Accept'))
      ? show<Front>(ctx, { ...first, address: '/ as Markdown', tell: (record, clock) => frontMarkdown(record, clock, links) })
      : show<Front>(ctx, { ...first, address: '/', ribbon: true, tell: frontPage }),
  );
  // the last night, at its own address
  router.get('/day', async (ctx) => {
    const { last_night } = await call<Clock>(await source.pool(), 'api_public.clock');
    if (last_night === 0) return sorry(ctx, 404, 'No night yet', 'No bell has rung yet. The first page says when the first one rings.');
    ctx.set('Cache-Control', 'no-cache');
    ctx.redirect(`/day/${last_night}`);
  });
  router.get(/^\/day\/(\d{1,9})$/, (ctx) => {
    const n = Number(ctx.path.slice('/day/'.length));
    return show<NightTold>(ctx, { address: `/day/${n}`, follows: 'nights', reads: 'api_public.night_told', args: { n }, tell: nightPage });
  });
  const board = (name: string) =>
    ({ address: `/boards/${name}`, follows: 'boards', reads: 'api_public.board_told', args: { board: name }, ribbon: true }) as const;
  router.get('/boards', (ctx) => ctx.redirect('/boards/points'));
  router.get('/boards/points', (ctx) => {
    const cursor = cursorOf(ctx);
    return show<BoardTold<Leaderboard>>(ctx, {
      ...board('points'),
      address: `/boards/points${cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`}`,
      args: { board: 'points', max: boardLength, cursor },
      tell: (record, _, ribbon) => leaderboardPage(record, cursor === undefined, ribbon),
    });
  });
  router.get('/boards/efficiency', (ctx) =>
    show<BoardTold<Efficiency>>(ctx, { ...board('efficiency'), tell: (record, _, ribbon) => efficiencyPage(record, ribbon) }),
  );
  router.get('/boards/wall', (ctx) =>
    show<BoardTold<Wall>>(ctx, { ...board('wall'), tell: (record, _, ribbon) => wallPage(record, ribbon) }),
  );
  router.get('/identity/:slug', async (ctx) => {
    const slug = slugOf(ctx);
    const found = await orNothing(
      slug &&
        keep<IdentityRecord>({
          address: `/identity/${slug}`,
          follows: 'hill',
          reads: 'api_public.identity',
          args: { slug },
          tell: (record) => {
            if (record.slug !== slug) throw new Moved(`/identity/${record.slug}`); // it was renamed
            return identityPage(record);
          },
          pageOf: ({ accountId }) => accountId,
        }),
    );
    if (!found) return sorry(ctx, 404, 'No such identity', 'Nobody on the hill has that name in addresses.');
    await reading.give(ctx, found);
  });
  router.get('/rules', (ctx) => show<Rules>(ctx, { address: '/rules', follows: 'rules', reads: 'api_public.rules', tell: rulesPage }));
  router.get('/rules.md', (ctx) =>
    show<Rules>(ctx, {
      address: '/rules.md',
      follows: 'rules',
      reads: 'api_public.rules',
      tell: (record) => rulesMarkdown(record, links.docs.rules_data, links.engineSource),
    }),
  );
  const policy = plain(markdown, linksPolicy(config.baseUrl));
  router.get('/links.md', (ctx) => document(ctx, policy));
  router.get('/errors', async (ctx) =>
    document(ctx, await written(errorsPage(await call<Hint[]>(await source.pool(), 'api_public.errors')))),
  );
  const sourceList = written(sourcePage());
  const files = new Map([...sources].map(([name, text]) => [name, plain('text/plain; charset=utf-8', text)]));
  router.get('/source', async (ctx) => document(ctx, await sourceList));
  router.get(/^\/source\/.+$/, (ctx, next) => {
    const file = files.get(ctx.path.slice('/source/'.length));
    return file === undefined ? next() : document(ctx, file);
  });
  router.get('/tournaments', (ctx) =>
    show<Tournaments>(ctx, { address: '/tournaments', follows: 'tournaments', reads: 'api_public.tournaments', tell: tournamentsPage }),
  );
  router.get('/tournaments/:slug', async (ctx) => {
    const slug = slugOf(ctx);
    const found = await orNothing(
      slug &&
        keep<Tournament>({
          address: `/tournaments/${slug}`,
          follows: 'tournaments',
          reads: 'api_public.tournament',
          args: { slug },
          tell: tournamentPage,
        }),
    );
    if (!found) return sorry(ctx, 404, 'No such tournament', 'All of them are listed at /tournaments.');
    await reading.give(ctx, found);
  });
  // The address has the hash of the bytes, so they never change. Whoever asks for an identity's icon by its slug is led to the one that it has now.
  router.get(/^\/icon\/[0-9a-f]{64}\.png$/, async (ctx) => {
    const hash = ctx.path.slice('/icon/'.length, -'.png'.length);
    const found = await orNothing(
      reading.memory.read(ctx.path, 'icons', async () => {
        const { clock, record, current } = await source.read<{ image: string }>('api_public.icon', { hash });
        return {
          clock,
          current,
          representation: new Representation('image/png', Buffer.from(record.image, 'base64'), { vary: null, fields: openPicture }),
        };
      }),
    );
    if (!found) return sorry(ctx, 404, 'No such icon', 'Nobody on the hill has that icon now.');
    await reading.give(ctx, found);
  });
  router.get('/icon/:slug', async (ctx) => {
    const found = await orNothing(slugOf(ctx) && call<{ hash: string }>(await source.pool(), 'api_public.icon_of', { slug: slugOf(ctx) }));
    if (!found) return sorry(ctx, 404, 'No icon', 'No identity of that name has an icon.');
    ctx.set(open);
    ctx.set({ 'Cache-Control': 'no-cache', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    ctx.redirect(iconFile(found.hash));
  });
  // Redirects to the address that the account itself has set, and nowhere else.
  router.get('/go/:slug', async (ctx) => {
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    const found = await orNothing(slugOf(ctx) && call<Link>(await source.pool(), 'api_public.link_of', { slug: slugOf(ctx) }));
    if (!found) return sorry(ctx, 404, 'No such identity', 'Nobody on the hill has that name in addresses.');
    const { accountId, name, url } = found;
    const target = safeUrl(url);
    if (target === null) return sorry(ctx, 404, 'No link', `${name} has not set an address to go to.`);
    counters.click(ctx.req, accountId);
    protect(ctx);
    ctx.set('Cache-Control', 'no-store');
    ctx.redirect(target);
  });

  const routes = router.routes() as Koa.Middleware;
  return (ctx) =>
    answering(ctx, () =>
      routes(ctx, async () => {
        if (ctx.method === 'OPTIONS') {
          ctx.set(open);
          return tellMethods(ctx);
        }
        // no door has this address
        if (['GET', 'HEAD'].includes(ctx.method) || !router.match(ctx.path, 'GET').route)
          return sorry(ctx, 404, 'There is nothing here', 'Begin at the first page, or with the data at /api/hill.', nothing(links));
        ctx.set('Allow', methods);
        throw new Failure('METHOD_NOT_ALLOWED');
      }),
    );
}

/** A page, or a Markdown text, made from one record of the public API. */
interface Told<R> {
  /** The cache key. Other parameters of the query are ignored, so that nobody can fill the memory with copies of one page. */
  readonly address: string;
  readonly follows: Follows;
  readonly reads: `api_public.${string}`;
  readonly args?: Args;
  /** Whether the picture of the last nights is on it, too. */
  readonly ribbon?: true;
  tell(record: R, clock: Clock, ribbon?: Ribbon): Page | string;
  /** The account whose page it is, to count its views. */
  pageOf?(record: R): string;
  readonly more?: More;
}

/** A text for programs, readable from any origin. */
const plain = (type: string, text: string, { fields, ...more }: More = {}) =>
  new Representation(type, text, { ...more, fields: { ...open, ...fields } });

const written = async (told: Page | string, more: More = {}): Promise<Representation> =>
  typeof told === 'string'
    ? plain(markdown, told, more)
    : new Representation(pageType, await render(told), { ...more, fields: { ...protection(told), ...more.fields } });

/** The page has moved to another address. */
class Moved extends Error {
  readonly to: string;

  constructor(to: string) {
    super('moved');
    this.to = to;
  }
}

/** The slug in an address, if it has the form of one. */
const slugOf = ({ params }: Koa.Context & { params: { slug?: string } }): string | undefined =>
  /^[\w-]{1,100}$/.test(params.slug ?? '') ? params.slug : undefined;

/** The cursor in an address, if it has the form of one. */
function cursorOf({ query }: Koa.Context): string | undefined {
  if (typeof query.cursor !== 'string') return undefined;
  if (!/^[\w.~-]{1,200}$/.test(query.cursor))
    throw refusal('INVALID_ARGUMENT', 'cursor is not a cursor.', 'Begin again at the top of the board.');
  return query.cursor;
}

/** The record; undefined if there is none of that name. */
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
  title,
  description: title,
  body: html`<article><h1>${title}</h1><p>${what}</p><p>Go on with <a href="/">the hill today</a>, <a href="/boards/points">its boards</a> or <a href="/rules">its rules</a>.</p></article>`,
});
