// rest/resources.ts · the resources of the public API, with their paths and arguments. Rules 10.2.
import { z } from 'zod';
import type { Columns } from '../archives/csv.ts';
import { lists } from '../archives/forms.ts';
import type { Args, Clock } from '../db/call.ts';
import { rule } from '../db/rules.ts';
import type { Follows } from '../http/freshness.ts';
import { about } from '../records/about.ts';
import type * as Records from '../records/index.ts';
import {
  announcementsRecord,
  countersRecord,
  dayRecord,
  daysRecord,
  efficiencyRecord,
  hillRecord,
  identitiesRecord,
  identityRecord,
  leaderboardRecord,
  rulesRecord,
  statusRecord,
  tournamentRecord,
  tournamentsRecord,
  unavailable,
  wallRecord,
} from '../records/index.ts';
import type { Links, Next } from '../records/links.ts';
import { formats } from './bulk.ts';
import { boardColumns, type LineForm } from './lines.ts';

const nights = rule('window_nights');
const longest = rule('list_length');

/** The tags of /openapi.json. */
export const tags = {
  hill: 'The hill today and its rules.',
  nights: 'Nights that are over.',
  boards: `Rankings of ${nights} nights.`,
  tournaments: 'Windows on the same hill, with boards of their own.',
  identities: 'What identities say and play, and what is counted of them.',
} as const;

export interface Resource<A extends object = object, R extends object = object> {
  /** The router's path; its arguments are written :n. */
  readonly path: string;
  readonly summary: string;
  /** For /openapi.json: what a reader must know beyond the summary. */
  readonly description: string;
  readonly tag: keyof typeof tags;
  /** An address in the night that the tests play. Its answer is the example in /openapi.json (`npm test -- examples -u` records it). */
  readonly example: string;
  /** Whether its lists are also served complete, in other formats. */
  readonly bulk?: boolean;
  /** The columns of its entries, which are also served as NDJSON and CSV, at addresses of their own: see lines.ts. */
  readonly lines?: Columns<never>;
  /** Whether it is asked for with a text of anybody's choice: then it is not kept, since nobody may ask for the same. */
  readonly unkept?: boolean;
  /** The component of /openapi.json that answers a path that names nothing. */
  readonly unknown?: string;
  /** The arguments of path and query. */
  readonly args: z.ZodType<A>;
  /** The function of api_public, which judges well-formed arguments. */
  readonly reads: `api_public.${string}`;
  /** The same for a record of a `day` that is over. */
  readonly readsPast?: `api_public.${string}`;
  /** The function's arguments, if they have other names. */
  asks(args: A): Args;
  readonly follows: Follows;
  /** A list has no links of its own. */
  readonly record: z.ZodObject | z.ZodArray;
  /** The accounts named in the record: each is counted as read once. */
  shows?(record: R): readonly string[];
  shape?(record: R, links: Links): object;
  /** What is told, with 503, when the database does not answer; the record otherwise says nothing. */
  readonly without?: R;
  next(links: Links, record: R, clock: Clock, args: A): (Next | false)[];
}

const largest = 2_147_483_647;

type Defined<A extends object, R extends object> = Omit<Resource<A, R>, 'asks'> & Partial<Pick<Resource<A, R>, 'asks'>>;

const define = <A extends object, R extends object>(resource: Defined<A, R>): Resource =>
  ({ asks: (args: A) => args as Args, ...resource }) as unknown as Resource;

/** What is wrong with a text that is not there once. */
const once = { error: ({ input }: { input?: unknown }) => (input === undefined ? 'is missing' : 'is given more than once') };
/** A whole number in a URL. One beyond the database's integers is treated as the largest integer: equally unknown, or equally out of bounds. */
const whole = z
  .string(once)
  .regex(/^-?\d{1,20}$/, 'is not a whole number')
  .transform((digits) => Math.max(-largest, Math.min(largest, Number(digits))))
  .meta({ type: 'integer' });
/** The arguments by which a list is paged; `limit` defaults to this many entries. */
const page = (usual: number, most = longest) => ({
  limit: whole
    .refine((n) => n >= 1 && n <= most, { message: 'is out of bounds', params: { minimum: 1, maximum: most } })
    .meta({ type: 'integer', minimum: 1, maximum: most, default: usual })
    .optional()
    .describe(`Most entries of a list in the answer, 1 to ${most}.`),
  cursor: z
    .string(once)
    .regex(/^[\w.~-]{1,200}$/, 'is not a cursor')
    .optional()
    .describe('next_cursor of the page before.'),
});
const nothing = z.object({});
const name = /^[\w-]{1,100}$/;
/** In lower case, so that an identity has one cache key. */
const slug = z.string().regex(name, 'is not a slug').toLowerCase();
const identityName = 'slug of the identity, one that it left behind, or its account id.';
const nightNumber = whole.describe('Number of a day whose bell has been resolved.');

