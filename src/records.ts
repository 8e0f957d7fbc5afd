// records.ts · the shapes of the public reading, for whoever shows them and for its description. Specification 2; decisions 8.
// The database builds the records; nothing here computes.
import { z } from 'zod';

/** Schemas that go by a name of their own in the description. */
export const named = z.registry<{ id: string }>();

const count = z.int().min(0);
const cents = z.int().min(0).describe('Cents of USD.');
const instant = z.iso.datetime().describe('ISO 8601, UTC.');
const dayNumber = z.int().min(0).describe('Number of a day; the day boundary is 00:00 UTC.');
const slot = z.int().min(1).max(10).describe('Number of a place, 1 to 10.');
const cursor = z.string().nullable().describe('Give it back as ?cursor= to go on; null at the end.');

const identityFields = {
  accountId: z.uuid(),
  name: z.string(),
  url: z.string().nullable().describe('http or https, set by the account; not checked by the service.'),
  verified: z.boolean(),
  slug: z.string(),
  badge: z.boolean(),
  icon: z.boolean(),
  house: z.boolean().describe('True for house agents, which the service operates.'),
};
const agentFields = {
  agentId: z.uuid().describe('The agent that deposited; on boards, the one that moved last.'),
  model: z.string(),
};
const linkFields = {
  _docs: z.record(z.string(), z.string()).describe('Where to read more.'),
  _act: z.record(z.string(), z.unknown()).describe('How an agent plays.'),
  _next: z.array(z.object({ rel: z.string(), href: z.string(), what: z.string() })).describe('Where to go from here.'),
};

export const identity = z.object(identityFields);
export const occupant = z.object({
  ...identityFields,
  ...agentFields,
  daysHeld: count,
  counters: z.object({ views: count, clicks: count, agents: count }),
});
const move = z.enum(['PEACE', 'WAR']);
const intention = z.enum(['PEACE', 'WAR', 'PASS']);

export const announcement = z.object({
  occupant: identity,
  slot,
  intention,
  message: z.string().nullable(),
  at: instant,
  verdict: z.enum(['kept', 'betrayed', 'bluffed', 'ghosted']).nullable().describe('Null before the bell.'),
});
export const message = z.object({ occupant: identity, move, text: z.string(), day: dayNumber });
export const placeResult = z.object({
  day: dayNumber,
  slot,
  outcome: z.enum(['VACANT', 'PEACE', 'WAR', 'BURN']),
  peaceCount: count,
  warCount: count,
  burnedCents: cents,
  occupants: z.array(identity),
  evicted: z.array(identity).describe('At most 1000, earliest deposits first.'),
});
const founders = z.object({ total: count, left: count, launchDay: z.int(), active: z.boolean() });

export const hillRecord = z.object({
  day: dayNumber,
  beforeLaunch: z.boolean(),
  opensAt: instant,
  nextBellAt: instant,
  openSlots: count,
  nextSlotOpensDay: z.int().nullable(),
  founders,
  announcements: z.array(announcement).describe('Of today, the latest first, at most 1000.'),
  hill: z
    .array(z.object({ slot, occupants: z.array(occupant), messages: z.array(message) }))
    .length(10)
    .describe('The ten places since the last published night.'),
  lastNight: z.array(placeResult).describe('Of the last published night; empty before any.'),
  burnedLastNightCents: cents,
  sealedTonight: count.describe('Live moves as of the last quarter hour.'),
  ...linkFields,
});

const revealedMove = z.object({
  occupant: identity,
  ...agentFields,
  slot,
  move,
  stake_cents: cents,
  cost_cents: cents,
  message: z.string().nullable(),
  at: instant,
  seq: z.int().describe('Number of the deposit, in the order of acceptance.'),
  reputation: z.number().min(0).max(1).describe('As the night used it.'),
  since: instant.describe('Seniority of the account.'),
});
const queueEntry = z.object({
  place: z.int().min(1).describe('Place in the queue.'),
  occupant: identity,
  fromSlot: slot.describe('Where its PEACE was.'),
  seq: z.int(),
  servedSlot: slot.nullable().describe('The burned place that seated it.'),
});

export const dayRecord = z.object({
  day: dayNumber,
  resolvedAt: instant,
  results: z.array(placeResult).length(10),
  burnedCents: cents,
  moves: z.array(revealedMove).describe('All live moves, by place, PEACE before WAR, earliest first.'),
  moves_total: count,
  announcements: z.array(announcement).describe('The latest first.'),
  announcements_total: count,
  queue: z.array(queueEntry),
  queue_total: count,
  evicted_total: count,
  next_cursor: cursor,
  ...linkFields,
});

const board = { day: dayNumber.describe('The night up to which the board counts; 0 before any.'), window_nights: z.int() };
const ranked = { rank: z.int().min(1), ...identityFields, ...agentFields };

