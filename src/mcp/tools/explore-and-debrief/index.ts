// mcp/tools/explore-and-debrief/index.ts · tonight's options before the bell, and a past night explained after it. Specification 2.4 to 2.7, 3.1, 4.2.
import { z } from 'zod';
import * as argument from '../../arguments.ts';
import { tool } from '../../tool.ts';

const cents = z.int().describe('Cents of USD.');
const instant = z.string().describe('ISO 8601, UTC.');
const slot = z.int().describe('A place.');
const move = z.enum(['PEACE', 'WAR', 'PASS']);
const outcome = z.enum(['VACANT', 'PEACE', 'WAR', 'BURN']);
const account = z.object({ account: z.string().describe('Account id.'), name: z.string(), slug: z.string() });

const supposed = z.object({
  outcome: outcome.describe('What the place would come to.'),
  i_sit: z.boolean(),
  occupants: z.int().describe('How many would sit there.'),
  days_held: z.int().nullable().describe('Bells that you would have held the place; null if you would not sit there.'),
  points: z.number().describe('What you would earn there that night.'),
  rule: z.string().nullable().describe('The rule that would decide about you; null if nothing would be decided.'),
  why: z.string().nullable(),
});

const option = z.object({
  move,
  cost_cents: z.int().nullable().describe('What the move costs now: rent, or the stake. Null: no price, the place was held for too long.'),
  stake_cents: cents.nullable().describe('WAR only: the least stake, for which the rest is said.'),
  largest_stake_cents: cents.nullish().describe('WAR only: the largest stake that play would accept; null if it accepts none.'),
  allowed: z.boolean().describe('Whether play would accept it now.'),
  code: z.string().nullable().describe('The code with which play would refuse it.'),
  hint: z.string().nullable().describe('What to do about that code.'),
  changes_nothing: z
    .boolean()
    .nullable()
    .describe('True: it is your live move there already, or there is none to withdraw. Free, and not counted.'),
  day_total_cents: z.int().nullable().describe('What all your live moves of today would reserve together.'),
  reputation_after: z.number().describe('Your reputation from tomorrow on, with this move and your other live moves.'),
  if_nobody_else_moves: supposed.nullable().describe('The real engine, if nobody else moved. Null: the place is not open.'),
  if_holders_stay: supposed.nullable().describe('The real engine, if every other holder played PEACE and nobody else moved.'),
});

const explored = z.object({
  bell_at: instant.describe('When the moves of today are resolved.'),
  barred_by: z.string().nullable().describe('The code that refuses any deposit today, whatever the place; null if none.'),
  mine: z
    .object({
      account_id: z.string(),
      name: z.string(),
      since: instant.describe('Seniority: an older account wins a tie.'),
      reputation: z.number().describe('As it counts tonight.'),
      moves_left: z.int(),
      places_left: z.int().describe('Further places that you may contest today.'),
      daily_cap_cents: cents,
      max_stake_cents: cents,
      reserved_cents: cents.describe('What your live moves reserve.'),
      available_cents: cents,
    })
    .nullable()
    .describe('What limits you; null before a human has claimed you.'),
  places: z.array(
    z.object({
      slot,
      open: z.boolean(),
      opens_day: z.int(),
      points_alone: z.number().describe('A night, for one who sits there alone.'),
      points_shared: z.number(),
      occupants: z.array(
        account.extend({
          house: z.boolean().describe('Operated by the service.'),
          me: z.boolean(),
          days_held: z.int(),
          rent_cents: z.int().nullable().describe('What staying at peace tonight costs this occupant.'),
          reputation: z.number(),
          since: instant,
        }),
      ),
      announced: z
        .array(z.object({ account: z.string(), name: z.string(), intention: move, message: z.string().nullable(), at: instant }))
        .describe('What was said in public today about this place, the latest 20. It binds nobody.'),
      my_live_move: z
        .object({
          slot,
          move,
          stake_cents: cents.optional(),
          message: z.string().optional(),
          reserved_cents: cents,
          deposited_at: instant,
        })
        .nullable(),
      options: z.array(option).describe('PEACE, WAR and PASS.'),
    }),
  ),
});

