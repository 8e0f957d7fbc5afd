// pages/index.ts · the pages for people: rendered on the server, readable without scripts, loading nothing from elsewhere.
import fs from 'node:fs';
import path from 'node:path';
import Router from '@koa/router';
import { html } from 'hono/html';
import type Koa from 'koa';
import { type Args, type Clock, call } from '../db/call.ts';
import { Failure, type Refusal, refusal, typed } from '../db/errors.ts';
import { retrySeconds } from '../db/retry-after.ts';
import { draw, longestPicture } from '../html/drawing.ts';
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
import { soon } from '../http/soon.ts';
import { type Config, checkout } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import {
  type Efficiency,
  type IdentityRecord,
  type Leaderboard,
  type Rules,
  type Status,
  type Tournament,
  type Tournaments,
  unavailable,
  type Wall,
} from '../records/index.ts';
import { linksOf } from '../records/links.ts';
import type { NightBrief } from '../records/night-brief.ts';
import { type Badge, badgePicture } from './badge.ts';
import { type BoardTold, boardLength, efficiencyPage, leaderboardPage, wallPage } from './boards.ts';
import { bringPage } from './bring.ts';
import { calendar } from './calendar.ts';
import { errorsPage, type Hint } from './errors.ts';
import { identityFeed, nightsFeed, tournamentFeed } from './feeds.ts';
import { boardTop, type Front, frontPage } from './front.ts';
import { frontMarkdown } from './front-markdown.ts';
import { identityPage } from './identity.ts';
import { leadingOn } from './leading-on.ts';
import { linksPage } from './links.ts';
import { linksPolicy } from './links-policy.ts';
import { type NightTold, nightPage } from './night.ts';
import { addPictures, iconFile } from './pictures.ts';
import type { Ribbon } from './ribbon.ts';
import { rulesPage } from './rules.ts';
import { rulesMarkdown } from './rules-text.ts';
import { frontPicture } from './share/front.ts';
import { identityPicture } from './share/identity.ts';
import { nightPicture } from './share/night.ts';
import { tournamentPicture } from './share/tournament.ts';
import { type SiteMap, siteMapIndex, siteMapPart } from './site-map.ts';
import { sourcePage, sources } from './source.ts';
import { statusPage } from './status.ts';
import { tournamentPage } from './tournament.ts';
import { tournamentsPage } from './tournaments.ts';

const pageType = 'text/html; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';
/** For pages that change only with the code. */
const unchanging = 'public, max-age=300, must-revalidate';

