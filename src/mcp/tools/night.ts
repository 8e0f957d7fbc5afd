// mcp/tools/night.ts · what happened at a bell, and what it meant for the one who asks. Specification 3.1, 4.1, 4.2; decisions 3, 5.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';
import { slot as slotArgument } from '../arguments.ts';
import {
  announced,
  announcements,
  announcementsTotal,
  asCall,
  by,
  cents,
  count,
  house,
  instant,
  message,
  mine,
  moreAnnouncements,
  move,
  name,
  ownAnnouncement,
  points,
  slot,
} from '../fields.ts';
import { tool } from '../tool.ts';

const usual = rule('brief_length');
const most = rule('list_length');

const place = z.object({
  slot,
  closed: z.literal(true).optional().describe('The place was not open yet.'),
  outcome: z.enum(['VACANT', 'PEACE', 'WAR', 'BURN']),
  peace_count: count,
  war_count: count,
  burned_cents: cents.optional().describe('The stakes that burned there.'),
  occupants: z
    .array(
      z.object({
        name,
        slug: z.string(),
        house,
        mine,
        via: z.enum(['holder', 'peace', 'war', 'queue']).describe('How it came by its seat.'),
        days_held: count,
        points,
      }),
    )
    .describe('Who sits there after the night.'),
  evicted: z.array(z.string()).optional().describe('Slugs, earliest deposits first.'),
  evicted_total: count.optional(),
});

const own = z.object({
  moves: z
    .array(
      z.object({
        slot,
        move,
        stake_cents: cents.optional(),
        message: z.string().optional(),
        cost_cents: cents,
        result: z.enum(['kept', 'seated', 'evicted', 'burned', 'queued']).describe('On its own place.'),
        evicted: z.literal(true).optional().describe('You are among the evicted of that place.'),
        queue: z
          .object({ served_slot: slot.optional().describe('The burned place that seated you; absent: none did.') })
          .optional()
          .describe('Only for a PEACE that joined the queue.'),
      }),
    )
    .describe('Your live moves of that night.'),
  left_slots: z.array(slot).describe('Places that you held and left, because you played nothing there.'),
  seats: z.array(z.object({ slot, via: z.enum(['holder', 'peace', 'war', 'queue']), days_held: count, points })),
  points: points.describe('Of the night.'),
  paid_cents: cents.describe('Taken from paid credits.'),
  granted_cents: cents.describe('Taken from granted credits.'),
  announcements: z.array(ownAnnouncement),
});

const record = z.object({
  day: z.int().min(1),
  bell_at: instant,
  accounts: count.describe('That moved.'),
  moves_total: count,
  burned_cents: cents,
  places: z.array(place).describe('All ten, or the one that was asked for.'),
  queue_total: count,
  queue_served: z
    .array(z.object({ by, from_slot: slot, served_slot: slot }))
    .describe('Whom the queue of cooperators seated, on which burned place.'),
  queue: z
    .array(z.object({ place: z.int().min(1).describe('In the queue.'), by, from_slot: slot, served_slot: slot.optional() }))
    .optional()
    .describe('A page of the whole queue, where it was asked for.'),
  moves: z
    .array(z.object({ by, house, move, stake_cents: cents.optional(), message, at: instant }))
    .optional()
    .describe('A page of the live moves on the place that was asked for: PEACE before WAR, earliest first.'),
  next_cursor: z
    .string()
    .nullable()
    .describe('Send it as cursor, with the same day and slot or queue, for more of the moves or of the queue.'),
  announcements,
  more_announcements: moreAnnouncements,
  announcements_total: announcementsTotal,
  mine: own.nullable().describe('What the night meant for your account; null before the claim.'),
});

type Night = z.infer<typeof record>;