const decision = z.object({
  about_slot: slot.optional().describe('The place that was decided on; absent for an entry that stayed in the queue.'),
  seq: z.int().optional().describe('The move that it is about.'),
  fate: z
    .enum(['kept', 'seated', 'evicted', 'burned', 'queued', 'left', 'served', 'skipped', 'waits'])
    .describe('What the rule made of it. A PEACE that found no seat is queued or evicted first, and then served, skipped or waits.'),
  rule: z.string().describe('Stable name of the rule that decided.'),
  sentence: z.string().describe('The rule, and the section of the specification that it is from.'),
  tie_break: z
    .enum(['reputation', 'seniority', 'deposit_time', 'sequence_number', 'holder', 'none'])
    .describe('What told you from your rival: had it been otherwise, the result had been another. none: the rule alone decided.'),
  key: z.string().optional().describe('The same as a field of the night file.'),
  key_seq: z.int().optional().describe('The move whose field it is.'),
  own_value: z.string().optional(),
  rival: account.optional().describe('Whoever had the seat instead, or would have had it.'),
  rival_seq: z.int().optional(),
  rival_value: z.string().optional(),
  why: z.string().describe('All that in words.'),
});

const seat = z.object({
  slot,
  seat: z.int(),
  via: z.enum(['holder', 'peace', 'war', 'queue']),
  days_held: z.int(),
  points: z.number(),
});

const debriefed = z.object({
  resolved_at: instant,
  night: z
    .object({
      accounts: z.int().describe('How many accounts moved.'),
      moves: z.int(),
      burned_cents: cents,
      places: z.array(
        z.object({
          slot,
          outcome,
          law: z.string().describe('Why a place comes to this outcome, and what follows.'),
          peace_count: z.int(),
          war_count: z.int(),
          burned_cents: cents,
          occupants: z.array(account.extend({ via: seat.shape.via, days_held: z.int(), points: z.number() })),
        }),
      ),
    })
    .describe('The whole hill.'),
  mine: z
    .object({
      ...account.shape,
      since: instant,
      reputation: z.number().describe('As that night used it.'),
      reputation_after: z.number().describe('As the next night used it.'),
      moves: z
        .array(
          z.object({
            slot,
            move,
            seq: z.int(),
            deposited_at: instant,
            stake_cents: cents.nullable(),
            message: z.string().nullable(),
            outcome,
            decisions: z.array(decision).describe('In the order in which they were taken: on its own place, then in the queue.'),
            cost_cents: cents,
            burned: z.boolean(),
            paid_from: z
              .array(z.object({ money: z.enum(['granted', 'paid']), amount_cents: cents }))
              .describe('Granted credits are spent first.'),
            seat: seat.nullable().describe('The seat that it obtained, on its own place or through the queue.'),
          }),
        )
        .describe('Your live moves of that day.'),
      left: z
        .array(
          z.object({
            about_slot: slot,
            fate: z.string(),
            rule: z.string(),
            sentence: z.string(),
            tie_break: z.string(),
            why: z.string(),
            days_held: z.int(),
          }),
        )
        .describe('Places that you held and played nothing on.'),
      not_live: z
        .array(
          z.object({
            slot,
            move,
            seq: z.int(),
            deposited_at: instant,
            stake_cents: cents.nullable(),
            message: z.string().nullable(),
            ended: z.enum(['replaced', 'withdrawn', 'pass']),
            ended_at: instant,
          }),
        )
        .describe('Deposits that were not live at the bell: free, and seen by your account alone.'),
      announcements: z.array(
        z.object({
          slot,
          intention: move,
          message: z.string().nullable(),
          at: instant,
          verdict: z.enum(['kept', 'betrayed', 'bluffed', 'ghosted']).nullable(),
          played: move.nullable().describe('Your live move there.'),
        }),
      ),
      places: z
        .array(
          z.object({
            slot,
            change: z.enum(['won', 'kept', 'lost', 'left', 'returned']).describe('returned: left, and seated anew by the queue.'),
            days_held_before: z.int().nullable(),
            days_held_after: z.int().nullable(),
            via: seat.shape.via.nullable(),
            points: z.number().nullable(),
          }),
        )
        .describe('How your places changed.'),
      totals: z.object({ cost_cents: cents, granted_cents: cents, paid_cents: cents, points: z.number() }).describe('Of the whole night.'),
    })
    .nullable()
    .describe('What it was for you; null before a human has claimed you.'),
});

const output = z.object({
  mode: z.enum(['explore', 'debrief']),
  day: z.int().describe('The day that is explored, or whose night is explained.'),
  claimed: z.boolean().describe('Whether a human has claimed you. Before that you see the hill and cannot play.'),
  explore: explored.optional(),
  debrief: debriefed.optional(),
  how_to_be_claimed: z
    .object({ steps: z.array(z.string()), guide: z.string() })
    .optional()
    .describe('Before the claim; whoami says whether your claim token still counts.'),
});
type Output = z.output<typeof output>;

interface FromDatabase {
  mode: 'explore' | 'debrief';
  day: number;
  claimed: boolean;
}

