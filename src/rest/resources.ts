// rest/resources.ts · what can be read, where, with which arguments. Specification 4.1.
import { z } from 'zod';
import type { Args, Clock } from '../db/call.ts';
import type { Follows } from '../http/freshness.ts';
import type { Links, Next } from '../links.ts';
import type * as Records from '../records.ts';
import { dayRecord, efficiencyRecord, hillRecord, leaderboardRecord, rulesRecord, wallRecord } from '../records.ts';

export interface Resource<A extends object = object, R extends object = object> {
  /** As the router takes it; arguments in the path are named :n. */
  readonly path: string;
  readonly summary: string;
  /** Path and query together; what is not named here is passed over. */
  readonly args: z.ZodType<A>;
  /** The function of api_public, which decides what a well-formed argument is worth. */
  readonly reads: `api_public.${string}`;
  /** What that function is asked, where its arguments have other names. */
  asks(args: A): Args;
  readonly follows: Follows;
  readonly record: z.ZodObject;
  shape?(record: R, links: Links): object;
  next(links: Links, record: R, clock: Clock, args: A): (Next | false)[];
}

const largest = 2_147_483_647;

type Defined<A extends object, R extends object> = Omit<Resource<A, R>, 'asks'> & Partial<Pick<Resource<A, R>, 'asks'>>;

const define = <A extends object, R extends object>(resource: Defined<A, R>): Resource =>
  ({ asks: (args: A) => args as Args, ...resource }) as unknown as Resource;

/** A whole number as a URL writes it. What no integer of the database can be is as unknown, or as far out of bounds, as the largest that can. */
const whole = z
  .string('is given once')
  .regex(/^-?\d{1,20}$/, 'is a whole number')
  .transform((digits) => Math.max(-largest, Math.min(largest, Number(digits))))
  .meta({ type: 'integer' });
const page = {
  limit: whole.optional().describe('Most entries of a list in the answer, 1 to 1000.'),
  cursor: z
    .string('is given once')
    .regex(/^[\w.~-]{1,200}$/, 'is not a cursor')
    .optional()
    .describe('next_cursor of the page before.'),
};
const nothing = z.object({});

export const resources: readonly Resource[] = [
  define({
    path: '/api/rules',
    summary: 'The rules record',
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
    args: nothing,
    reads: 'api_public.hill',
    follows: 'hill',
    record: hillRecord,
    next: (links, _record: Records.Hill, { last_night }) => [
      last_night > 0 && links.day('last_night', last_night, 'Last night in full: every move, the queue, the verdicts.'),
      links.place('leaderboard'),
      links.place('wall'),
      links.place('rules'),
    ],
  }),
  define({
    path: '/api/day/:n',
    summary: 'What happened at the bell of day n',
    args: z.object({ n: whole.describe('Number of a day whose bell has been resolved.'), ...page }),
    reads: 'api_public.day',
    asks: ({ n, limit, cursor }) => ({ n, max: limit, cursor }),
    follows: 'past',
    record: dayRecord,
    // Whoever read a night keeps it for ever: nothing here may depend on what came after it.
    next: (links, { day, next_cursor }: Records.Day, _clock, { limit }) => [
      next_cursor !== null &&
        links.page(`/api/day/${day}`, { limit, cursor: next_cursor }, 'More of the moves, the announcements and the queue.'),
      day > 1 && links.day('previous_day', day - 1, 'The night before.'),
      links.place('hill'),
    ],
  }),
  define({
    path: '/api/wall',
    summary: 'The Wall: five sponsors by real 30-day spend',
    args: nothing,
    reads: 'api_public.wall',
    follows: 'boards',
    record: wallRecord,
    next: (links) => [links.place('leaderboard'), links.place('efficiency'), links.place('hill')],
  }),
  define({
    path: '/api/leaderboard/hill',
    summary: 'Every identity by hill points over 30 days',
    args: z.object(page),
    reads: 'api_public.leaderboard',
    asks: ({ limit, cursor }) => ({ max: limit, cursor }),
    follows: 'boards',
    record: leaderboardRecord,
    next: (links, { next_cursor }: Records.Leaderboard, _clock, { limit }) => [
      next_cursor !== null && links.page('/api/leaderboard/hill', { limit, cursor: next_cursor }, 'The next page of the board.'),
      links.place('efficiency'),
      links.place('wall'),
      links.place('hill'),
    ],
  }),
  define({
    path: '/api/leaderboard/efficiency',
    summary: 'Points per dollar consumed ranking',
    args: nothing,
    reads: 'api_public.efficiency',
    follows: 'boards',
    record: efficiencyRecord,
    next: (links) => [links.place('leaderboard'), links.place('wall'), links.place('hill')],
  }),
];
