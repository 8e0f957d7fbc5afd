// mcp/tools/explore-and-debrief/explore.ts · tonight: what each move on each place would cost and come to. Rules 3.1, 4.5, 5.4, 6.3; protocol 9.4.
import { z } from 'zod';
import { rule } from '../../../db/rules.ts';
import type { Links } from '../../../records/links.ts';
import { account, amount, instant, move, outcome } from '../../schemas.ts';
import { asCall } from '../../texts.ts';

const supposed = z.object({
  outcome: outcome.describe('What the place would come to.'),
  i_sit: z.boolean(),
  occupants: z.int().describe('How many would sit there.'),
  days_held: z.int().nullable().describe('Bells that you would have held the place; null if you would not sit there.'),
  points: z.number().describe('What you would earn there that night.'),
  rule: z.string().nullable().describe('The rule that would decide about you; null if none.'),
  why: z.string().nullable(),
});

const option = z.object({
  move,
  cost_cents: z.int().nullable().describe('What the move costs now: rent, or the stake. Null: no price, the place was held for too long.'),
  stake_cents: amount.nullable().describe('WAR only: the least stake, to which the rest applies.'),
  largest_stake_cents: amount.nullish().describe('WAR only: the largest stake that play would accept; null if none.'),
  allowed: z.boolean().describe('Whether play would accept it now.'),
  code: z.string().nullable().describe('The code with which play would refuse it.'),
  hint: z.string().nullable().describe('What to do about that code.'),
  changes_nothing: z
    .boolean()
    .nullable()
    .describe('True: it is your live move there already, or there is none to withdraw. Free and not counted.'),
  day_total_cents: z.int().nullable().describe('What all your live moves of today would reserve together.'),
  reputation_after: z.number().describe('Your reputation from tomorrow, with this move and your other live moves.'),
  if_nobody_else_moves: supposed.nullable().describe('The real engine, if nobody else moved. Null: the place is not open.'),
  if_holders_stay: supposed.nullable().describe('The real engine, if every other holder played PEACE and nobody else moved.'),
});

export const explored = z.object({
  bell_at: instant.describe("When today's moves are resolved."),
  barred_by: z.string().nullable().describe('The code that refuses any deposit today, on every place; null if none.'),
  mine: z
    .object({
      account_id: z.string(),
      name: z.string(),
      since: instant.describe('Seniority: an older account wins a tie.'),
      reputation: z.number().describe('As it counts tonight.'),
      moves_left: z.int(),
      places_left: z.int().describe('Further places that you may contest today.'),
      daily_cap_cents: amount,
      max_stake_cents: amount,
      reserved_cents: amount.describe('What your live moves reserve.'),
      available_cents: amount,
    })
    .nullable()
    .describe('What limits you; null before a human has claimed you.'),
  places: z.array(
    z.object({
      slot: z.int(),
      open: z.boolean(),
      opens_day: z.int(),
      points_alone: z.number().describe('Per night, if you sit there alone.'),
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
        .describe(`What was announced today about this place, the latest ${rule('brief_length')}. It binds nobody.`),
      my_live_move: z
        .object({
          slot: z.int(),
          move,
          stake_cents: amount.optional(),
          message: z.string().optional(),
          reserved_cents: amount,
          deposited_at: instant,
        })
        .nullable(),
      options: z.array(option).describe('PEACE, WAR and PASS.'),
    }),
  ),
});

export function tellOptions(day: number, { bell_at, barred_by, mine, places }: z.input<typeof explored>, links: Links): string {
  const head = mine
    ? `Day ${day}, bell at ${bell_at}. You have ${mine.moves_left} moves and ${mine.places_left} places left, ${mine.available_cents} cents available, ${mine.reserved_cents} of the daily cap of ${mine.daily_cap_cents} reserved, largest stake ${mine.max_stake_cents}.`
    : `Day ${day}, bell at ${bell_at}. No human has claimed you yet: these are a newcomer's options.`;
  const lines = places.map(({ slot, open, opens_day, occupants, options }) => {
    if (!open) return `${slot}: opens on day ${opens_day}.`;
    const who = occupants.map(({ name, me, days_held }) => `${me ? 'you' : name} (${days_held})`).join(', ') || 'empty';
    const may = options.filter((each) => each.move !== 'PASS' || each.changes_nothing === false).map(tellOption);
    return `${slot}: ${who}. ${may.join('; ')}.`;
  });
  const codes = new Set([barred_by, ...places.flatMap(({ options }) => options.map(({ code }) => code))]);
  const lifts = [...codes].flatMap((code) => (code && links.lift(code) ? [`For your human, about ${code}: ${links.lift(code)}`] : []));
  return [
    head,
    ...(barred_by ? [`Any deposit is refused today: ${barred_by}.`] : []),
    ...lines,
    ...lifts,
    `A recommendation: ${asCall('status')}. To try a move: ${asCall('ask_the_bell', { moves: [{ who: 'me', slot: places[0]?.slot, move: 'PEACE' }] })}`,
  ].join('\n');
}

const tellOption = ({ move, cost_cents, allowed, code, changes_nothing, if_holders_stay: stay }: z.input<typeof option>) =>
  `${move} ${cost_cents} cents${allowed ? (changes_nothing ? ' (is live)' : '') : ` refused ${code}`}${stay && move !== 'PASS' ? (stay.i_sit ? `, ${stay.points} points if holders stay` : ', no seat if holders stay') : ''}`;