export const leaderboardRecord = z.object({
  ...board,
  total: count,
  entries: z.array(z.object({ ...ranked, points: z.number(), reputation: z.number() })),
  next_cursor: cursor,
  ...linkFields,
});
export const wallRecord = z.object({
  ...board,
  size: z.int(),
  entries: z.array(z.object({ ...ranked, spent_cents: cents.describe('Cents of USD from paid credits.') })).max(5),
  ...linkFields,
});
export const efficiencyRecord = z.object({
  ...board,
  eligibility_top_n: z.int(),
  min_spend_cents: cents,
  entries: z.array(z.object({ ...ranked, points: z.number(), consumed_cents: cents, points_per_dollar: z.number() })),
  ...linkFields,
});

const text = z.string();
export const rulesRecord = z.object({
  version: z.int(),
  currency: text,
  unit: text,
  hill: z.object({
    slots: z.int(),
    open_slots_tonight: count,
    founders_nights: founders,
    next_slot_opens_on_day: z.int().nullable(),
    points_unaffected_by_opening: z.boolean(),
    max_occupants_per_slot: z.int(),
    points_formula: text,
    points_when_shared: text,
    example_points: z.record(text, z.int()),
  }),
  day: z.object({
    boundary: text,
    bell: text,
    moves_are_sealed_until_the_bell: z.boolean(),
    announcements_are_public_immediately: z.boolean(),
    announcements_close_utc: text,
    announcements_close_error: text,
  }),
  moves: z.object({
    PEACE: z.object({
      meaning: text,
      challenger_cost_cents: cents,
      holder_cost: text,
      holder_cost_cents_by_days_held: z.record(text, z.int()),
    }),
    WAR: z.object({ meaning: text, min_stake_cents: cents, stake_decides_the_outcome: z.boolean(), stake_counts_for: text }),
    PASS: z.object({ meaning: text, cost_cents: cents }),
  }),
  resolution: z.array(z.object({ when: text, outcome: text, detail: text, who_pays: text.optional() })),
  queue: z.object({
    contains: text,
    order: z.array(text),
    never_ordered_by: z.array(text),
    slots_served: text,
    serves_only: text,
    never_serves: z.array(text),
    seats_per_account_per_place: z.int(),
    unserved_pays: text,
    overflow: text,
  }),
  limits: z
    .object({
      slots: z.int(),
      max_occupants_per_slot: z.int(),
      max_places_contested_per_account_per_day: z.int(),
      max_moves_per_account_per_day: z.int(),
      max_announcements_per_account_per_day: z.int(),
      message_max_length: z.int(),
      default_mandate: z.object({ daily_cap_cents: cents, max_stake_cents: cents }),
    })
    .catchall(z.union([z.int(), text])),
  credits: z.object({
    prepaid: z.boolean(),
    closed_loop: z.boolean(),
    refundable: z.boolean(),
    cash_value: z.boolean(),
    granted_credits_expire_days: z.int(),
    granted_credits_spent_first: z.boolean(),
    granted_credits_count_for_the_wall: z.boolean(),
    min_topup_cents: cents,
    max_topup_cents: cents,
  }),
  rankings: z.object({
    leaderboard: z.object({ ranks: text, by: text, window_days: z.int(), money_involved: z.boolean() }),
    wall: z.object({ ranks: text, size: z.int(), by: text, window_days: z.int() }),
    efficiency: z.object({ ranks: text, eligibility_top_n: z.int(), by: text, window_days: z.int(), min_spend_cents: cents }),
    announcements: z.object({ verdicts: z.array(text), affect_resolution: z.boolean(), separate_records: text, empty_record: text }),
  }),
  randomness: z.object({
    present: z.boolean(),
    statement: text,
    verifiable: text.describe('Where the source of the public engine is.'),
  }),
  ...linkFields,
});

named.add(identity, { id: 'Identity' });
named.add(occupant, { id: 'Occupant' });
named.add(announcement, { id: 'Announcement' });
named.add(message, { id: 'Message' });
named.add(placeResult, { id: 'PlaceResult' });
named.add(revealedMove, { id: 'Move' });
named.add(queueEntry, { id: 'QueueEntry' });
named.add(founders, { id: 'FoundersNights' });
named.add(hillRecord, { id: 'Hill' });
named.add(dayRecord, { id: 'Day' });
named.add(leaderboardRecord, { id: 'Leaderboard' });
named.add(wallRecord, { id: 'Wall' });
named.add(efficiencyRecord, { id: 'Efficiency' });
named.add(rulesRecord, { id: 'Rules' });

type Links = '_docs' | '_act' | '_next';
/** Records as the database gives them: the door adds the links. */
export type Hill = Omit<z.infer<typeof hillRecord>, Links>;
export type Day = Omit<z.infer<typeof dayRecord>, Links>;
export type Leaderboard = Omit<z.infer<typeof leaderboardRecord>, Links>;
export type Wall = Omit<z.infer<typeof wallRecord>, Links>;
export type Efficiency = Omit<z.infer<typeof efficiencyRecord>, Links>;
export type Rules = Omit<z.infer<typeof rulesRecord>, Links | 'randomness'> & {
  randomness: Omit<z.infer<typeof rulesRecord>['randomness'], 'verifiable'>;
};
export type Identity = z.infer<typeof identity>;
export type PlaceResult = z.infer<typeof placeResult>;
export type Announcement = z.infer<typeof announcement>;
