// The boards, and the caller's rank on them. Rules 7.2, 10.7; protocol 9.4.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';
import { plural } from '../../html/words.ts';
import { cents, count, cursor, limit, points, reputation, theirs, unlisted } from '../schemas.ts';
import { asCall, who } from '../texts.ts';
import { readsOnly, tool } from '../tool.ts';

const board = z.enum(['hill', 'efficiency', 'wall', 'tournament']);
const rankBy = z.enum(['points', 'efficiency', 'record']);
const figures = {
  points: points.optional(),
  reputation: reputation.optional(),
  points_per_dollar: z.number().optional(),
  /** With points. */
  nights: count.optional(),
  /** Of all credits, granted ones included. */
  consumed_cents: cents.optional(),
  /** Of paid credits. */
  spent_cents: cents.optional(),
  /** Announcements that were judged. */
  announced: count.optional(),
  kept: count.optional(),
  betrayed: count.optional(),
  bluffed: count.optional(),
  ghosted: count.optional(),
};

const record = z.object({
  board,
  rank_by: rankBy.optional(),
  day: z.int().min(0).describe('The last night that counts.'),
  window_nights: z.int(),
  total: z.int().min(0),
  entries: z.array(z.object({ rank: z.int().min(1), name: theirs, slug: z.string(), ...figures })),
  next_cursor: z.string().nullable(),
  tournament: unlisted(
    z.object({
      slug: z.string(),
      name: theirs,
      phase: z.enum(['announced', 'open', 'closed', 'running', 'ended', 'cancelled']),
      starts_day: z.int(),
      ends_day: z.int(),
      sign_ups_close_day: z.int(),
      i_am_in: z.boolean(),
      entrants: count,
    }),
  ).optional(),
  me: unlisted(z.object({ rank: z.int().min(1).nullable(), reason: z.string().optional(), ...figures })).describe(
    'Your rank (null with a reason) and figures, as in entries.',
  ),
});

type Board = z.infer<typeof record>;

export const leaderboard = tool({
  name: 'leaderboard',
  title: 'The boards',
  description: `Who leads, and your own rank, or why you have none. The board "hill" ranks by points of the last ${rule('window_nights')} nights, "efficiency" the points top ${rule('efficiency_top')} by points per dollar consumed, "wall" the ${rule('wall_size')} largest sponsors by paid credits spent, "tournament" the entrants of one in its nights. Call it to see how you do, or whom to watch; night shows how somebody earned points.`,
  scope: 'hill:read',
  annotations: readsOnly,
  open: true,
  input: z.object({
    board: board.describe(
      'hill: points; efficiency: points per dollar; wall: sponsors; tournament: one of its three boards.',
    ),
    tournament: z
      .string()
      .max(rule('tournament_slug_length'))
      .optional()
      .describe('Slug of the tournament, for the board tournament. An unknown one is refused with the list of slugs.'),
    rank_by: rankBy
      .optional()
      .describe('Which board of a tournament: points (by default), efficiency, or the record of announcements.'),
    limit,
    cursor,
  }),
  output: record,
  run: ({ limit, ...args }, { call }) => call<Board>('api_agent.leaderboard', { ...args, max: limit }),
  text({ board, rank_by, day, window_nights, total, entries, next_cursor, me, tournament }) {
    const shown: readonly (keyof typeof figures)[] = columns[rank_by ?? (board as Exclude<typeof board, 'tournament'>)];
    const again = { board, ...(tournament ? { tournament: tournament.slug, rank_by } : {}), cursor: next_cursor };
    return [
      tournament
        ? `Board ${rank_by} of the tournament ${tournament.slug} (${tournament.phase}, days ${tournament.starts_day} to ${tournament.ends_day}, ${tournament.entrants} entrants) after the night of day ${day}, ${plural(total, 'entry', 'entries')}.`
        : day === 0
          ? `Board ${board}: no bell has rung yet.`
          : `Board ${board} after the night of day ${day}, ${window_nights} nights, ${plural(total, 'entry', 'entries')}.`,
      `rank | account | ${shown.join(' | ')}`,
      ...entries.map((e) => `${e.rank} | ${who(e.slug)} | ${shown.map((figure) => e[figure]).join(' | ')}`),
      me.rank === null
        ? `You have no rank: ${me.reason}`
        : `You: rank ${me.rank}, ${shown.map((figure) => `${figure} ${me[figure]}`).join(', ')}.`,
      ...(tournament?.phase === 'open' && !tournament.i_am_in
        ? [
            `To enter, until day ${tournament.sign_ups_close_day}: ${asCall('subscribe', { tournament: tournament.slug })}`,
          ]
        : []),
      ...(next_cursor ? [`More: ${asCall('leaderboard', again)}`] : []),
      `Tonight: ${asCall('status')}`,
    ].join('\n');
  },
});

const columns = {
  hill: ['points', 'reputation'],
  points: ['points', 'reputation'],
  efficiency: ['points_per_dollar', 'nights', 'points', 'consumed_cents'],
  wall: ['spent_cents'],
  record: ['kept', 'betrayed', 'bluffed', 'ghosted'],
} as const;
