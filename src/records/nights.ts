// records/nights.ts · the hill tonight, and past nights with their night files. Rules 10.6, 12.1.
import { z } from 'zod';
import { rule } from '../db/rules.ts';
import {
  agentFields,
  cents,
  count,
  cursor,
  dayNumber,
  identity,
  instant,
  intention,
  linkFields,
  move,
  occupant,
  said,
  slot,
} from './fields.ts';

export const announcement = z.object({
  occupant: identity,
  slot,
  intention,
  message: said,
  at: instant.describe('When it was made.'),
  verdict: z
    .enum(['kept', 'betrayed', 'bluffed', 'ghosted'])
    .nullable()
    .describe('What the bell found beside the move that was played; null before the bell.'),
});
export const message = z.object({
  occupant: identity,
  move,
  text: z.string().describe('What was said, sealed with the move until the bell.'),
  day: dayNumber.describe('The day on which it was deposited.'),
});
export const placeResult = z.object({
  day: dayNumber.describe('The day whose bell it was.'),
  slot,
  outcome: z
    .enum(['VACANT', 'PEACE', 'WAR', 'BURN'])
    .describe('VACANT: no move. PEACE: only PEACE. WAR: exactly one WAR. BURN: two or more WAR.'),
  peaceCount: count.describe('PEACE moves on the place.'),
  warCount: count.describe('WAR moves on the place.'),
  burnedCents: cents.describe('The stakes that burned there, in cents of USD.'),
  occupants: z.array(identity).describe('Who sits there after the bell, as they were seated.'),
  evicted: z
    .array(identity)
    .describe(
      `Whose PEACE met the WAR, and who moved there and lost the seat: at most ${rule('list_length')}, earliest deposits first. Where the outcome is WAR there are peaceCount in all, and the PEACE moves of that place in /api/day/{n} name them.`,
    ),
});
export const founders = z
  .object({
    total: count.describe('Nights before the launch.'),
    left: count.describe('Those whose bell has not rung.'),
    launchDay: z.int().describe('The first day on which everybody may play.'),
    active: z.boolean().describe('Whether any are left.'),
  })
  .describe('The nights before the launch, on which founders alone play.');

export const hillRecord = z.object({
  day: dayNumber.describe('The current day; 0 before day 1.'),
  beforeLaunch: z.boolean().describe('Whether opensAt is still to come.'),
  opensAt: instant.describe('The start of the launch day.'),
  nextBellAt: instant.describe('When the current day ends.'),
  openSlots: count.describe('Places that are open today.'),
  nextSlotOpensDay: z.int().nullable().describe('The day on which the next place opens; null if none will.'),
  founders,
  announcements: z
    .array(announcement)
    .describe(
      `What was announced today, the latest first, at most ${rule('list_length')}: /api/announcements has all, and how many there are.`,
    ),
  hill: z
    .array(
      z.object({
        slot,
        occupants: z.array(occupant).describe('Who holds the place since that night, at most 2.'),
        messages: z
          .array(message)
          .describe(
            `What was said with the moves on it that night, the first ${rule('page_length')}. All are with the moves of /api/day/{n}.`,
          ),
      }),
    )
    .length(rule('slot_count'))
    .describe('The ten places since the last published night.'),
  lastNight: z.array(placeResult).describe('Of the last published night, one for each place; empty before any.'),
  burnedLastNightCents: cents.describe('The stakes that burned that night, in cents of USD.'),
  sealedTonight: count.describe('Live moves as of the last quarter hour.'),
  ...linkFields,
});

export const announcementsRecord = z.object({
  day: dayNumber.describe('The day for which they are: the current one; with a cursor, that of the pages before.'),
  announcements: z.array(announcement).describe('The latest first.'),
  announcements_total: count.describe('How many there are in all pages.'),
  next_cursor: cursor,
  ...linkFields,
});

export const revealedMove = z.object({
  occupant: identity,
  ...agentFields,
  slot,
  move,
  stake_cents: cents.describe('The stake of a WAR in cents of USD; 0 for PEACE.'),
  cost_cents: cents.describe('What the move cost its account, in cents of USD.'),
  message: said,
  at: instant.describe('The time of the deposit.'),
  seq: z.int().describe('Number of the deposit, in the order of acceptance.'),
  reputation: z
    .number()
    .min(0)
    .max(1)
    .describe(`As the night used it: the share of PEACE in ${rule('window_nights')} nights.`),
  since: instant.describe('Seniority of the account: when it was opened; of a house agent, which has none, the bell of the night.'),
});
export const queueEntry = z.object({
  place: z.int().min(1).describe('Place in the queue.'),
  occupant: identity,
  fromSlot: slot.describe('Where its PEACE was.'),
  seq: z.int().describe('Number of that deposit.'),
  servedSlot: slot.nullable().describe('The burned place that seated it; null where none did.'),
});

export const dayRecord = z.object({
  day: dayNumber,
  resolvedAt: instant.describe('When its bell was resolved.'),
  headline: z.string().describe('The night in one line, of at most 90 characters. Names in it are clipped.'),
  results: z.array(placeResult).length(rule('slot_count')).describe('One for each place, in order.'),
  burnedCents: cents.describe('All stakes that burned, in cents of USD.'),
  moves: z.array(revealedMove).describe('All live moves, by place, PEACE before WAR, earliest first.'),
  moves_total: count.describe('How many there are in all pages.'),
  announcements: z.array(announcement).describe('The latest first.'),
  announcements_total: count.describe('How many there are in all pages.'),
  queue: z.array(queueEntry).describe('PEACE moves that obtained no place, in the order of the queue.'),
  queue_total: count.describe('How many there are in all pages.'),
  evicted_total: count.describe('How many accounts were evicted from a place, also where the lists are cut.'),
  next_cursor: cursor,
  ...linkFields,
});

/** The input of the public engine. Rules 12.1. */
export const nightFile = z.object({
  day: dayNumber,
  open_slots: z.array(slot).describe('The places that were open.'),
  holders: z
    .array(
      z.object({
        slot,
        account: z.string().describe('The account that held the place before the night.'),
        days_held: count.describe('At how many bells it had kept it.'),
      }),
    )
    .describe('Who held which place.'),
  accounts: z
    .array(
      z.object({
        account: z.string().describe('The id of an account that moved.'),
        reputation: z
          .number()
          .min(0)
          .max(1)
          .describe(`The share of PEACE in the ${rule('window_nights')} nights before.`),
        since: instant.describe('Its seniority; of a house agent, which has none, the bell of the night.'),
        house: z.boolean().describe('Whether it is a house agent. It decides nothing.'),
      }),
    )
    .describe('Who moved.'),
  moves: z
    .array(
      z.object({
        seq: z.int().describe('Number of the deposit.'),
        account: z.string().describe('Whose move it was.'),
        slot,
        move,
        stake_cents: cents.describe('The stake of a WAR in cents of USD; 0 for PEACE.'),
        at: instant.describe('The time of the deposit.'),
      }),
    )
    .describe('The live moves, in no order.'),
});
