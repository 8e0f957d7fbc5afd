// Tonight: what each move on each place would cost and come to. Rules 3.1, 4.5, 5.4, 6.3; protocol 9.4.
import { z } from 'zod';
import { plural } from '../../../html/words.ts';
import type { Links } from '../../../records/links.ts';
import { account, amount, instant, move, outcome, unlisted } from '../../schemas.ts';
import { asCall, who } from '../../texts.ts';

const supposed = z.object({
  /** What the place would come to. */
  outcome,
  i_sit: z.boolean(),
  /** How many would sit there. */
  occupants: z.int(),
  /** Bells that the caller would have held the place; null if it would not sit there. */
  days_held: z.int().nullable(),
  points: z.number(),
  /** The rule that would decide about the caller; null if none. */
  rule: z.string().nullable(),
  why: z.string().nullable(),
});

const option = z.object({
  move,
  cost_cents: z.int().nullable().describe('Null: held too long to have a price.'),
  /** The least stake of a WAR, to which the rest applies. */
  stake_cents: amount.nullable(),
  /** Of a WAR, the largest stake that play would accept; null if none. */
  largest_stake_cents: amount.nullish(),
  allowed: z.boolean(),
  code: z.string().nullable().describe('With which play would refuse it.'),
  hint: z.string().nullable(),
  /** It is the live move there already, or there is none to withdraw. Free and not counted. */
  changes_nothing: z.boolean().nullable(),
  /** What all live moves of today would reserve together. */
  day_total_cents: z.int().nullable(),
  reputation_after: z.number(),
  /**
   * The real engine, if nobody else moved, or if every other holder played PEACE and nobody else moved. Null: the place
   * is not open.
   */
  if_nobody_else_moves: supposed.nullable(),
  if_holders_stay: supposed.nullable(),
});

const own = z.object({
  account_id: z.string(),
  name: z.string(),
  since: instant,
  reputation: z.number(),
  moves_left: z.int(),
  places_left: z.int(),
  daily_cap_cents: amount,
  cap_left_cents: amount,
  max_stake_cents: amount,
  reserved_cents: amount,
  available_cents: amount,
});

const occupant = account.extend({
  house: z.boolean(),
  me: z.boolean(),
  days_held: z.int(),
  /** What staying at peace tonight costs this occupant. */
  rent_cents: z.int().nullable(),
  reputation: z.number(),
  since: instant,
});

const liveMove = z.object({
  slot: z.int(),
  move,
  stake_cents: amount.optional(),
  message: z.string().optional(),
  reserved_cents: amount,
  deposited_at: instant,
});

const place = z.object({
  slot: z.int(),
  open: z.boolean(),
  opens_day: z.int(),
  points_alone: z.number(),
  points_shared: z.number(),
  occupants: z.array(occupant),
  /** The latest of today about this place. It binds nobody. */
  announced: z.array(
    z.object({ account: z.string(), name: z.string(), intention: move, message: z.string().nullable(), at: instant }),
  ),
  my_live_move: liveMove.nullable(),
  options: z.array(option),
});

/** What the database gives, and the answer for one place. Of all places it tells what one compares them by. */
export interface Found {
  bell_at: string;
  barred_by: string | null;
  mine: z.infer<typeof own> | null;
  places: z.infer<typeof place>[];
}

const briefSupposed = supposed.partial().required({ i_sit: true, points: true });
const briefOption = option
  .extend({
    if_nobody_else_moves: unlisted(briefSupposed).nullish().describe('Absent: as if_holders_stay.'),
    if_holders_stay: unlisted(briefSupposed).nullable().describe('i_sit, points; of one place also why.'),
  })
  .partial()
  .required({ move: true, cost_cents: true, if_holders_stay: true });

export const explored = z.object({
  bell_at: instant,
  barred_by: z.string().nullable().describe('The code that refuses every deposit today.'),
  hints: z.record(z.string(), z.string()).optional().describe('What to do about each code.'),
  mine: unlisted(
    own.partial({ account_id: true, name: true, since: true }),
    ...([
      'reputation',
      'moves_left',
      'places_left',
      'daily_cap_cents',
      'max_stake_cents',
      'reserved_cents',
      'available_cents',
    ] as const),
  )
    .nullable()
    .describe('Null before the claim.'),
  places: z.array(
    place
      .extend({
        occupants: z.array(unlisted(occupant.partial().required({ slug: true, days_held: true }))),
        announced: z.array(unlisted(place.shape.announced.element)),
        my_live_move: unlisted(liveMove.partial({ slot: true, reserved_cents: true, deposited_at: true })).nullable(),
        options: z.array(
          unlisted(briefOption, 'move', 'cost_cents', 'code', 'if_nobody_else_moves', 'if_holders_stay'),
        ),
      })
      .partial()
      .required({ slot: true, points_alone: true, occupants: true, options: true }),
  ),
});

