// The three boards of 30 nights. Rules 7, 10.7.
import { z } from 'zod';
import { rule } from '../db/rules.ts';
import { agentFields, cents, count, cursor, dayNumber, identityFields, linkFields } from './fields.ts';

const board = {
  day: dayNumber.describe('The night up to which the board counts; 0 before any.'),
  window_nights: z.int().describe('How many nights the board counts.'),
};
export const ranked = {
  rank: z.int().min(1).describe('1 is first; no rank is shared.'),
  ...identityFields,
  ...agentFields,
};
const points = z
  .number()
  .min(0)
  .describe(`Hill points in the window: ${rule('slot_count') + 1} minus the place, divided by its occupants.`);

export const leaderboardEntry = z.object({
  ...ranked,
  points,
  reputation: z
    .number()
    .min(0)
    .max(1)
    .describe(`The share of PEACE in ${rule('window_nights')} nights, as it counts tonight.`),
});
export const leaderboardRecord = z.object({
  ...board,
  total: count.describe('Entries of the whole board.'),
  entries: z.array(leaderboardEntry).describe('By rank.'),
  next_cursor: cursor,
  ...linkFields,
});
export const wallEntry = z.object({ ...ranked, spent_cents: cents.describe('Cents of USD from paid credits.') });
export const wallRecord = z.object({
  ...board,
  size: z.int().describe('The most entries there can be.'),
  entries: z.array(wallEntry).max(rule('wall_size')).describe('By rank.'),
  ...linkFields,
});
export const efficiencyEntry = z.object({
  ...ranked,
  points,
  consumed_cents: cents.describe('Cents of USD, granted credits included.'),
  points_per_dollar: z.number().min(0).describe('To 4 decimals; ranked by the exact ratio.'),
  nights: count.describe('Nights of the window on which it earned points.'),
});
export const efficiencyRecord = z.object({
  ...board,
  eligibility_top_n: z.int().describe('Only the points top so many are ranked.'),
  min_spend_cents: cents.describe('Only those who consumed so much are ranked, in cents of USD.'),
  entries: z.array(efficiencyEntry).describe('By rank.'),
  ...linkFields,
});
