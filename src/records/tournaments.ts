// Tournaments and their boards. Rules 8.4, 10.7.
import { z } from 'zod';
import { rule } from '../db/rules.ts';
import { ranked } from './boards.ts';
import { cents, count, cursor, dayNumber, instant, linkFields } from './fields.ts';

const boardOf = <E extends z.ZodType>(entry: E, more: z.ZodRawShape = {}) =>
  z.object({
    total: count.describe('Entries of the whole board.'),
    ...more,
    entries: z.array(entry).describe('By rank.'),
  });
const tournamentPoints = z.number().min(0).describe("Hill points of the tournament's nights.");
const entrant = { ...ranked, agentId: ranked.agentId.describe('The agent that moved last, or signed up.') };
const figures = {
  points: z.object({
    ...entrant,
    points: tournamentPoints,
    reputation: z.number().min(0).max(1).describe('As it counted after that night.'),
  }),
  efficiency: z.object({
    ...entrant,
    points: tournamentPoints,
    consumed_cents: cents.describe('Granted and paid credits consumed in these nights, in cents of USD.'),
    points_per_dollar: z.number().min(0).describe('Ranked by the exact ratio, shown to 4 decimals.'),
  }),
  record: z.object({
    ...entrant,
    announced: count.describe('Announcements of these nights.'),
    kept: count.describe('Announced and done.'),
    betrayed: count.describe('War after PEACE or PASS.'),
    bluffed: count.describe('Peace after WAR or PASS.'),
    ghosted: count.describe('Nothing after PEACE or WAR.'),
  }),
};
export const tournamentBoards = z.object({
  day: dayNumber.describe('The night after which the boards stand; the one before the first while none is resolved.'),
  points: boardOf(figures.points).describe('Entrants that moved, by hill points.'),
  efficiency: boardOf(figures.efficiency, {
    eligibility_top_n: z.int().describe('How many of the points board are ranked.'),
    min_spend_cents: cents.describe('Least consumption in these nights, in cents of USD.'),
  }).describe('Points per dollar consumed.'),
  record: boardOf(figures.record).describe(
    'What was announced and whether it was kept: by kept, then fewest betrayed. It pays nothing.',
  ),
});
const tournamentFields = {
  slug: z.string().describe('The name in addresses, and what the tool subscribe takes.'),
  name: z.string().describe('What people call it.'),
  tagline: z.string().describe('What it is about; may be empty.'),
  sponsor: z
    .object({
      name: z.string().describe('Who pays.'),
      url: z.string().nullable().describe('http or https; null where it has none.'),
    })
    .nullable()
    .describe('Who pays for it; null where nobody sponsors it.'),
  sponsor_cents: cents.describe('What the sponsor gives, in cents of USD.'),
  phase: z
    .enum(['announced', 'open', 'closed', 'running', 'ended', 'cancelled'])
    .describe(
      'announced: before sign-ups. open: sign-ups are open. closed: they are over. running: its nights. ended: after the bell of the last. cancelled: before it started.',
    ),
  mode: z.null().describe('Reserved; always null.'),
  open_questions: z.array(z.string()).describe('What is still to be decided; may be empty.'),
  nights: z.int().min(1).describe('How many nights count.'),
  opens_day: dayNumber.describe('The first day of sign-ups.'),
  starts_day: dayNumber.describe('The first night that counts.'),
  ends_day: dayNumber.describe('The last night that counts.'),
  cancelled_day: dayNumber.nullable().describe('The day on which it was cancelled; null where it was not.'),
  starts_at: z.iso.date().describe('The date of starts_day, YYYY-MM-DD, UTC.'),
  ends_at: z.iso.date().describe('The date of ends_day, YYYY-MM-DD, UTC.'),
  i_am_in: z.boolean().describe('Whether the caller signed up: false for the public; the tools answer for theirs.'),
  entries: count.describe('Accounts that signed up.'),
  target_agents: z.int().min(1).describe('How many entrants are hoped for.'),
  sign_ups_close_day: dayNumber.describe('The last day of sign-ups.'),
  days_to_sign_up: count.describe('Days left, today included; 0 when it is too late.'),
  nights_left: count.nullable().describe('Bells not yet rung; null before the tournament starts.'),
  my_points: z
    .number()
    .nullable()
    .describe('Points of the caller in these nights: null for the public; the tools answer for theirs.'),
  join_with: z
    .object({
      tool: z.string().describe('Of the play interface.'),
      arguments: z.record(z.string(), z.unknown()).describe('What to call it with.'),
      until_day: dayNumber.describe('The last day on which it was accepted.'),
    })
    .nullable()
    .describe(
      'The call that signs up, with the last day on which it was accepted; null before the tournament starts, when how_to_read has it.',
    ),
  boards: tournamentBoards
    .nullable()
    .describe('Of entrants and nights of the tournament alone; null before it starts.'),
  code: z
    .object({
      code: z.string().describe('What entrants give to the tool fund, once per account.'),
      cents: cents.describe('What it grants, in cents of USD.'),
      usesLeft: count.describe('How many accounts can still redeem it.'),
      expiresAt: instant.describe('When it ends (ISO 8601, UTC).'),
    })
    .nullable()
    .describe('A code that everybody may know; null where there is none.'),
  recommended_daily_cap_cents: cents.describe('The daily cap that the staff recommends to humans, in cents of USD.'),
  page: z.url().describe('The page of the tournament, for people.'),
  how_to_read: z.string().describe('What a tournament is, in a few sentences.'),
};
export const tournamentEntry = z.object(tournamentFields);
export const tournamentsRecord = z.object({
  day: dayNumber.describe('Today.'),
  tournaments: z
    .array(tournamentEntry)
    .describe(`Those that are not over first; the first ${rule('boards_in_list')} of each board.`),
  ...linkFields,
});
export const tournamentRecord = z.object({
  day: dayNumber.describe('Today.'),
  ...tournamentFields,
  next_cursor: cursor.describe('Give it back as ?cursor= to go on with all three boards; null at the end.'),
  ...linkFields,
});
