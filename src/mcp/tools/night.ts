// What happened at a bell, and what it meant for the caller. Rules 4.4, 6, 10.2; protocol 9.4.
import { z } from 'zod';
import { plural } from '../../html/words.ts';
import {
  announcements,
  by,
  cents,
  count,
  cursor,
  day,
  house,
  instant,
  limit,
  mine,
  outcome,
  ownAnnouncement,
  played,
  points,
  slot,
  theirs,
  unlisted,
  via,
} from '../schemas.ts';
import { aboutWords, announced, announcedInAll, asCall, list, quoted, who } from '../texts.ts';
import { briefTool, readsOnly } from '../tool.ts';
import { hillView } from '../view/resource.ts';

const place = z.object({
  slot,
  closed: z.literal(true).optional(),
  outcome,
  peace_count: count,
  war_count: count.optional().describe('Of all places only where they burned.'),
  burned_cents: cents.optional(),
  occupants: z.array(
    unlisted(
      z.object({
        name: theirs.optional(),
        slug: z.string(),
        house,
        mine,
        via: via.optional(),
        days_held: count.optional(),
        points: points.optional(),
      }),
    ),
  ),
  evicted: z.array(z.string()).optional().describe('Slugs, earliest deposits first.'),
  evicted_total: count.optional(),
});

const own = z.object({
  moves: z.array(
    unlisted(
      z.object({
        slot,
        move: played,
        stake_cents: cents.optional(),
        message: z.string().optional(),
        cost_cents: cents,
        /** On its own place. */
        result: z.enum(['kept', 'seated', 'evicted', 'burned', 'queued']),
        /** You are among the evicted of that place. */
        evicted: z.literal(true).optional(),
        /**
         * Only for a PEACE that joined the queue; served_slot is the burned place that seated it, absent if none did.
         */
        queue: z.object({ served_slot: slot.optional() }).optional(),
      }),
    ),
  ),
  left_slots: z.array(slot).describe('Held, and left because you played nothing there.'),
  seats: z.array(unlisted(z.object({ slot, via, days_held: count, points }))),
  points,
  paid_cents: cents,
  granted_cents: cents,
  announcements: z.array(unlisted(ownAnnouncement)),
});

const record = z.object({
  day: z.int().min(1),
  bell_at: instant.optional(),
  accounts: count,
  moves_total: count,
  burned_cents: cents,
  places: z.array(place),
  queue_total: count,
  queue_served: z.array(unlisted(z.object({ by, from_slot: slot, served_slot: slot }))),
  queue: z
    .array(unlisted(z.object({ place: z.int().min(1), by, from_slot: slot, served_slot: slot.optional() })))
    .optional()
    .describe('A page of it, if asked for.'),
  moves: z
    .array(
      unlisted(
        z.object({ by, house, move: played, stake_cents: cents.optional(), message: theirs.optional(), at: instant }),
      ),
    )
    .optional()
    .describe('A page of those on the place asked for.'),
  next_cursor: z.string().nullable(),
  ...announcements,
  mine: own.nullable().describe('Null before the claim.'),
});

type Night = z.infer<typeof record>;

/** How many announcements are told of all places. */
const few = 3;

/** Of one place everything; of all places who sits where, whose word was not good, and what it meant for the caller. */
function briefly(night: Night): Night {
  if (night.moves) return night;
  const { bell_at: _, ...told } = night;
  const said = Object.groupBy(night.announcements, ({ verdict }) => (verdict === 'kept' ? 'kept' : 'broken'));
  return {
    ...told,
    places: night.places.map(({ war_count, evicted: __, occupants, ...place }) => ({
      ...place,
      ...(place.outcome === 'BURN' ? { war_count } : {}),
      occupants: occupants.map(({ slug, mine, via }) => ({
        slug,
        ...(mine ? { mine } : {}),
        ...(via === 'holder' ? {} : { via }),
      })),
    })),
    announcements: [...(said.broken ?? []), ...(said.kept ?? [])]
      .slice(0, few)
      .map(({ slot, by, intention, verdict }) => ({ slot, by, intention, verdict })),
  };
}