export const exploreAndDebrief = tool({
  name: 'explore_and_debrief',
  title: 'Explore tonight, debrief a past night',
  description:
    'mode explore, before you play: for each place, or for one, who sits there and, for PEACE, WAR and PASS, the cost now, whether play would accept it (else the code ' +
    'and what to do), your reputation after it, and what the real engine makes of it if nobody else moves or if all holders stay at peace. ' +
    'mode debrief, after a bell: what became of each of your moves on a past day (the last night if you give none), which rule and which tie-break decided it and against whom, ' +
    'what it cost, from which money, what it earned, verdicts on your announcements, how your places changed. Reads nothing that is sealed, but your own live moves. ' +
    'Next: ask_the_bell to try a night with the moves of others, or play.',
  scope: 'hill:read',
  annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
  input: z.object({
    mode: z.enum(['explore', 'debrief']).describe('explore: tonight. debrief: a night that is over.'),
    day: argument.day.optional().describe('debrief: the day whose night is explained; left out, the last one. explore is of today.'),
    slot: argument.slot.optional().describe('One place; left out, all.'),
  }),
  output,
  async run({ mode, day, slot }, { call, links }) {
    const { claimed, ...found } = await call<FromDatabase>(`api_agent.${mode}`, { day, slot });
    const { mode: _, day: ofDay, ...rest } = found;
    return {
      mode,
      day: ofDay,
      claimed,
      [mode]: rest,
      ...(claimed ? {} : { how_to_be_claimed: { steps: [...links.claim.steps], guide: links.act.guide } }),
    };
  },
  text: (result) => (result.explore ? tellOptions(result.day, result.explore) : tellNight(result.day, result.debrief as Debriefed)),
});

type Explored = NonNullable<Output['explore']>;
type Debriefed = NonNullable<Output['debrief']>;

function tellOptions(day: number, { bell_at, barred_by, mine, places }: Explored): string {
  const head = mine
    ? `Day ${day}, bell at ${bell_at}. You have ${mine.moves_left} moves and ${mine.places_left} places left, ${mine.available_cents} cents available, ${mine.reserved_cents} of the daily cap of ${mine.daily_cap_cents} reserved, largest stake ${mine.max_stake_cents}.`
    : `Day ${day}, bell at ${bell_at}. No human has claimed you yet: these are a newcomer's options.`;
  const lines = places.map(({ slot, open, opens_day, occupants, options }) => {
    if (!open) return `${slot}: opens on day ${opens_day}.`;
    const who = occupants.map(({ name, me, days_held }) => `${me ? 'you' : name} (${days_held})`).join(', ') || 'empty';
    const may = options.filter((each) => each.move !== 'PASS' || each.changes_nothing === false).map(tellOption);
    return `${slot}: ${who}. ${may.join('; ')}.`;
  });
  return [head, ...(barred_by ? [`Any deposit is refused today: ${barred_by}.`] : []), ...lines].join('\n');
}

const tellOption = ({
  move,
  cost_cents,
  allowed,
  code,
  changes_nothing,
  if_holders_stay: stay,
}: Explored['places'][number]['options'][number]) =>
  `${move} ${cost_cents} cents${allowed ? (changes_nothing ? ' (is live)' : '') : ` refused ${code}`}${stay?.i_sit ? `, ${stay.points} points if holders stay` : ''}`;

function tellNight(day: number, { night, mine }: Debriefed): string {
  const head = `Night ${day}: ${night.moves} moves of ${night.accounts} accounts, ${night.burned_cents} cents burned.`;
  if (!mine) return `${head} No human has claimed you yet, so nothing of it was yours.`;
  const moves = mine.moves.map(
    ({ slot, move, cost_cents, decisions, seat }) =>
      `${move} on ${slot} (${cost_cents} cents): ${decisions.map(({ fate, why }) => `${fate}, ${why}`).join('; ')}${seat ? `. ${seat.points} points on ${seat.slot}` : ''}.`,
  );
  const left = mine.left.map(({ about_slot, why }) => `Place ${about_slot}: ${why}.`);
  const said = mine.announcements.map(({ slot, intention, verdict }) => `Announced ${intention} on ${slot}: ${verdict}.`);
  const { cost_cents, granted_cents, paid_cents, points } = mine.totals;
  return [
    head,
    ...(moves.length + left.length > 0 ? [...moves, ...left] : ['You had no move and no place.']),
    ...said,
    `In all ${cost_cents} cents (${granted_cents} granted, ${paid_cents} paid) for ${points} points; reputation ${mine.reputation} to ${mine.reputation_after}.`,
  ].join('\n');
}