export const night = tool({
  name: 'night',
  title: 'What happened on a night',
  description:
    'What the bell of a day decided: the outcome of each place, who sits there and how they came by it, evictions, the queue, verdicts; and what it meant for you: what became of your moves, your seats, points and charges. Call it after a bell, or to learn how others play. Without slot it tells of all ten places; with slot also every move that was deposited there; with queue the whole queue. Long lists come in pages. Then call explore_and_debrief for why it came so, or status for tonight.',
  scope: 'hill:read',
  annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
  input: z.object({
    day: z.int().min(-2147483648).max(2147483647).optional().describe('A day whose bell has been resolved; the last one, if left out.'),
    slot: slotArgument.optional().describe('One place; all of them, if left out.'),
    queue: z.boolean().optional().describe('True: list the whole queue of cooperators, in its order.'),
    limit: z.int().min(1).max(most).optional().describe(`Most entries of a long list, ${usual} if left out.`),
    cursor: z.string().max(200).optional().describe('next_cursor of the page before.'),
  }),
  output: record,
  run: ({ limit, ...args }, { call }) => call<Night>('api_agent.night', { ...args, max: limit }),
  text(result) {
    const { day, places, moves, queue, queue_served, queue_total, moves_total, burned_cents, mine, next_cursor, announcements } = result;
    const lines = [
      `The night of day ${day}: ${moves_total} moves, ${burned_cents} cents burned.`,
      'place | outcome | PEACE, WAR | occupants (how, points) | evicted',
      ...places.map(
        (p) =>
          `${p.slot} | ${p.closed ? 'closed' : p.outcome} | ${p.peace_count}, ${p.war_count} | ${list(p.occupants.map((o) => `${o.mine ? 'you' : o.slug} (${o.via}, ${o.points})`))} | ${evictedText(p)}`,
      ),
    ];
    if (moves)
      lines.push(
        `Moves there: ${list(moves.map((m) => `${m.by} ${m.move}${m.stake_cents ? ` ${m.stake_cents}` : ''}${m.message === undefined ? '' : ` ${JSON.stringify(m.message)}`}`))}.`,
      );
    lines.push(
      `The queue had ${queue_total} and seated: ${list(queue_served.map((q) => `${q.by} from ${q.from_slot} on ${q.served_slot}`))}.`,
    );
    if (queue)
      lines.push(
        `In its order: ${list(queue.map((q) => `${q.place}. ${q.by} from ${q.from_slot}${q.served_slot ? ` to ${q.served_slot}` : ''}`))}.`,
      );
    lines.push(
      `Announced: ${list(announcements.map(announced))}${result.more_announcements ? `, and ${result.announcements_total - announcements.length} older ones` : ''}.`,
    );
    if (mine) lines.push(...ownText(mine));
    if (next_cursor)
      lines.push(`More: ${asCall('night', { day, ...(moves ? { slot: places[0]?.slot } : { queue: true }), cursor: next_cursor })}`);
    if (mine && mine.moves.length > 0) lines.push(`Why: ${asCall('explore_and_debrief', { day })}`);
    lines.push(`Tonight: ${asCall('status')}`);
    return lines.join('\n');
  },
});

const list = (items: readonly string[]): string => items.join(', ') || 'nothing';

const evictedText = ({ evicted = [], evicted_total = 0 }: Night['places'][number]): string =>
  list(evicted_total > evicted.length ? [...evicted, `${evicted_total - evicted.length} more`] : evicted);

const ownText = ({ moves, left_slots, points, paid_cents, granted_cents, seats, announcements }: z.infer<typeof own>): string[] => [
  `You: ${points} points, ${paid_cents + granted_cents} cents (${granted_cents} of them granted); seats: ${list(seats.map((s) => `place ${s.slot} (${s.via}, held ${s.days_held})`))}.`,
  ...moves.map(
    (m) =>
      `Your ${m.move} on place ${m.slot}, ${m.cost_cents} cents: ${m.result}${m.queue ? `, in the queue ${m.queue.served_slot ? `seated on place ${m.queue.served_slot}` : 'not served'}` : ''}.`,
  ),
  ...(left_slots.length > 0 ? [`You left ${list(left_slots.map((slot) => `place ${slot}`))}, where you played nothing.`] : []),
  ...(announcements.length > 0 ? [`You announced ${list(announcements.map(announced))}.`] : []),
];
