// Pages that show a record of the public API: the hill, nights, boards, identities, tournaments, rules, status.
import type Router from '@koa/router';
import type Koa from 'koa';
import { type Clock, call } from '../../db/call.ts';
import { refusal, typed } from '../../db/errors.ts';
import { retrySeconds } from '../../db/retry-after.ts';
import { protect } from '../../html/layout.ts';
import { noNight } from '../../html/sorry.ts';
import { inTime } from '../../http/in-time.ts';
import { prefersMarkdown } from '../../http/markdown.ts';
import { open } from '../../http/open.ts';
import {
  type Announcements,
  type Day,
  type Efficiency,
  type IdentityRecord,
  type Leaderboard,
  type Log,
  type Status,
  type Tournament,
  type Tournaments,
  unavailable,
  type Wall,
} from '../../records/index.ts';
import { announcedAtOnce, announcedPage } from '../announced.ts';
import {
  addressOf,
  type BoardShown,
  boardLength,
  efficiencyPage,
  leaderboardPage,
  noBoardOf,
  noPastWall,
  wallPage,
} from '../boards.ts';
import { boardTop, type Front, frontPage } from '../front.ts';
import { frontMarkdown } from '../front-markdown.ts';
import { identityPage } from '../identity.ts';
import { leadingOn } from '../leading-on.ts';
import { logPage } from '../log.ts';
import { type NightRecord, nightPage } from '../night.ts';
import { type Found, foundPage, type Nights, nightsPage } from '../nights.ts';
import { partOf } from '../paging.ts';
import { rulesPage } from '../rules.ts';
import { type RulesForPeople, rulesMarkdown } from '../rules-text.ts';
import { Moved, noBoard, nobody, noMonth, noTournament, pageType, type Serving, slugOf } from '../serving.ts';
import { statusPage } from '../status.ts';
import { tournamentPage } from '../tournament.ts';
import { tournamentsPage } from '../tournaments.ts';
import { entriesAtOnce, wholeNightPage } from '../whole-night.ts';

/** The first page, whatever its form. */
export const first = {
  follows: 'front',
  reads: 'api_public.front',
  args: { top: boardTop },
  more: { vary: 'Accept, Accept-Encoding', fields: { Link: leadingOn } },
} as const;

export function recordRoutes(router: Router, serving: Serving): void {
  const { site, links, reading, keep, show, giveFound } = serving;
  nightRoutes(router, serving);
  boardRoutes(router, serving);
  tournamentRoutes(router, serving);
  router.get('/', (ctx) =>
    prefersMarkdown(ctx.get('Accept'))
      ? show<Front>(ctx, {
          ...first,
          address: '/ as Markdown',
          ribbon: true,
          represent: (record, clock, ribbon) => frontMarkdown(record, clock, links, ribbon),
        })
      : show<Front>(ctx, { ...first, address: '/', ribbon: true, represent: frontPage }),
  );
  router.get('/status', async (ctx) => {
    const kept = await inTime(
      keep<Status>({ address: '/status', follows: 'hill', reads: 'api_public.status', represent: statusPage }),
    );
    if (kept) return reading.give(ctx, kept);
    const page = statusPage(unavailable);
    protect(ctx, page);
    ctx.set({ ...open, 'Cache-Control': 'no-store', 'Retry-After': String(retrySeconds) });
    ctx.status = 503;
    ctx.type = pageType;
    ctx.body = await serving.rendered(page);
  });
  router.get('/identity/:slug', async (ctx) => {
    const slug = slugOf(ctx);
    const asked =
      slug === undefined
        ? undefined
        : keep<IdentityRecord>({
            address: `/identity/${slug}`,
            follows: 'hill',
            reads: 'api_public.identity',
            args: { slug },
            represent: (record, clock) => {
              if (record.slug !== slug) throw new Moved(`/identity/${record.slug}`); // it was renamed
              return identityPage(record, site, clock);
            },
            pageOf: ({ accountId }) => accountId,
          });
    await giveFound(ctx, asked, nobody);
  });
  router.get('/log', (ctx) =>
    show<Log>(ctx, {
      address: '/log',
      follows: 'log',
      reads: 'api_public.log',
      represent: (record) => logPage(record, links),
    }),
  );
  router.get('/rules', (ctx) =>
    show<RulesForPeople>(ctx, {
      address: '/rules',
      follows: 'rules',
      reads: 'api_public.rules_page',
      represent: rulesPage,
    }),
  );
  router.get('/rules.md', (ctx) =>
    show<RulesForPeople>(ctx, {
      address: '/rules.md',
      follows: 'rules',
      reads: 'api_public.rules_page',
      represent: (record) => rulesMarkdown(record, links.docs.rules_data, links.engineSource),
    }),
  );
}