export function pagesDoor(config: Config, reading: Reading, counters: Counters, log: Logger): Koa.Middleware {
  const links = linksOf(config);
  const { source } = reading;
  const written = writtenFor(config.baseUrl);
  const router = new Router({ sensitive: true });

  /** Kept by itself: it changes once a night, and the first page is built every second. */
  const theRibbon = async () => {
    const { representation, current } = await reading.memory.read('the ribbon', 'boards', async () => {
      const { clock, record, current } = await source.read<Ribbon>('api_public.ribbon', {});
      return { clock, current, representation: new Representation('application/json', JSON.stringify(record)) };
    });
    return { ribbon: JSON.parse(String(representation.coded('identity'))) as Ribbon, current };
  };
  const keep = <R>({ address, follows, reads, args = {}, ribbon, tell, pageOf, more }: Told<R>): Promise<Kept> =>
    reading.memory.read(address, follows, async () => {
      const [{ clock, record, current }, picture] = await Promise.all([source.read<R>(reads, args), ribbon && theRibbon()]);
      // a night shows nothing that changes later
      if (follows !== 'nights')
        await addPictures(record, async (ids) => (await source.read<Record<string, string>>('api_public.icons', { ids })).record);
      return {
        clock,
        current: current && picture?.current !== false,
        representation: await written(tell(record, clock, picture?.ribbon), more),
        pageOf: pageOf?.(record),
      };
    });
  /** A picture to share. It is drawn for a reader that does not have it, and not again until what it shows has changed. */
  const picture = <R>({ address, follows, reads, args = {}, drawn }: Drawn<R>): Promise<Kept> =>
    reading.memory.read(address, follows, async () => {
      const { clock, record, current } = await source.read<R>(reads, args);
      const from = await drawn(record, config.baseUrl);
      const later = { from, make: () => draw(from), most: longestPicture };
      return { clock, current, representation: new Representation('image/png', later, { vary: null, fields: openPicture }) };
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
    ctx.body = await render(sorryPage(title, what), config.baseUrl);
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
  // Pictures to share, in front of pages whose addresses would take them for slugs.
  router.get('/share.png', async (ctx) =>
    reading.give(ctx, await picture<Front>({ ...first, follows: 'hill', address: '/share.png', drawn: frontPicture })),
  );
  router.get(/^\/day\/(\d{1,9})\.png$/, async (ctx) => {
    const n = Number.parseInt(ctx.path.slice('/day/'.length), 10);
    const address = `/day/${n}.png`;
    await reading.give(
      ctx,
      await picture<NightTold>({ address, follows: 'past', reads: 'api_public.night_told', args: { n }, drawn: nightPicture }),
    );
  });
  router.get(/^\/identity\/[\w-]{1,100}\.png$/, async (ctx) => {
    const slug = ctx.path.slice('/identity/'.length, -'.png'.length);
    const found = await orNothing(
      picture<IdentityRecord>({
        address: `/identity/${slug}.png`,
        follows: 'hill',
        reads: 'api_public.identity',
        args: { slug },
        drawn: (record, site) => {
          if (record.slug !== slug) throw new Moved(`/identity/${record.slug}.png`);
          return identityPicture(record, site);
        },
      }),
    );
    if (!found) return sorry(ctx, 404, 'No such identity', 'Nobody on the hill has that name in addresses.');
    await reading.give(ctx, found);
  });
  router.get(/^\/tournaments\/[\w-]{1,100}\.png$/, async (ctx) => {
    const slug = ctx.path.slice('/tournaments/'.length, -'.png'.length);
    const found = await orNothing(
      picture<Tournament>({
        address: `/tournaments/${slug}.png`,
        follows: 'tournaments',
        reads: 'api_public.tournament',
        args: { slug },
        drawn: tournamentPicture,
      }),
    );
    if (!found) return sorry(ctx, 404, 'No such tournament', 'All of them are listed at /tournaments.');
    await reading.give(ctx, found);
  });
  const { baseUrl } = config;
  type Nights = { readonly nights: readonly NightBrief[] };
  router.get('/nights.atom', (ctx) =>
    show<Nights>(ctx, {
      address: '/nights.atom',
      follows: 'boards',
      reads: 'api_public.recent_nights',
      tell: ({ nights }, clock) => nightsFeed(baseUrl, nights, clock),
    }),
  );
  router.get(/^\/identity\/[\w-]{1,100}\.atom$/, async (ctx) => {
    const slug = ctx.path.slice('/identity/'.length, -'.atom'.length).toLowerCase();
    const found = await orNothing(
      keep<IdentityRecord>({
        address: `/identity/${slug}.atom`,
        follows: 'boards',
        reads: 'api_public.identity',
        args: { slug },
        tell: (record, clock) => {
          if (record.slug !== slug) throw new Moved(`/identity/${record.slug}.atom`);
          return identityFeed(baseUrl, record, clock);
        },
      }),
    );
    if (!found) return sorry(ctx, 404, 'No such identity', 'Nobody on the hill has that name in addresses.');
    await reading.give(ctx, found);
  });
  router.get(/^\/tournaments\/[\w-]{1,100}\.atom$/, async (ctx) => {
    const tournament = ctx.path.slice('/tournaments/'.length, -'.atom'.length);
    const found = await orNothing(
      keep<Nights & Tournament>({
        address: `/tournaments/${tournament}.atom`,
        follows: 'tournaments',
        reads: 'api_public.recent_nights',
        args: { tournament },
        tell: (record) => tournamentFeed(baseUrl, record),
      }),
    );
    if (!found) return sorry(ctx, 404, 'No such tournament', 'All of them are listed at /tournaments.');
    await reading.give(ctx, found);
  });
  router.get('/tournaments.ics', (ctx) =>
    show<Tournaments>(ctx, {
      address: '/tournaments.ics',
      follows: 'tournaments',
      reads: 'api_public.tournaments',
      tell: async (record) => calendar(baseUrl, record),
    }),
  );
  router.get('/sitemap.xml', (ctx) =>
    show<SiteMap>(ctx, {
      address: '/sitemap.xml',
      follows: 'boards',
      reads: 'api_public.site_map',
      tell: (record) => siteMapIndex(baseUrl, record),
    }),
  );
  router.get(/^\/sitemap\/(pages|nights|identities)-[1-9]\d{0,4}\.xml$/, async (ctx) => {
    const [kind, part] = ctx.path.slice('/sitemap/'.length, -'.xml'.length).split('-') as [string, string];
    const found = await orNothing(
      keep<SiteMap>({
        address: ctx.path,
        follows: 'boards',
        reads: 'api_public.site_map',
        args: { kind, part: Number(part) },
        tell: (record) => siteMapPart(baseUrl, record),
      }),
    );
    if (!found) return sorry(ctx, 404, 'No such part', 'The site map begins at /sitemap.xml.');
    await reading.give(ctx, found);
  });
  router.get(/^\/badge\/[\w-]{1,100}\.svg$/, async (ctx) => {
    const slug = ctx.path.slice('/badge/'.length, -'.svg'.length).toLowerCase();
    const found = await orNothing(
      keep<Badge>({ address: `/badge/${slug}.svg`, follows: 'boards', reads: 'api_public.badge', args: { slug }, tell: badgePicture }),
    );
    if (!found) return sorry(ctx, 404, 'No such identity', 'Nobody on the hill has that name in addresses.');
    await reading.give(ctx, found);
  });
  router.get('/status', async (ctx) => {
    const kept = await soon(keep<Status>({ address: '/status', follows: 'hill', reads: 'api_public.status', tell: statusPage }));
    if (kept) return reading.give(ctx, kept);
    protect(ctx);
    ctx.set({ 'Cache-Control': 'no-store', 'Retry-After': String(retrySeconds) });
    ctx.status = 503;
    ctx.type = pageType;
    ctx.body = await render(statusPage(unavailable), config.baseUrl);
  });
  for (const [address, file] of [
    ['/changelog.md', 'CHANGELOG.md'],
    ['/compatibility.md', 'docs/compatibility.md'],
  ] as const) {
    // links between files of the repository lead to their addresses here
    const text = fs
      .readFileSync(path.join(checkout, file), 'utf8')
      .replace(/\((?:\.\.\/)?CHANGELOG\.md\)/g, `(${baseUrl}/changelog.md)`)
      .replace(/\(docs\/compatibility\.md\)/g, `(${baseUrl}/compatibility.md)`)
      .replace(/\[(\w+)\]\(backup\.md\)/g, '$1');
    const told = plain(markdown, text);
    router.get(address, (ctx) => document(ctx, told));
  }
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
            return identityPage(record, baseUrl);
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
  const linksText = linksPolicy(config.baseUrl);
  const policy = plain(markdown, linksText);
  const policyPage = written(linksPage(linksText));
  router.get('/links.md', (ctx) => document(ctx, policy));
  router.get('/links', async (ctx) => document(ctx, await policyPage));
  const bringing = written(bringPage(config));
  router.get('/bring', async (ctx) => document(ctx, await bringing));
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
    const found = await orNothing(
      slugOf(ctx) &&
        reading.memory.unlessRefused(ctx.path, async () =>
          call<{ hash: string }>(await source.pool(), 'api_public.icon_of', { slug: slugOf(ctx) }),
        ),
    );
    if (!found) return sorry(ctx, 404, 'No icon', 'No identity of that name has an icon.');
    ctx.set(open);
    ctx.set({ 'Cache-Control': 'no-cache', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    ctx.redirect(iconFile(found.hash));
  });
  // Redirects to the address that the account itself has set, and nowhere else.
  router.get('/go/:slug', async (ctx) => {
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    const found = await orNothing(
      slugOf(ctx) &&
        reading.memory.unlessRefused(ctx.path, async () => call<Link>(await source.pool(), 'api_public.link_of', { slug: slugOf(ctx) })),
    );
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
  tell(record: R, clock: Clock, ribbon?: Ribbon): Page | string | Promise<Representation>;
  /** The account whose page it is, to count its views. */
  pageOf?(record: R): string;
  readonly more?: More;
}

/** A picture, made from one record of the public API. */
interface Drawn<R> extends Pick<Told<R>, 'address' | 'follows' | 'reads' | 'args'> {
  /** As SVG, which is drawn later. */
  drawn(record: R, site: string): Promise<string>;
}

/** A text for programs, readable from any origin. */
const plain = (type: string, text: string, { fields, ...more }: More = {}) =>
  new Representation(type, text, { ...more, fields: { ...open, ...fields } });

const writtenFor =
  (site: string) =>
  async (told: Page | string | Promise<Representation>, more: More = {}): Promise<Representation> =>
    told instanceof Promise
      ? told
      : typeof told === 'string'
        ? plain(markdown, told, more)
        : new Representation(pageType, await render(told, site), { ...more, fields: { ...protection(told), ...more.fields } });

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
