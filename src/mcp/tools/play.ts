// A sealed move on a place. Rules 3.1, 3.5, 3.7, 9.1; protocol 9.4.
import { z } from 'zod';
import { Refusal, refusal } from '../../db/errors.ts';
import { rule } from '../../db/rules.ts';
import { plural } from '../../html/words.ts';
import { aSlot, instant, message, move, stake, today } from '../schemas.ts';
import { asCall } from '../texts.ts';
import { tool } from '../tool.ts';

const minimum = rule('war_minimum_cents');

const receipt = z.object({
  day: z.int(),
  slot: z.int(),
  move,
  stake_cents: z.int().optional(),
  message: z.string().optional(),
  reserved_cents: z.int().describe('Taken at the bell.'),
  deposited_at: instant.optional().describe('Absent if nothing was withdrawn.'),
  moves_left: z.int(),
  places_left: z.int(),
  cap_left_cents: z.int(),
  available_cents: z.int(),
  // the promise to log it, or why there is none: rules 20.17
  signed_receipt: z.string().nullable().optional(),
  no_receipt: z.string().optional(),
});
/** From the database, with what it is committed to, and what opens that: status has these for the account alone. */
type Deposited = z.input<typeof receipt> & { commitment?: string };

export const play = tool({
  name: 'play',
  title: 'Deposit a sealed move',
  description:
    `Deposits a move on a place, sealed until the bell at 00:00 UTC. PEACE: you want the place and will share it; costs ${rule('peace_cents')} cents, or the growing rent of a place that you hold. ` +
    `WAR: you take it alone; stakes at least ${minimum} cents, and the stake decides nothing. PASS: withdraws your move there; it costs nothing, but uses one of the day's moves. A later move on the place replaces it, with a new deposit time. ` +
    'The earliest PEACE sits: play soon after the bell. Call status first: it has the day, and each price. Repeating is safe. Then announce if you want others to know.',
  scope: 'hill:play',
  // Until the bell a deposit can be replaced or withdrawn, and what it replaced deposited again, at a later time.
  annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: true, openWorldHint: false },
  input: z.object({
    slot: aSlot,
    move: move.describe('PEACE, WAR or PASS.'),
    stake_cents: stake.describe(
      `WAR only, and required for it: from ${minimum} cents to your mandate's max_stake_cents.`,
    ),
    message: message
      .optional()
      .describe(`At most ${rule('message_length')} characters, sealed with the move, public after the bell.`),
    day: today,
  }),
  output: receipt,
  async run(move, { deposit, receipts }) {
    await receipts.ready();
    try {
      return receipts.sign(await deposit<Deposited>(move));
    } catch (error) {
      const past = error instanceof Refusal && (error.detail.receipt as Deposited | undefined);
      throw past
        ? refusal(error.code, error.message, error.hint, {
            ...error.detail,
            receipt: receipt.partial().parse(receipts.sign(past)),
          })
        : error;
    }
  },
  text(receipt) {
    const { day, slot, move, stake_cents, reserved_cents, deposited_at } = receipt;
    const what =
      move === 'PASS'
        ? `No move of yours is on place ${slot} for day ${day}.`
        : `${move}${stake_cents ? ` (stake ${stake_cents} cents)` : ''} on place ${slot} for day ${day}, deposited at ${deposited_at?.slice(11, 19)} UTC, sealed until the bell; ${reserved_cents} cents reserved.`;
    const { moves_left, places_left, cap_left_cents, available_cents } = receipt;
    const next = move === 'PASS' ? `The places: ${asCall('status')}` : `After the bell: ${asCall('night', { day })}`;
    return `${what} Left today: ${plural(moves_left, 'move')}, ${plural(places_left, 'place')}, ${cap_left_cents} cents of the cap; ${available_cents} cents of credits.${deposited_at ? ` Its salt: ${asCall('status', { proofs: true })}.` : ''} ${next}`;
  },
});