function nightRoutes(router: Router, { reading, keep, show, showOnce, giveFound, absent }: Serving): void {
  // the last night, at its own address
  router.get('/day', async (ctx) => {
    const { last_night } = await call<Clock>(await reading.source.pool(), 'api_public.clock');
    if (last_night === 0) return absent(ctx, noNight);
    ctx.set('Cache-Control', 'no-cache');
    ctx.redirect(`/day/${last_night}`);
  });
  router.get(/^\/day\/(\d{1,9})$/, (ctx) => {
    const n = Number(ctx.path.slice('/day/'.length));
    return show<NightRecord>(ctx, {
      address: `/day/${n}`,
      follows: 'nights',
      reads: 'api_public.night_page',
      args: { n },
      represent: nightPage,
    });
  });
  router.get(/^\/day\/(\d{1,9})\/all$/, (ctx) => {
    const n = Number.parseInt(ctx.path.slice('/day/'.length), 10);
    const cursor = cursorOf(ctx, 'Begin again with the first page of that night.');
    return show<Day>(ctx, {
      address: partOf(`/day/${n}/all`, { cursor }),
      follows: 'nights',
      reads: 'api_public.day',
      args: { n, max: entriesAtOnce, cursor },
      represent: (record, clock) => wholeNightPage(record, cursor === undefined, clock),
    });
  });
  router.get('/announced', (ctx) => {
    const cursor = cursorOf(ctx, 'Begin again with the latest.');
    return show<Announcements>(ctx, {
      address: partOf('/announced', { cursor }),
      follows: 'hill',
      reads: 'api_public.announcements',
      args: { max: announcedAtOnce, cursor },
      represent: (record, clock) => announcedPage(record, cursor === undefined, clock),
    });
  });
  const nights = (month?: string) => ({
    address: month === undefined ? '/nights' : `/nights/${month}`,
    follows: 'nights' as const,
    reads: 'api_public.nights' as const,
    args: { month },
    represent: (record: Nights, clock: Clock) => nightsPage(record, month === undefined, clock),
  });
  router.get('/nights', (ctx) => {
    const q = askedFor(ctx);
    if (q === '') return show<Nights>(ctx, nights());
    if (aMonth.test(q)) return ctx.redirect(`/nights/${q}`);
    return showOnce<Found>(ctx, {
      follows: 'hill',
      reads: 'api_public.search',
      args: { q },
      represent: (record, clock) => foundPage(record, q, clock),
    });
  });
  router.get('/nights/:month', (ctx) => {
    const { month = '' } = ctx.params;
    return giveFound(ctx, aMonth.test(month) ? keep<Nights>(nights(month)) : undefined, noMonth);
  });
}

