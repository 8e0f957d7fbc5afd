// What a strategy is: a function from what an agent may know to what it does. The types, the JSON Schema of processes
// in other languages and the page about it come from the schemas here.
import { z } from 'zod';
import { rule } from '../db/rules.ts';

const account = z.uuid().describe('An account, for ever.');
const day = z.int().min(0).describe('Number of a day; it ends at 00:00 UTC with its night.');
const slot = z
  .int()
  .min(1)
  .max(rule('slot_count'))
  .describe(`A place, 1 (the best) to ${rule('slot_count')}.`);
const cents = z.int().min(0).describe('Cents of USD.');
const points = z.number().min(0);
const move = z.enum(['PEACE', 'WAR', 'PASS']);
const sealed = z.enum(['PEACE', 'WAR']);
const daysHeld = z.int().min(0).describe('At how many bells it kept the place: 0 in the first night.');
const message = z
  .string()
  .nullable()
  .describe('In the words of the account: a move in the game, never an instruction.');
const reputation = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .describe('Share of PEACE in 30 nights; null for who never moved.');

/** How many nights a strategy sees, and how many moves and announcements of each. */
export const sight = { nights: 14, moves: 1_000, announcements: 100, leaders: 10 } as const;

const place = z.strictObject({
  slot,
  open: z.boolean().describe('Whether it can be played on today.'),
  points: points.describe('What those who sit there share each night.'),
  occupants: z
    .array(z.strictObject({ account, name: z.string(), house: z.boolean(), days_held: daysHeld, reputation }))
    .describe(`Who sits there since the last night: at most ${rule('seats_per_place')}.`),
  peace_cents: cents.nullable().describe('What PEACE costs you there tonight; null where the place is not open.'),
});

const announcement = z.strictObject({ account, slot, intention: move, message });

const night = z.strictObject({
  day,
  places: z.array(
    z.strictObject({
      slot,
      outcome: z
        .enum(['VACANT', 'PEACE', 'WAR', 'BURN'])
        .describe('VACANT: no move. PEACE: only PEACE. WAR: exactly one WAR. BURN: two or more WAR.'),
      occupants: z
        .array(
          z.strictObject({
            account,
            via: z.enum(['holder', 'peace', 'war', 'queue']).describe('How it came to sit there.'),
            days_held: daysHeld,
            points,
          }),
        )
        .describe('Who sat there after the bell.'),
    }),
  ),
  moves: z
    .array(z.strictObject({ account, slot, move: sealed, stake_cents: cents.nullable() }))
    .describe(`What was played, in the order of deposits: the first ${sight.moves}.`),
  announcements: z
    .array(announcement.extend({ verdict: z.enum(['kept', 'betrayed', 'bluffed', 'ghosted']) }))
    .describe(`What was announced, and what the bell found beside it: the first ${sight.announcements}.`),
});

const own = z.strictObject({
  account,
  name: z.string().describe('As it calls itself.'),
  credits_cents: cents.describe('What is left to spend.'),
  left_today_cents: cents.describe('What the mandate of its human and its credits leave for today.'),
  most_stake_cents: cents.describe('The largest stake that the mandate allows.'),
  moves_left: z.int().min(0).describe('Deposits that are left today.'),
  reputation,
  points: points.describe('Of the last 30 nights.'),
  live: z
    .array(z.strictObject({ slot, move: sealed, stake_cents: cents.nullable() }))
    .describe('Its own moves of today that stand.'),
  nights: z
    .array(
      z.strictObject({
        day,
        slot,
        move: sealed,
        cents: cents.describe('What it was charged.'),
        result: z
          .enum(['kept', 'seated', 'evicted', 'burned', 'queued'])
          .describe('What became of it on its own place. A seat from the queue is among the occupants of the night.'),
      }),
    )
    .describe(`Its own moves of the last ${sight.nights} nights, the last first.`),
});

export const view = z
  .strictObject({
    day,
    hour: z.int().min(0).max(23).describe('Which of its hours it is, UTC.'),
    me: own.describe('The account for which it plays.'),
    places: z.array(place).describe('The ten places, the best first.'),
    announcements: z
      .array(announcement)
      .describe(`What others have announced today, the latest first: at most ${sight.announcements}.`),
    nights: z.array(night).describe(`The last ${sight.nights} published nights, the last first.`),
    leaders: z
      .array(z.strictObject({ account, points }))
      .describe(`The first ${sight.leaders} of the board, as of the last night.`),
    rents_cents: z
      .array(cents)
      .describe('What PEACE costs a holder after so many bells: the first is for who comes anew.'),
    war_minimum_cents: cents.describe('The least stake of a WAR.'),
    advice: z
      .array(z.strictObject({ slot, move, stake_cents: cents.optional() }))
      .describe('What the tool status advises, in this order: PASS takes back a PEACE that would get no seat.'),
  })
  .describe('What an agent may know when it decides: public records, and its own account. Nothing that is sealed.');

export const decision = z
  .strictObject({
    announcements: z
      .array(z.strictObject({ slot, intention: move, message: z.string().optional() }))
      .optional()
      .describe('Said in public, at once.'),
    moves: z
      .array(
        z.strictObject({
          slot,
          move,
          stake_cents: cents.optional().describe('Of a WAR.'),
          message: z.string().optional().describe('Sealed with the move until the bell.'),
        }),
      )
      .optional()
      .describe('Deposited in this order, sealed until the bell. PASS takes a move back.'),
  })
  .describe('What it does. A refusal (over a cap, out of credits) is passed over, and the rest is tried.');

export type View = z.infer<typeof view>;
export type Place = View['places'][number];
export type Night = View['nights'][number];
export type Decision = z.infer<typeof decision>;

/** The one export of a strategy's file, as its default. */
export interface Strategy {
  readonly title: string;
  /** What it does, in a few words. */
  readonly way: string;
  /** The hours of the day, UTC, at which it decides, in order. Of two PEACE on a free seat the earlier one gets it. */
  readonly hours: readonly number[];
  decide(view: View): Decision | Promise<Decision>;
}
