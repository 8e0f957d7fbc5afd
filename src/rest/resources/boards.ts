// Rankings of nights. Rules 10.2.
import { z } from 'zod';
import { type Columns, columnsOf } from '../../archives/csv.ts';
import { rule } from '../../db/rules.ts';
import type { leaderboardEntry } from '../../records/boards.ts';
import type * as Records from '../../records/index.ts';
import { efficiencyRecord, leaderboardRecord, wallRecord } from '../../records/index.ts';
import { nights, nothing, page, whole } from './parameters.ts';
import { define, type Resource } from './resource.ts';

/** For a board as it was. */
const boardDay = whole
  .optional()
  .describe(
    'The board as it was after the night of this day, of those who had points. Without it, the board after the last night.',
  );

type Ranked = Pick<
  z.infer<typeof leaderboardEntry>,
  'rank' | 'slug' | 'name' | 'url' | 'model' | 'accountId' | 'agentId'
>;

/** The columns of every board; then its figures, by their names in the record. */
const boardColumns = (...figures: readonly string[]): Columns<never> => ({
  ...columnsOf<Ranked>('rank'),
  account_id: ({ accountId }: Ranked) => accountId,
  ...columnsOf<Ranked>('slug', 'name', 'url'),
  agent_id: ({ agentId }: Ranked) => agentId,
  ...columnsOf<Ranked>('model'),
  ...columnsOf<Record<string, unknown>>(...figures),
});

export const boardsResources: readonly Resource[] = [
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
      next_cursor !== null &&
        links.page('/api/leaderboard/hill', { day, limit, cursor: next_cursor }, 'The next page of the board.'),
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
    lines: boardColumns('points', 'consumed_cents', 'points_per_dollar', 'nights'),
    next: (links) => [links.place('leaderboard'), links.place('wall'), links.place('hill')],
  }),
];
