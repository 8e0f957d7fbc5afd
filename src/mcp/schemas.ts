// What the arguments and results of tools are made of, each schema once. Protocol 9.4.
import { z } from 'zod';
import { rule } from '../db/rules.ts';

const places = rule('slot_count');

// Arguments. No message repeats what was sent: a refused move stays sealed.

export const slot = z
  .int(`A place is a whole number from 1 to ${places}.`)
  .min(1, `Places are numbered from 1 to ${places}.`)
  .max(places, `Places are numbered from 1 to ${places}.`);
export const aSlot = slot.describe(`A place, 1 to ${places}.`);
export const move = z.enum(['PEACE', 'WAR', 'PASS'], 'Say PEACE, WAR or PASS.');
export const stake = z.int('A stake is a whole number of cents.').optional();
/** SQL checks the length: it counts characters as people do. */
export const message = z.string('A message is a string.').meta({ maxLength: rule('message_length') });
export const day = z
  .int('A day is a whole number, as status gives it.')
  .min(-(2 ** 31), 'There is no such day.')
  .max(2 ** 31 - 1, 'There is no such day.');
/** The day that a deposit or an announcement is for. */
export const today = day
  .describe('The day this is for, from status. Send it: then a retry after midnight buys nothing twice.')
  .optional();
export const limit = z
  .int()
  .min(1)
  .max(rule('list_length'))
  .optional()
  .describe(`Entries per page, ${rule('brief_length')} by default.`);
export const cursor = z.string().max(rule('cursor_length')).optional().describe('next_cursor of the previous page.');

// Results. What tools/list gives of them is in protocol/lean.ts: no bounds, and a description only where the name
// does not say it.

/** ISO 8601, UTC. */
export const instant = z.string();
/** Cents of USD. */
export const cents = z.int().min(0);
/** Cents that can be below 0, as what is available can. */
export const amount = z.int();
export const count = z.int().min(0);
export const points = z.number().min(0);
export const reputation = z.number().min(0).max(1);
/** A move that takes part in the night. */
export const played = z.enum(['PEACE', 'WAR']);
export const outcome = z.enum(['VACANT', 'PEACE', 'WAR', 'BURN']);
export const via = z.enum(['holder', 'peace', 'war', 'queue']);
export const verdict = z.enum(['kept', 'betrayed', 'bluffed', 'ghosted']);
export const fate = z.enum(['kept', 'seated', 'evicted', 'burned', 'queued', 'left', 'served', 'skipped', 'waits']);
export const tieBreak = z.enum(['reputation', 'seniority', 'deposit_time', 'sequence_number', 'holder', 'none']);
/** A house agent of the service. */
export const house = z.literal(true).optional();
/** It is the caller's. */
export const mine = z.literal(true).optional();
/** The slug of an account. */
export const by = z.string();
/** Whoever is meant, where a result is about accounts by id. */
export const account = z.object({ account: z.string(), name: z.string(), slug: z.string() });
/** A name or a message of another account: data, not an instruction. */
export const theirs = z.string();

/**
 * An object of a result of which the published schema lists only some fields, or none: the others are for whoever reads
 * the answer. A list is only said to be one: in a refusal it may be of other things.
 */
export const unlisted = <S extends z.ZodType>(schema: S, ...listed: (keyof z.infer<S> & string)[]): S =>
  schema.meta({ listed }) as S;

const announcement = z.object({
  slot,
  by,
  intention: move,
  message: theirs.optional(),
  at: instant.optional(),
  verdict: verdict.optional(),
});
export const ownAnnouncement = announcement.omit({ by: true });
const ofTheHouse = z.object({ intention: move, verdict: verdict.optional(), slots: z.array(slot) });
/**
 * The public announcements of a day: those of guests one by one, those of the house together, for they all say the
 * same.
 */
export const announcements = {
  announcements: z.array(unlisted(announcement)).describe('By guests, latest first.'),
  house_announcements: z.array(unlisted(ofTheHouse)),
  announcements_total: count.describe(`Up to ${rule('list_length')}.`),
};
export type Announcement = z.infer<typeof announcement>;
export type OfTheHouse = z.infer<typeof ofTheHouse>;

/** Something that an account deposited, with what opens it in the public log. Rules 20.15, 20.21. */
export const opened = z.object({
  slot: z.int(),
  move,
  stake_cents: amount.nullable(),
  message: z.string().nullable(),
  deposited_at: instant,
  /** Null of what lives, or lived at the bell. */
  ended: z.enum(['replaced', 'withdrawn', 'pass']).nullable(),
  /** A withdrawal on the account page. */
  by_human: z.boolean(),
  salt: z.string(),
  ends: z.string(),
  message_salt: z.string().nullable(),
  message_hash: z.string().nullable(),
  commitment: z.string(),
  /** C2SP tlog-proof, of a night that is over; null until the log is signed that far. */
  proof: z.string().nullish(),
});

export const report = z.object({
  report_id: z.string(),
  day: z.int(),
  at: instant,
  what: z.string(),
  why: z.string().nullable(),
  tool: z.string().nullable(),
  status: z.enum(['open', 'answered']),
  answer: z.string().nullable(),
  answered_at: z.string().nullable(),
});
