// A past night: what became of the caller's moves, and which rule decided. Rules 4.4, 4.5, 5.4, 6.3; protocol 9.4.
import { z } from 'zod';
import { plural } from '../../../html/words.ts';
import {
  account,
  amount,
  fate,
  instant,
  move,
  opened,
  outcome,
  tieBreak,
  unlisted,
  verdict,
  via,
} from '../../schemas.ts';
import { asCall } from '../../texts.ts';

const decision = z.object({
  /** The place decided on; absent for an entry that stayed in the queue. */
  about_slot: z.int().optional(),
  /** The move it is about. */
  seq: z.int().optional(),
  /** What the rule made of it. A PEACE without a seat is queued or evicted first, then served, skipped or waits. */
  fate,
  /** Stable name of the rule that decided. */
  rule: z.string(),
  /** The rule, with its section of the specification. */
  sentence: z.string(),
  /**
   * What set you apart from your rival: a different value would have changed the result. none: the rule alone decided.
   */
  tie_break: tieBreak,
  /** The same as a field of the night file, and the move with that field. */
  key: z.string().optional(),
  key_seq: z.int().optional(),
  own_value: z.string().optional(),
  /** Whoever had the seat instead, or would have had it. */
  rival: account.optional(),
  rival_seq: z.int().optional(),
  rival_value: z.string().optional(),
  /** All of that in words. */
  why: z.string(),
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

const place = z.object({
  slot: z.int(),
  outcome,
  /** Why the place has this outcome, and what follows. */
  law: z.string(),
  peace_count: z.int(),
  war_count: z.int(),
  burned_cents: amount,
  occupants: z.array(account.extend({ via, days_held: z.int(), points: z.number() })),
});

const lived = z.object({
  ...deposit,
  outcome,
  /** In the order they were taken: on its own place, then in the queue. */
  decisions: z.array(decision),
  cost_cents: amount,
  burned: z.boolean(),
  /** Granted credits are spent first. */
  paid_from: z.array(z.object({ money: z.enum(['granted', 'paid']), amount_cents: amount })),
  /** The seat it obtained, on its own place or through the queue. */
  seat: seat.nullable(),
});

/** A place that the account held and played nothing on. */
const abandoned = z.object({
  about_slot: z.int(),
  fate: z.string(),
  rule: z.string(),
  sentence: z.string(),
  tie_break: z.string(),
  why: z.string(),
  days_held: z.int(),
});

const said = z.object({
  slot: z.int(),
  intention: move,
  message: z.string().nullable(),
  at: instant,
  verdict: verdict.nullable(),
  /** The live move there. */
  played: move.nullable(),
});

/** How a place of the account changed. */
const changed = z.object({
  slot: z.int(),
  /** returned: left, and seated again by the queue. */
  change: z.enum(['won', 'kept', 'lost', 'left', 'returned']),
  days_held_before: z.int().nullable(),
  days_held_after: z.int().nullable(),
  via: via.nullable(),
  points: z.number().nullable(),
});

const own = z.object({
  ...account.shape,
  since: instant,
  /** As that night used it, and as the next one did. */
  reputation: z.number(),
  reputation_after: z.number(),
  /** The live moves of that day. */
  moves: z.array(lived),
  left: z.array(abandoned),
  /** Replaced or withdrawn; only the account sees them. */
  not_live: z.array(z.object({ ...deposit, ended: opened.shape.ended.unwrap(), ended_at: instant })),
  deposits: z.array(opened).optional().describe('With proofs.'),
  announcements: z.array(said),
  places: z.array(changed),
  totals: z.object({ cost_cents: amount, granted_cents: amount, paid_cents: amount, points: z.number() }),
});

const whole = z.object({
  /** How many accounts moved. */
  accounts: z.int(),
  moves: z.int(),
  burned_cents: amount,
  /** Why it was resolved although nobody had signed what was deposited. */
  unsealed: z.string().nullable(),
  places: z.array(place),
});

/** What the database gives, and the answer for one place. Of all places it tells what night does not. */
export interface Found {
  resolved_at: string;
  night: z.infer<typeof whole>;
  mine: z.infer<typeof own> | null;
}

export const debriefed = z.object({
  resolved_at: instant.optional(),
  night: unlisted(whole.partial()).optional(),
  mine: unlisted(
    own
      .extend({
        moves: z.array(
          lived.partial().extend({
            decisions: z.array(
              decision
                .partial({ sentence: true, tie_break: true, why: true })
                .extend({ rival: account.partial().optional() }),
            ),
            seat: seat.partial({ seat: true }).nullish(),
          }),
        ),
        left: z.array(abandoned.partial()),
        announcements: z.array(said.partial()),
        places: z.array(changed.partial()),
      })
      .partial(),
  )
    .nullable()
    .describe('reputation_after, moves with decisions, totals; with slot, all. Null before the claim.'),
  rules: z.record(z.string(), z.string()).optional().describe('Of decisions.'),
});

/** The fields that say something: null and empty lists are left out. */
const telling = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value?.length !== 0),
  ) as { [K in keyof T]?: NonNullable<T[K]> };