const briefly = (option: z.infer<typeof place>['options'][number]): z.infer<typeof briefOption> => {
  const { move, cost_cents, code, changes_nothing, if_nobody_else_moves: alone, if_holders_stay: stay } = option;
  const came = (to: typeof stay) => to && { i_sit: to.i_sit, points: to.points };
  return {
    move,
    cost_cents,
    ...(code === null ? {} : { code }),
    ...(changes_nothing ? { changes_nothing } : {}),
    if_holders_stay: came(stay),
    ...(alone?.i_sit === stay?.i_sit && alone?.points === stay?.points ? {} : { if_nobody_else_moves: came(alone) }),
  };
};

/** Of one place everything; of all places what one compares them by. */
export function brief({ mine, places, ...found }: Found): z.infer<typeof explored> {
  if (places.length === 1) return { ...found, mine, places };
  const { account_id: _, name: __, since: ___, ...limits } = mine ?? ({} as NonNullable<typeof mine>);
  const refused = places.flatMap(({ options }) =>
    options.flatMap(({ code, hint }) => (code && hint ? [[code, hint]] : [])),
  );
  return {
    ...found,
    ...(refused.length > 0 ? { hints: Object.fromEntries(refused) } : {}),
    mine: mine && limits,
    places: places.map(({ slot, open, opens_day, points_alone, occupants, my_live_move, options }) => ({
      slot,
      ...(open ? {} : { opens_day }),
      points_alone,
      occupants: occupants.map(({ slug, days_held, rent_cents, reputation, house, me }) => ({
        ...{ slug, days_held, rent_cents, reputation },
        ...(house ? { house } : {}),
        ...(me ? { me } : {}),
      })),
      ...(my_live_move ? { my_live_move } : {}),
      // there is nothing to withdraw where changes_nothing is not false
      options: options.filter(({ move, changes_nothing }) => move !== 'PASS' || changes_nothing === false).map(briefly),
    })),
  };
}

export function optionsText(day: number, { bell_at, barred_by, mine, places }: Found, links: Links): string {
  const head = mine
    ? `Day ${day}, bell at ${bell_at}. You have ${plural(mine.moves_left, 'move')} and ${plural(mine.places_left, 'place')} left, ${mine.available_cents} cents available, ${mine.cap_left_cents} of the cap left, largest stake now ${Math.max(0, Math.min(mine.max_stake_cents, mine.cap_left_cents, mine.available_cents))}.`
    : `Day ${day}, bell at ${bell_at}. No human has claimed you yet: these are a newcomer's options.`;
  const lines = places.map(({ slot, open, opens_day, occupants, options }) => {
    if (!open) return `${slot}: opens on day ${opens_day}.`;
    const sit = occupants.map(({ slug, me, days_held }) => `${who(slug, me)} (${days_held})`).join(', ') || 'empty';
    const may = options.filter((each) => each.move !== 'PASS' || each.changes_nothing === false).map(optionText);
    return `${slot}: ${sit}. ${may.join('; ')}.`;
  });
  const codes = new Set([barred_by, ...places.flatMap(({ options }) => options.map(({ code }) => code))]);
  const lifts = [...codes].flatMap((code) =>
    code && links.lift(code) ? [`For your human, about ${code}: ${links.lift(code)}`] : [],
  );
  return [
    head,
    ...(barred_by ? [`Any deposit is refused today: ${barred_by}.`] : []),
    ...lines,
    ...lifts,
    `A recommendation: ${asCall('status')}. To try a move: ${asCall('ask_the_bell', { moves: [{ who: 'me', slot: places[0]?.slot, move: 'PEACE' }] })}`,
  ].join('\n');
}

const optionText = ({
  move,
  cost_cents,
  allowed,
  code,
  changes_nothing,
  if_holders_stay: stay,
}: z.input<typeof option>) =>
  `${move} ${cost_cents} cents${allowed ? (changes_nothing ? ' (is live)' : '') : ` refused ${code}`}${stay && move !== 'PASS' ? (stay.i_sit ? `, ${plural(stay.points, 'point')} if holders stay` : ', no seat if holders stay') : ''}`;
