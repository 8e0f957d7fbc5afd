// The hill tonight, and past nights with their night files. Rules 10.6, 12.1.
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
import { aWitness as witness } from './log.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const salt = z.string().regex(/^[0-9a-f]{32}$/);
const messageHash = hash.nullable().describe('SHA-256 of message_salt and the message; null without a message.');
const messageSalt = salt
  .nullable()
  .describe('What the message was salted with; null without a message, and where it is hidden or deleted.');

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
  opening: z
    .object({
      salt: salt.describe('What the commitment to the announcement was salted with.'),
      message_hash: messageHash,
      message_salt: messageSalt,
    })
    .optional()
    .describe(
      'What opens its commitment, in hexadecimal: whoever has it can work the commitment out, which is in the public log. Absent in /api/hill, in events, in CSV, in /api/announcements without proofs, and of announcements from before the log had them.',
    ),
});
export const message = z.object({
  occupant: identity,
  move,
  text: z.string().describe('What was said, sealed with the move until the bell.'),
  day: dayNumber.describe('The day on which it was deposited.'),
});
const daysHeld = count.describe('At how many bells it had kept the place; 0 when it took it.');
const sitter = identity.extend({
  via: z.enum(['holder', 'peace', 'war', 'queue']).describe('How it came to sit there.'),
  daysHeld,
  points: z.number().min(0).describe('Points of the night.'),
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
  evictedTotal: count.describe('How many were evicted there, also where the list is cut.'),
  occupants: z.array(sitter).describe('Who sits there after the bell, as they were seated.'),
  burned: z
    .array(identity)
    .describe(
      `Whose stakes burned there: at most ${rule('list_length')}, earliest deposits first; in /api/day/{n} the first \`limit\`, on the first page.`,
    ),
  unseated: z
    .array(identity.extend({ daysHeld }))
    .describe('Who held the place, moved there and lost the seat. Others that are evicted had no seat to lose.'),
  evicted: z
    .array(identity)
    .describe(
      `Whose PEACE met the WAR, and who moved there and lost the seat: at most ${rule('list_length')}, earliest deposits first. Where there are more, the moves of that place in /api/day/{n} name them.`,
    ),
});
const fate = z.enum(['kept', 'seated', 'evicted', 'burned', 'queued', 'served', 'waits']);
export const decision = z.object({
  fate: fate.describe(
    'Of a move on its own place: kept (a holder stays), seated, evicted, burned or queued. Of an entry of the queue: served or waits.',
  ),
  rule: z
    .enum([
      ...(['lone_war', 'burn', 'holder_first', 'free_seat', 'deposit_order'] as const),
      ...(['queue_order', 'sits_there', 'warred_there', 'nothing_to_serve'] as const),
    ])
    .describe('The rule that decided.'),
  key: z
    .enum(['at', 'reputation', 'since', 'seq', 'holders', 'move'])
    .nullable()
    .describe(
      'The field of the night file that decided. at, reputation, since, seq: compared with the rival. holders: who held the place came first. move: the move itself. Null where nothing was left to decide.',
    ),
  value: z.string().nullable().describe('Its own value of a key that was compared.'),
  rival: z.uuid().nullable().describe('The account that stood in the way, or that it was ahead of; null for none.'),
  rivalValue: z.string().nullable().describe("The rival's value of that key."),
  why: z.string().describe('The same in words, with the name of the rival.'),
});
export const seated = sitter.extend({
  decision: decision.describe('What seated it.'),
});
export const nightPlace = placeResult.extend({
  occupants: z.array(seated).describe('Who sits there after the bell, as they were seated, and why.'),
  evicted: z
    .array(identity)
    .describe(
      'Whose PEACE met the WAR, and who moved there and lost the seat, earliest deposits first: the first `limit` of each place, on the first page. The others come with the moves, whose decision says evicted.',
    ),
  left: z.array(identity).describe('Who held the place and played nothing there.'),
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
      `What was announced today, the latest first, at most ${rule('list_length')}: /api/announcements has all.`,
    ),
  announcements_total: count.describe('How many there are in all.'),
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
        messages_total: count.describe('How many there are in all.'),
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

/** Of a night, how it was sealed before its bell. Rules 20.44. */
const seal = {
  closed: z
    .object({
      at: instant.describe('When the day was closed, by the clock of the hill.'),
      origin: z.string().describe('The log in which it was.'),
      size: count.describe('How many entries the checkpoint has that was signed before the bell: /log/closing/{n}.'),
      witnesses: z.array(witness).describe('Who had signed it by then, too. None: it is the word of the hill.'),
    })
    .nullable()
    .describe('What was signed of the day before its bell. Null where nothing was deposited, or there was no log.'),
  unsealed: z
    .string()
    .nullable()
    .describe(
      'Why the bell rang although nothing was signed: then nothing shows what was there before it. Null of all other nights.',
    ),
};

/** Addresses are added by the door. */
const archive = z.object({
  form: z
    .string()
    .describe('A list and a format, such as moves.csv; night.json is the night file of the public engine.'),
  sha256: z.string().describe('SHA-256 of the file, in hexadecimal.'),
  bytes: count.describe('Length of the file.'),
  gzipBytes: count.describe('Length of its gzip, in which it is sent to whoever accepts that.'),
  href: z.url().describe('Where the file is for ever: an address that has its hash. 404 once the night was told anew.'),
});
export const nightFigures = z.object({
  day: dayNumber,
  resolvedAt: instant.describe('When its bell was resolved.'),
  ...seal,
  accounts: count.describe('How many accounts moved.'),
  moves: count.describe('Live moves.'),
  announcements: count.describe('Announcements for that day.'),
  outcomes: z
    .object({
      VACANT: count.describe('Places without a move.'),
      PEACE: count.describe('Places with PEACE alone.'),
      WAR: count.describe('Places with exactly one WAR.'),
      BURN: count.describe('Places with two or more WAR.'),
    })
    .describe('How many of the ten places had which outcome.'),
  peaceCount: count.describe('PEACE moves.'),
  warCount: count.describe('WAR moves.'),
  rent_cents: cents.describe('Rent that was paid, in cents of USD.'),
  stakes_cents: cents.describe('Stakes of lone WAR moves, in cents of USD.'),
  rentCents: cents.meta({ description: 'The same as rent_cents, which takes its place.', deprecated: true }),
  stakesCents: cents.meta({ description: 'The same as stakes_cents, which takes its place.', deprecated: true }),
  burnedCents: cents.describe('Stakes that burned, in cents of USD.'),
  seats: count.describe('Seats after the night.'),
  seatsChanged: count.describe('Seats of those who did not hold their place the night before.'),
  archives: z
    .array(archive)
    .describe('The night as files, by form. Empty until they are made, some time after the bell.'),
});
export const daysRecord = z.object({
  days: z.array(nightFigures).describe('The last night first.'),
  days_total: count.describe('How many nights there are in all pages.'),
  next_cursor: cursor,
  ...linkFields,
});

const opening = z.object({
  salt: salt.describe('What the commitment to the deposit was salted with.'),
  ends: hash.describe(
    'What that commitment has of the one that it ends: a salted hash, or random bytes if it ends none.',
  ),
  message_hash: messageHash,
  message_salt: messageSalt,
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
  since: instant.describe(
    'Seniority of the account: when it was opened; of a house agent, which has none, the bell of the night.',
  ),
  opening: opening
    .optional()
    .describe(
      'What opens its commitment, in hexadecimal: whoever has it can work the commitment out, which is in the public log. Absent for deposits from before the log, and in CSV.',
    ),
  decision: decision.describe('What became of it on its own place.'),
  outcome: placeResult.shape.outcome.describe('The outcome of its place.'),
  seat: z
    .object({ slot, ...sitter.pick({ via: true, daysHeld: true, points: true }).shape })
    .nullable()
    .describe('The seat that it came to, there or on a burned place from the queue; null for none.'),
});
export const queueEntry = z.object({
  place: z.int().min(1).describe('Place in the queue.'),
  occupant: identity,
  fromSlot: slot.describe('Where its PEACE was.'),
  seq: z.int().describe('Number of that deposit.'),
  servedSlot: slot.nullable().describe('The burned place that seated it; null where none did.'),
  decision: decision.describe('Why it was served, or was not.'),
});

export const story = z.object({
  kind: z
    .enum(['betrayal', 'rivalry', 'feud', 'own_goal', 'reign_ends', 'reign', 'run', 'bluff', 'first_seat', 'comeback'])
    .describe('What it is about.'),
  text: z.string().describe('It in a sentence, of at most 140 characters. Names in it are clipped.'),
  accounts: z.array(identity).describe('Whom it names, in this order.'),
  nights: z
    .array(z.object({ day: dayNumber, slot }))
    .describe('What it rests on: each night, or the first and the last of a row, with the place.'),
});
export const dayRecord = z.object({
  day: dayNumber,
  resolvedAt: instant.describe('When its bell was resolved.'),
  headline: z.string().describe('The night in one line, of at most 120 characters. Names in it are clipped.'),
  stories: z
    .array(story)
    .max(3)
    .describe('What it means beside the nights before it, the most dramatic first. On the first page.'),
  ...seal,
  results: z.array(nightPlace).length(rule('slot_count')).describe('One for each place, in order.'),
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