function boardRoutes(router: Router, { show, sorry, absent }: Serving): void {
  /** As it was after a night that is over it has no picture of the last nights. */
  const board = (name: Parameters<typeof addressOf>[0], asked: Parameters<typeof addressOf>[1] = {}) => ({
    address: addressOf(name, asked),
    follows: 'boards' as const,
    reads: 'api_public.board_told' as const,
    args: { board: name, day: asked.day },
    ...(asked.day === undefined ? { ribbon: true as const } : {}),
  });
  const ofDay = async (ctx: Koa.Context, day: number | undefined, shown: () => Promise<void>): Promise<void> => {
    try {
      await shown();
    } catch (thrown) {
      const error = typed(thrown);
      if (day === undefined || error.code !== 'DAY_NOT_RESOLVED') throw thrown;
      const { days } = error.detail as { days: { last: number } | null };
      await sorry(ctx, error, noBoardOf(day, days));
    }
  };
  router.get('/boards', (ctx) => ctx.redirect('/boards/points'));
  router.get('/boards/points', (ctx) => {
    const asked = { cursor: cursorOf(ctx), day: dayOf(ctx) };
    return ofDay(ctx, asked.day, () =>
      show<BoardShown<Leaderboard>>(ctx, {
        ...board('points', asked),
        args: { board: 'points', max: boardLength, ...asked },
        represent: (record, clock, ribbon) => leaderboardPage(record, asked, clock, ribbon),
      }),
    );
  });
  router.get('/boards/efficiency', (ctx) => {
    const asked = { day: dayOf(ctx) };
    return ofDay(ctx, asked.day, () =>
      show<BoardShown<Efficiency>>(ctx, {
        ...board('efficiency', asked),
        represent: (record, clock, ribbon) => efficiencyPage(record, asked, clock, ribbon),
      }),
    );
  });
  router.get('/boards/wall', (ctx) =>
    dayOf(ctx) === undefined
      ? show<BoardShown<Wall>>(ctx, { ...board('wall'), represent: wallPage })
      : absent(ctx, noPastWall),
  );
  router.get('/boards/:name', (ctx) => absent(ctx, noBoard));
}

function tournamentRoutes(router: Router, { keep, show, giveFound }: Serving): void {
  router.get('/tournaments', (ctx) =>
    show<Tournaments>(ctx, {
      address: '/tournaments',
      follows: 'tournaments',
      reads: 'api_public.tournaments',
      represent: tournamentsPage,
    }),
  );
  router.get('/tournaments/:slug', async (ctx) => {
    const slug = slugOf(ctx);
    const cursor = cursorOf(ctx, 'Begin again at the top of its boards.');
    const asked =
      slug === undefined
        ? undefined
        : keep<Tournament>({
            address: partOf(`/tournaments/${slug}`, { cursor }),
            follows: 'tournaments',
            reads: 'api_public.tournament',
            args: { slug, max: boardLength, cursor },
            represent: (record, clock) => tournamentPage(record, cursor === undefined, clock),
          });
    await giveFound(ctx, asked, noTournament);
  });
}

const aMonth = /^\d{4}-\d\d$/;

/** What a reader looks for, in one line; nothing, if it is not there once. */
const askedFor = ({ query: { q } }: Koa.Context): string =>
  typeof q === 'string' ? q.replace(/[\s\p{C}]+/gu, ' ').trim() : '';

/** The number of a day in an address, if there is one. */
function dayOf({ query: { day } }: Koa.Context): number | undefined {
  if (day === undefined || day === '') return undefined;
  if (typeof day !== 'string' || !/^\d{1,9}$/.test(day))
    throw refusal('INVALID_ARGUMENT', 'day is not the number of a day.', 'Give the number of a day, as in ?day=30.');
  return Number(day);
}

/** The cursor in an address, if it has the form of one. */
function cursorOf({ query }: Koa.Context, otherwise = 'Begin again at the top of the board.'): string | undefined {
  if (typeof query.cursor !== 'string') return undefined;
  if (!/^[\w.~-]{1,200}$/.test(query.cursor)) throw refusal('INVALID_ARGUMENT', 'cursor is not a cursor.', otherwise);
  return query.cursor;
}