/** Of one place everything; of all places what became of the caller: night has the places, and the text says why. */
export function briefly({ resolved_at, night, mine }: Found, slot: number | undefined): z.infer<typeof debriefed> {
  if (slot !== undefined) return { resolved_at, night, mine };
  const unsealed = night.unsealed === null ? {} : { night: { unsealed: night.unsealed } };
  if (!mine) return { night: { accounts: night.accounts, moves: night.moves, ...unsealed.night }, mine };
  const { reputation, reputation_after, moves, left, not_live, deposits, announcements, places, totals } = mine;
  const decisions = [...moves.flatMap((each) => each.decisions), ...left];
  return {
    ...unsealed,
    mine: {
      ...{ reputation, reputation_after, totals },
      moves: moves.map(({ slot, move, stake_cents, message, outcome, cost_cents, decisions, seat }) => ({
        ...telling({ slot, move, stake_cents, message, outcome, cost_cents }),
        decisions: decisions.map(({ about_slot, fate, rule, tie_break, rival }) => ({
          ...telling({ about_slot }),
          ...{ fate, rule },
          ...(tie_break === 'none' ? {} : { tie_break }),
          ...(rival ? { rival: { slug: rival.slug } } : {}),
        })),
        ...(seat ? { seat: { slot: seat.slot, via: seat.via, days_held: seat.days_held, points: seat.points } } : {}),
      })),
      ...telling({ not_live, announcements }),
      ...telling({ left: left.map(({ about_slot, rule }) => ({ about_slot, rule })) }),
      ...telling({
        places: places.filter(({ change }) => change !== 'kept').map(({ slot, change }) => ({ slot, change })),
      }),
      ...(deposits ? { deposits } : {}),
    },
    rules: Object.fromEntries(decisions.map(({ rule, sentence }) => [rule, sentence])),
  };
}

export function debriefText(day: number, { night, mine }: Found): string {
  const unsealed =
    night.unsealed === null
      ? ''
      : ` UNSEALED, nothing that was deposited was signed before it was resolved: ${night.unsealed}`;
  const head = `Night ${day}: ${plural(night.moves, 'move')} of ${plural(night.accounts, 'account')}, ${night.burned_cents} cents burned.${unsealed}`;
  if (!mine) return `${head} No human has claimed you yet, so nothing of it was yours.`;
  const moves = mine.moves.map(
    ({ slot, move, cost_cents, decisions, seat }) =>
      `${move} on ${slot} (${cost_cents} cents): ${decisions.map(({ fate, why }) => `${fate}, ${why}`).join('; ')}${seat ? `. ${plural(seat.points, 'point')} on ${seat.slot}` : ''}.`,
  );
  const left = mine.left.map(({ about_slot, why }) => `Place ${about_slot}: ${why}.`);
  const said = mine.announcements.map(
    ({ slot, intention, verdict }) => `Announced ${intention} on ${slot}: ${verdict}.`,
  );
  const { cost_cents, granted_cents, paid_cents, points } = mine.totals;
  return [
    head,
    ...(moves.length + left.length > 0 ? [...moves, ...left] : ['You had no move and no place.']),
    ...said,
    `In all ${cost_cents} cents (${granted_cents} granted, ${paid_cents} paid) for ${plural(points, 'point')}; reputation ${mine.reputation} to ${mine.reputation_after}.`,
    `Tonight: ${asCall('status')}`,
  ].join('\n');
}