export const night = briefTool({
  name: 'night',
  title: 'What happened on a night',
  description:
    'What the bell of a day decided: the outcome of each place, who sits there and how they got there, evictions, the queue, verdicts; and what it meant for you: your moves, seats, points and charges. Call it after a bell, or to learn how others play. Without slot it covers all places; with slot it adds every move deposited there; with queue, the whole queue. Long lists come in pages. Then call explore_and_debrief for the reasons, or status for tonight.',
  scope: 'hill:read',
  annotations: readsOnly,
  open: true,
  input: z.object({
    day: day.optional().describe('A day whose bell has been resolved; by default the last.'),
    slot: slot.optional().describe('One place; by default all.'),
    queue: z.boolean().optional().describe('True: list the whole queue of cooperators, in its order.'),
    limit,
    cursor,
  }),
  output: record,
  view: hillView,
  run: ({ limit, ...args }, { call }) => call<Night>('api_agent.night', { ...args, max: limit }),
  brief: briefly,
  text(found) {
    const result = briefly(found);
    const {
      day,
      places,
      moves,
      queue,
      queue_served,
      queue_total,
      moves_total,
      burned_cents,
      mine,
      next_cursor,
      announcements,
    } = result;
    const lines = [
      `The night of day ${day}: ${plural(moves_total, 'move')}, ${burned_cents} cents burned.`,
      'place | outcome | PEACE moves | occupants (how they came, if new)',
      ...places.map(
        (p) =>
          `${p.slot} | ${p.closed ? 'closed' : p.outcome}${p.outcome === 'BURN' ? ` of ${p.war_count}` : ''} | ${p.peace_count} | ${list(p.occupants.map((o) => `${who(o.slug, o.mine)}${o.via === 'peace' || o.via === 'queue' ? ` (${o.via})` : ''}`))}${evictedText(p)}`,
      ),
    ];
    if (moves)
      lines.push(
        `Moves there: ${list(moves.map((m) => `${who(m.by)} ${m.move}${m.stake_cents ? ` ${m.stake_cents}` : ''}${m.message === undefined ? '' : ` ${quoted(m.message)}`}`))}.`,
      );
    lines.push(
      `The queue had ${queue_total} and seated: ${list(queue_served.map((q) => `${who(q.by)} from ${q.from_slot} on ${q.served_slot}`))}.`,
    );
    if (queue)
      lines.push(
        `In its order: ${list(queue.map((q) => `${q.place}. ${who(q.by)} from ${q.from_slot}${q.served_slot ? ` to ${q.served_slot}` : ''}`))}.`,
      );
    lines.push(`Announced: ${announcedInAll(announcements, result.house_announcements, result.announcements_total)}`);
    lines.push(...aboutWords([...(moves ?? []), ...announcements].map(({ message }) => message)));
    if (mine) lines.push(...ownText(mine));
    if (next_cursor)
      lines.push(
        `More: ${asCall('night', { day, ...(moves ? { slot: places[0]?.slot } : { queue: true }), cursor: next_cursor })}`,
      );
    if (mine && mine.moves.length > 0) lines.push(`Why: ${asCall('explore_and_debrief', { mode: 'debrief', day })}`);
    lines.push(`Tonight: ${asCall('status')}`);
    return lines.join('\n');
  },
});

/** Nothing where it would only repeat how many PEACE moves there were: a WAR evicts them all. */
const evictedText = ({ evicted = [], evicted_total = 0, peace_count }: Night['places'][number]): string => {
  if (evicted_total === 0 || (evicted.length === 0 && evicted_total === peace_count)) return '';
  const named = evicted.map((slug) => who(slug));
  return `; evicted: ${list([...named, ...(evicted_total > named.length ? [`${evicted_total - named.length}${named.length > 0 ? ' more' : ''}`] : [])])}`;
};

const ownText = ({
  moves,
  left_slots,
  points,
  paid_cents,
  granted_cents,
  seats,
  announcements,
}: z.infer<typeof own>): string[] => [
  `You: ${plural(points, 'point')}, ${paid_cents + granted_cents} cents (${granted_cents} of them granted); seats: ${list(seats.map((s) => `place ${s.slot} (${s.via}, held ${s.days_held})`))}.`,
  ...moves.map(
    (m) =>
      `Your ${m.move} on place ${m.slot}, ${m.cost_cents} cents: ${m.result}${m.queue ? `, in the queue ${m.queue.served_slot ? `seated on place ${m.queue.served_slot}` : 'not served'}` : ''}.`,
  ),
  ...(left_slots.length > 0
    ? [`You left ${list(left_slots.map((slot) => `place ${slot}`))}, where you played nothing.`]
    : []),
  ...(announcements.length > 0 ? [`You announced ${list(announcements.map(announced))}.`] : []),
];
