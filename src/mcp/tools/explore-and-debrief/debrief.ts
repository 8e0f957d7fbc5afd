// mcp/tools/explore-and-debrief/debrief.ts · a past night: what became of the caller's moves, and which rule decided. Rules 4.4, 4.5, 5.4, 6.3; protocol 9.4.
import { z } from 'zod';
import { account, amount, fate, instant, move, outcome, tieBreak, verdict, via } from '../../schemas.ts';
import { asCall } from '../../texts.ts';

const decision = z.object({
  about_slot: z.int().optional().describe('The place decided on; absent for an entry that stayed in the queue.'),
  seq: z.int().optional().describe('The move it is about.'),
  fate: fate.describe('What the rule made of it. A PEACE without a seat is queued or evicted first, then served, skipped or waits.'),
  rule: z.string().describe('Stable name of the rule that decided.'),
  sentence: z.string().describe('The rule, with its section of the specification.'),
  tie_break: tieBreak.describe(
    'What set you apart from your rival: a different value would have changed the result. none: the rule alone decided.',
  ),
  key: z.string().optional().describe('The same as a field of the night file.'),
  key_seq: z.int().optional().describe('The move with that field.'),
  own_value: z.string().optional(),
  rival: account.optional().describe('Whoever had the seat instead, or would have had it.'),
  rival_seq: z.int().optional(),
  rival_value: z.string().optional(),
  why: z.string().describe('All of that in words.'),
});

const seat = z.object({ slot: z.int(), seat: z.int(), via, days_held: z.int(), points: z.number() });

const deposit = {
  slot: z.int(),
  move,
  seq: z.int(),
  deposited_at: instant,
  stake_cents: amount.nullable(),
  message: z.string().nullable(),
};

export const debriefed = z.object({
  resolved_at: instant,
  night: z
    .object({
      accounts: z.int().describe('How many accounts moved.'),
      moves: z.int(),
      burned_cents: amount,
      places: z.array(
        z.object({
          slot: z.int(),
          outcome,
          law: z.string().describe('Why the place has this outcome, and what follows.'),
          peace_count: z.int(),
          war_count: z.int(),
          burned_cents: amount,
          occupants: z.array(account.extend({ via, days_held: z.int(), points: z.number() })),
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
            ...deposit,
            outcome,
            decisions: z.array(decision).describe('In the order they were taken: on its own place, then in the queue.'),
            cost_cents: amount,
            burned: z.boolean(),
            paid_from: z
              .array(z.object({ money: z.enum(['granted', 'paid']), amount_cents: amount }))
              .describe('Granted credits are spent first.'),
            seat: seat.nullable().describe('The seat it obtained, on its own place or through the queue.'),
          }),
        )
        .describe('Your live moves of that day.'),
      left: z
        .array(
          z.object({
            about_slot: z.int(),
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
        .array(z.object({ ...deposit, ended: z.enum(['replaced', 'withdrawn', 'pass']), ended_at: instant }))
        .describe('Deposits that were not live at the bell: free, and visible only to your account.'),
      announcements: z.array(
        z.object({
          slot: z.int(),
          intention: move,
          message: z.string().nullable(),
          at: instant,
          verdict: verdict.nullable(),
          played: move.nullable().describe('Your live move there.'),
        }),
      ),
      places: z
        .array(
          z.object({
            slot: z.int(),
            change: z.enum(['won', 'kept', 'lost', 'left', 'returned']).describe('returned: left, and seated again by the queue.'),
            days_held_before: z.int().nullable(),
            days_held_after: z.int().nullable(),
            via: via.nullable(),
            points: z.number().nullable(),
          }),
        )
        .describe('How your places changed.'),
      totals: z
        .object({ cost_cents: amount, granted_cents: amount, paid_cents: amount, points: z.number() })
        .describe('Of the whole night.'),
    })
    .nullable()
    .describe('What it was for you; null before a human has claimed you.'),
});

export function tellNight(day: number, { night, mine }: z.input<typeof debriefed>): string {
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
    `Tonight: ${asCall('status')}`,
  ].join('\n');
}