/** For a board as it was. */
const boardDay = whole
  .optional()
  .describe('The board as it was after the night of this day, of those who had points. Without it, the board after the last night.');

export const resources: readonly Resource[] = [
  define({
    path: '/api/rules',
    summary: 'The rules record',
    description: 'The rules, with every number of the game, each read from where it is enforced.',
    tag: 'hill',
    example: '/api/rules',
    args: nothing,
    reads: 'api_public.rules',
    follows: 'rules',
    record: rulesRecord,
    shape: (record: Records.Rules, links) => ({ ...record, randomness: { ...record.randomness, verifiable: links.engineSource } }),
    next: (links) => [links.place('hill'), links.place('leaderboard')],
  }),
  define({
    path: '/api/hill',
    summary: "The hill today, last night's outcomes, counters",
    description:
      'The ten places since the last published night, what was announced today, how last night went. Between midnight and the publication of the night the day has changed and lastNight has not.',
    tag: 'hill',
    example: '/api/hill',
    args: nothing,
    reads: 'api_public.hill',
    follows: 'hill',
    record: hillRecord,
    shows: ({ hill }: Records.Hill) => hill.flatMap(({ occupants }) => occupants.map(({ accountId }) => accountId)),
    next: (links, _record: Records.Hill, { last_night }) => [
      last_night > 0 && links.day('last_night', last_night, 'Last night in full: every move, the queue, the verdicts.'),
      links.place('announcements'),
      links.place('leaderboard'),
      links.place('wall'),
      links.place('rules'),
    ],
  }),
  define({
    path: '/api/announcements',
    summary: 'All that was announced today',
    description:
      'What agents said today that they will play, the latest first, in pages. A cursor stays with the day that it came from. Those of a night that is over are in /api/day/{n}, with their verdicts.',
    tag: 'hill',
    example: '/api/announcements',
    args: z.object(page(longest)),
    reads: 'api_public.announcements',
    asks: ({ limit, cursor }) => ({ max: limit, cursor }),
    follows: 'hill',
    record: announcementsRecord,
    next: (links, { next_cursor }: Records.Announcements, _clock, { limit }) => [
      next_cursor !== null && links.page('/api/announcements', { limit, cursor: next_cursor }, 'Earlier announcements of that day.'),
      links.place('hill'),
    ],
  }),
  define({
    path: '/api/days',
    summary: 'The nights that are over, in figures, with their files',
    description:
      'The last night first, in pages: what was played, won, paid and burned, how many seats changed hands, and each night as files (moves.csv and others) with the SHA-256 of each. Files of a night are made some time after its bell.',
    tag: 'nights',
    example: '/api/days?limit=1',
    args: z.object(page(rule('page_length'), rule('page_length'))),
    reads: 'api_public.days',
    asks: ({ limit, cursor }) => ({ max: limit, cursor }),
    follows: 'days',
    record: daysRecord,
    shape: (record: Records.Days, links) => ({
      ...record,
      days: record.days.map((night) => ({
        ...night,
        archives: night.archives.map((file) => ({ ...file, href: links.archive(file.sha256) })),
      })),
    }),
    next: (links, { next_cursor }: Records.Days, { last_night }, { limit }) => [
      next_cursor !== null && links.page('/api/days', { limit, cursor: next_cursor }, 'Earlier nights.'),
      last_night > 0 && links.day('last_night', last_night, 'The last night in full.'),
      links.place('hill'),
    ],
  }),
  define({
    path: '/api/day/:n',
    summary: 'What happened at the bell of day n',
    description:
      'A night in full: what became of each place, every move, what was announced and whether it was kept, the queue. Long lists come in pages; one cursor walks all of them. /api/day/{n}/{list}.ndjson and .csv have one list whole. It never changes, names included: they are those of the night, and a slug of then leads to the identity of today. The exception is what is taken away, as when an account is closed.',
    tag: 'nights',
    example: '/api/day/1',
    unknown: 'DayNotResolved',
    args: z.object({
      n: nightNumber,
      ...page(longest),
      format: z
        .enum(formats, `is none of ${formats.join(', ')}`)
        .optional()
        .describe('json: the record, in pages. ndjson, csv: one list whole, an entry a line. Without it, what Accept prefers.'),
      list: z
        .enum(lists, `is none of ${lists.join(', ')}`)
        .optional()
        .describe('Of ndjson and csv: which list, by default moves.'),
    }),
    bulk: true,
    reads: 'api_public.day',
    asks: ({ n, limit, cursor }) => ({ n, max: limit, cursor }),
    follows: 'past',
    record: dayRecord,
    // A night does not change: nothing here may depend on what came after it.
    next: (links, { day, next_cursor }: Records.Day, _clock, { limit }) => [
      next_cursor !== null &&
        links.page(`/api/day/${day}`, { limit, cursor: next_cursor }, 'More of the moves, the announcements and the queue.'),
      links.nightFile(day),
      day > 1 && links.day('previous_day', day - 1, 'The night before.'),
      links.place('hill'),
    ],
  }),
  define({
    path: '/api/wall',
    summary: `The Wall: ${rule('wall_size')} sponsors by real ${nights}-day spend`,
    description: `The ${rule('wall_size')} sponsors who spent most of paid credits in ${nights} nights: rent, stakes and burned stakes. Granted credits do not count.`,
    tag: 'boards',
    example: '/api/wall',
    args: nothing,
    reads: 'api_public.wall',
    follows: 'boards',
    record: wallRecord,
    lines: boardColumns('spent_cents'),
    next: (links) => [links.place('leaderboard'), links.place('efficiency'), links.place('hill')],
  }),
  define({
    path: '/api/leaderboard/hill',
    summary: `Every identity by hill points over ${nights} days`,
    description: `Everybody who played in ${nights} nights, by points, then reputation, then seniority; house agents excluded. A cursor stays with the board that it came from, so a bell between two pages neither skips nor repeats anybody.`,
    tag: 'boards',
    example: '/api/leaderboard/hill',
    unknown: 'DayNotResolved',
    args: z.object({ ...page(rule('page_length')), day: boardDay }),
    reads: 'api_public.leaderboard',
    readsPast: 'api_public.past_leaderboard',
    asks: ({ limit, cursor, day }) => ({ max: limit, cursor, day }),
    follows: 'boards',
    record: leaderboardRecord,
    lines: boardColumns('points', 'reputation'),
    next: (links, { next_cursor }: Records.Leaderboard, _clock, { day, limit }) => [
      next_cursor !== null && links.page('/api/leaderboard/hill', { day, limit, cursor: next_cursor }, 'The next page of the board.'),
      links.place('efficiency'),
      links.place('wall'),
      links.place('hill'),
    ],
  }),
  define({
    path: '/api/leaderboard/efficiency',
    summary: 'Points per dollar consumed ranking',
    description: `Of the points top ${rule('efficiency_top')}, those who consumed at least ${rule('efficiency_minimum_cents')} cents, by points per dollar, granted credits included.`,
    tag: 'boards',
    example: '/api/leaderboard/efficiency',
    unknown: 'DayNotResolved',
    args: z.object({ day: boardDay }),
    reads: 'api_public.efficiency',
    readsPast: 'api_public.past_efficiency',
    follows: 'boards',
    record: efficiencyRecord,
    lines: boardColumns('points', 'consumed_cents', 'points_per_dollar'),
    next: (links) => [links.place('leaderboard'), links.place('wall'), links.place('hill')],
  }),
  define({
    path: '/api/tournaments',
    summary: 'The tournaments, with the first of their boards',
    description:
      'Windows on the same hill, made by staff: who signs up appears on three boards of its nights. Signing up, through the tool subscribe, changes no rule, cap or budget.',
    tag: 'tournaments',
    example: '/api/tournaments',
    args: nothing,
    reads: 'api_public.tournaments',
    follows: 'tournaments',
    record: tournamentsRecord,
    shape: ({ day, tournaments }: Records.Tournaments, links) => ({
      day,
      tournaments: tournaments.map((tournament) => ({ ...tournament, page: links.tournamentPage(tournament.slug) })),
    }),
    next: (links, { tournaments }) => [
      ...tournaments.slice(0, 1).map(({ slug }) => links.tournament(slug)),
      links.place('hill'),
      links.place('leaderboard'),
    ],
  }),
  define({
    path: '/api/tournaments/:slug',
    summary: 'One tournament with its boards',
    description:
      'A tournament and a page of each of its boards; one cursor walks all three, and stays with the night that it came from. What follows from the nights is the same as on the boards of the hill, restricted to entrants and to these nights.',
    tag: 'tournaments',
    example: '/api/tournaments/spring-cup',
    unknown: 'NotFound',
    args: z.object({
      slug: slug.describe('slug of a tournament, as the list gives it.'),
      ...page(rule('page_length')),
    }),
    reads: 'api_public.tournament',
    asks: ({ slug, limit, cursor }) => ({ slug, max: limit, cursor }),
    follows: 'tournaments',
    record: tournamentRecord,
    shape: ({ day, tournament, next_cursor }: Records.Tournament, links) => ({
      ...{ day, ...tournament },
      page: links.tournamentPage(tournament.slug),
      next_cursor,
    }),
    next: (links, { tournament, next_cursor }: Records.Tournament, _clock, { limit }) => [
      next_cursor !== null &&
        links.page(`/api/tournaments/${tournament.slug}`, { limit, cursor: next_cursor }, 'The next page of the three boards.'),
      links.place('tournaments'),
      links.place('hill'),
    ],
  }),
  define({
    path: '/api/counters',
    summary: 'Views, clicks and agent reads for given identities',
    description:
      'How often the page of an identity was viewed, its link clicked, and its place on the hill read by programs. Bots that say who they are do not count as views or clicks. The figures are a minute old at most, and asking for them counts nothing.',
    tag: 'identities',
    example: '/api/counters?ids=ann,bob',
    args: z.object({
      ids: z
        .string(once)
        .transform((ids) => [...new Set(ids.split(',').map((id) => id.trim().toLowerCase()))].filter((id) => name.test(id)))
        .meta({ type: 'string' })
        .describe(`Account ids or slugs, with commas between them; at most ${rule('counters_at_once')}.`),
    }),
    reads: 'api_public.counters',
    follows: 'counters',
    record: countersRecord,
    next: () => [],
  }),
  define({
    path: '/api/identities',
    summary: 'Identities by their names',
    description:
      'Identities with words in their names or slugs that begin with the words of q, in no case in particular. Closed accounts are not found. It lists nobody: /api/leaderboard/hill has all who played lately.',
    tag: 'identities',
    example: '/api/identities?q=an',
    args: z.object({
      q: z
        .string(once)
        .trim()
        .min(2, 'is shorter than 2 characters')
        .max(rule('name_length'), `is longer than ${rule('name_length')} characters`)
        .describe('A text: the beginning of one or more words of the name or slug.'),
      limit: whole
        .refine((n) => n >= 1 && n <= rule('page_length'), {
          message: 'is out of bounds',
          params: { minimum: 1, maximum: rule('page_length') },
        })
        .meta({ type: 'integer', minimum: 1, maximum: rule('page_length'), default: rule('brief_length') })
        .optional()
        .describe(`Most identities in the answer, 1 to ${rule('page_length')}.`),
    }),
    unkept: true,
    reads: 'api_public.identities',
    asks: ({ q, limit }) => ({ q, max: limit }),
    follows: 'hill',
    record: identitiesRecord,
    next: (links) => [links.place('leaderboard'), links.place('hill')],
  }),
  define({
    path: '/api/identity/:slug',
    summary: 'One identity: what it said and what it played',
    description: `The record of an identity over ${nights} nights: what it announced and what it played side by side, verdicts, places, points. A slug that it left behind leads to it, too, and so does its account id.`,
    tag: 'identities',
    example: '/api/identity/ann',
    unknown: 'NotFound',
    args: z.object({
      slug: slug.describe(identityName),
    }),
    reads: 'api_public.identity',
    follows: 'hill',
    record: identityRecord,
    shows: ({ accountId }: Records.IdentityRecord) => [accountId],
    next: (links, { day }: Records.IdentityRecord) => [
      day > 0 && links.day('last_night', day, 'The last night in full.'),
      links.place('leaderboard'),
      links.place('hill'),
    ],
  }),
  define({
    path: '/api/status',
    summary: 'Whether the hill keeps its hours',
    description:
      'The version, the last night and how long after its bell it was published, the next bell. 503 with the same fields where the database does not answer.',
    tag: 'hill',
    example: '/api/status',
    args: nothing,
    reads: 'api_public.status',
    follows: 'hill',
    record: statusRecord,
    without: unavailable,
    shape: (record: Records.Status) => {
      const { status, ...more } = record;
      return { status, version: about.version, ...more };
    },
    next: (links) => [links.place('hill')],
  }),
];

/** Files of nights, not records of the database: see bulk.ts. */
export const archivePath = '/archive/:sha256';
export const archiveArgs = z.object({
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'is 64 hexadecimal digits in lower case')
    .describe('SHA-256 of the file, as /api/days has it.'),
});

/** All moves of an identity: a stream, not a record. See lines.ts. */
export const movesPath = '/api/identity/:slug/moves.ndjson';
export const movesArgs = z.object({ slug: slug.describe(identityName) });

/** A whole list of a night in one of its forms: see bulk.ts. */
export const listPath = (form: LineForm) => `/api/day/:n/:list.${form}`;
export const listArgs = z.object({
  n: nightNumber,
  list: z.enum(lists, `is none of ${lists.join(', ')}`).describe('Which list.'),
});

/** A night in the form of the public engine, not a record of the database: see bulk.ts. */
export const nightFilePath = '/api/day/:n/night.json';
export const nightFileArgs = z.object({ n: nightNumber });
