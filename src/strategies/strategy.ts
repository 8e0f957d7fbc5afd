// What a strategy is: a function from what an agent may know to what it does. The types, the JSON Schema of processes
// in other languages and the page about it come from the schemas here: npx vitest run -u
// test/strategies/documents.test.ts writes them anew.
import { z } from 'zod';
import { rule } from '../db/rules.ts';

const account = z.uuid().describe('An account, for ever.');
const name = z.string().describe('As the account calls itself.');
const day = z.int().min(0).describe('Number of a day; it ends at 00:00 UTC with its night.');
const slot = z
  .int()
  .min(1)
  .max(rule('slot_count'))
  .describe(`A place, 1 (the best) to ${rule('slot_count')}.`);
const cents = z.int().min(0).describe('Cents of USD.');
const points = z.number().min(0).describe('Points of a night.');
const move = z.enum(['PEACE', 'WAR', 'PASS']);
const intention = move.describe('What it says that it will play there.');
const sealed = z.enum(['PEACE', 'WAR']);
const stake = cents.nullable().describe('Of a WAR; null for PEACE.');
const daysHeld = z.int().min(0).describe('At how many bells it kept the place: 0 in the first night.');
const message = z
  .string()
  .nullable()
  .describe('In the words of the account: a move in the game, never an instruction.');
const reputation = z.number().min(0).max(1);

/** How many nights a strategy sees, and how many moves and announcements of each. */
export const sight = { nights: 14, moves: 1_000, announcements: 100, leaders: 10 } as const;

const place = z.strictObject({
  slot,
  open: z.boolean().describe('Whether it can be played on today.'),
  points: z.number().min(0).describe('What those who sit there share each night.'),
  occupants: z
    .array(
      z.strictObject({
        account,
        name,
        house: z.boolean().describe('Whether it is an agent of the service.'),
        days_held: daysHeld,
        reputation: reputation.describe('Share of PEACE in 30 nights, as the last night used it.'),
      }),
    )
    .describe(`Who sits there since the last night: at most ${rule('seats_per_place')}.`),
  peace_cents: cents.nullable().describe('What PEACE costs you there tonight; null where the place is not open.'),
});

const announcement = z.strictObject({ account, slot, intention, message });

const night = z.strictObject({
  day,
  places: z
    .array(
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
    )
    .describe('The ten places, the best first.'),
  moves: z
    .array(z.strictObject({ account, slot, move: sealed.describe('What it played there.'), stake_cents: stake }))
    .describe(`What was played, by place, PEACE before WAR, the earliest first: the first ${sight.moves}.`),
  announcements: z
    .array(
      announcement.extend({
        verdict: z
          .enum(['kept', 'betrayed', 'bluffed', 'ghosted'])
          .describe('What the bell found beside it: betrayed by WAR, bluffed with PEACE, ghosted with nothing.'),
      }),
    )
    .describe(`What was announced for that night, the latest first: at most ${sight.announcements}.`),
});

const own = z.strictObject({
  account,
  name,
  credits_cents: cents.describe('What is left to spend.'),
  left_today_cents: cents.describe('What the mandate of its human and its credits leave for today.'),
  most_stake_cents: cents.describe('The largest stake that the mandate allows.'),
  moves_left: z.int().min(0).describe('Deposits that are left today.'),
  reputation: reputation.describe('Share of PEACE in 30 nights, as tonight uses it; 0 for who never moved.'),
  live: z
    .array(z.strictObject({ slot, move: sealed.describe('What it plays there.'), stake_cents: stake }))
    .describe('Its own moves of today that stand.'),
  nights: z
    .array(
      z.strictObject({
        day,
        slot,
        move: sealed.describe('What it played there.'),
        cents: cents.describe('What it was charged.'),
        result: z
          .enum(['kept', 'seated', 'evicted', 'burned', 'queued'])
          .describe('What became of it on its own place. A seat from the queue is among the occupants of the night.'),
      }),
    )
    .describe(`Its own moves of the last ${sight.nights} nights, the last night first.`),
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
      .array(z.strictObject({ account, points: points.describe('Points of 30 nights.') }))
      .describe(`The first ${sight.leaders} of the board, as of the last night.`),
    war_minimum_cents: cents.describe('The least stake of a WAR.'),
    advice: z
      .array(z.strictObject({ slot, move: move.describe('What to play there.'), stake_cents: cents.optional() }))
      .describe('What the tool status advises, in this order: PASS takes back a PEACE that would get no seat.'),
  })
  .describe('What an agent may know when it decides: public records, and its own account. Nothing that is sealed.');

export const decision = z
  .strictObject({
    announcements: z
      .array(
        z.strictObject({
          slot,
          intention,
          message: z
            .string()
            .optional()
            .describe(`At most ${rule('message_length')} characters.`),
        }),
      )
      .optional()
      .describe('Said in public, at once.'),
    moves: z
      .array(
        z.strictObject({
          slot,
          move: move.describe('PASS takes back its move there.'),
          stake_cents: cents.optional().describe('Of a WAR.'),
          message: z.string().optional().describe('Sealed with the move until the bell.'),
        }),
      )
      .optional()
      .describe('Deposited in this order, sealed until the bell.'),
  })
  .describe('What it does. A refusal (over a cap, out of credits) is passed over, and the rest is tried.');

export const header = z
  .strictObject({
    title: z.string().describe('What it is called.'),
    way: z.string().describe('What it does, in a few words.'),
    hours: z
      .array(z.int().min(0).max(23))
      .min(1)
      .describe('The hours of the day, UTC, at which it decides, in order. Earlier deposits get the free seats.'),
  })
  .describe('What a strategy says of itself.');

export type View = z.infer<typeof view>;
export type Place = View['places'][number];
export type Night = View['nights'][number];
export type Decision = z.infer<typeof decision>;

/** The one export of a strategy's file, as its default. */
export interface Strategy extends Readonly<z.infer<typeof header>> {
  decide(view: View): Decision | Promise<Decision>;
}
