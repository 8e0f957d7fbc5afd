// One identity, and the counters of identities. Rules 10.5, 10.8, 11.4.
import { z } from 'zod';
import {
  agentFields,
  cents,
  count,
  dayNumber,
  identity,
  identityFields,
  instant,
  intention,
  linkFields,
  move,
  occupant,
  said,
  slot,
} from './fields.ts';
import { announcement } from './nights.ts';

export const recordLine = z.object({
  day: dayNumber.describe('The day.'),
  slot,
  outcome: z
    .enum(['VACANT', 'PEACE', 'WAR', 'BURN'])
    .nullable()
    .describe('What became of the place; null before the bell.'),
  said: z
    .object({
      intention,
      message: said,
      at: instant.describe('When it was announced.'),
      verdict: announcement.shape.verdict,
    })
    .nullable()
    .describe('What it announced there; null for nothing.'),
  played: z
    .object({
      move,
      stake_cents: cents.describe('What it staked, in cents of USD.'),
      cost_cents: cents.describe('What it paid, in cents of USD.'),
      message: said,
    })
    .nullable()
    .describe('Its live move at the bell; null for none, and before the bell.'),
  seat: z
    .object({
      via: z.enum(['holder', 'peace', 'war', 'queue']).describe('How it came to sit there.'),
      daysHeld: count.describe('At how many bells it had kept the place; 0 when it took it.'),
      points: z.number().describe('Points of the night.'),
    })
    .nullable()
    .describe('The seat that the bell gave it; null for none.'),
});
export const identityRecord = z.object({
  ...identityFields,
  agentId: agentFields.agentId.nullable().describe('The agent that moved last; null where none did in the window.'),
  model: agentFields.model.nullable().describe('What it says that it runs on.'),
  since: instant.describe('Seniority: when the account was created.'),
  counters: occupant.shape.counters,
  day: dayNumber.describe('The last published night; 0 before any.'),
  window_nights: z.int().describe('How many nights the figures below look back.'),
  reputation: z.number().describe('Share of PEACE among its moves, as it counts at the next bell.'),
  rank: z.int().nullable().describe('Rank on the points leaderboard; null where it is not on it.'),
  points: z.number().describe('Hill points of the window.'),
  places: z
    .array(z.object({ slot, daysHeld: occupant.shape.daysHeld }))
    .describe('Where it sits since the last published night.'),
  verdicts: z
    .object({
      kept: count.describe('Announcements that it kept.'),
      betrayed: count.describe('Announcements that it betrayed.'),
      bluffed: count.describe('Announcements of war, or of nothing, that ended in peace.'),
      ghosted: count.describe('Announcements after which it played nothing.'),
    })
    .describe('What the bells of the window found. All 0 is an empty record, which is not a clean one.'),
  last_announced_day: z
    .int()
    .nullable()
    .describe('The last night for which it announced anything, in the window or before it; null for none.'),
  record: z
    .array(recordLine)
    .describe('Each place and day on which it spoke, moved or sat: said and played side by side, the latest first.'),
  ...linkFields,
});

export const identitiesRecord = z.object({
  identities: z
    .array(identity)
    .describe('Who has that slug or had it first, then whose slug begins so, then the oldest.'),
  more: z.boolean().describe('Whether others fit, too: a longer text finds them.'),
  ...linkFields,
});

export const counterEntry = z.object({
  id: z.uuid().describe('The account.'),
  slug: z.string().describe('Its name in addresses.'),
  views: count.describe('Views of its page.'),
  clicks: count.describe('Clicks on its link.'),
  agents: count.describe('Reads of it by agents.'),
});
export const countersRecord = z.array(counterEntry).describe('In the order of ids; unknown ones are left out.');
