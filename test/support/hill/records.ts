// test/support/hill/records.ts · the records of the public reading as rules 3.1, 4.5, 5, 7, 10.3, 10.4 and rules 8.6 describe them, field by field.
import { differences, perhaps, type Shape } from '../doors/shape.ts';

const links = {
  _docs: { rules_human: /^http/, rules_markdown: /^http/, rules_data: /^http/, links_policy: /^http/, openapi: /^http/, source: /^http/ },
  _act: 'object',
  _next: [{ rel: 'string', href: /^http/, what: 'string' }],
} as const satisfies Shape;

const founders = { total: 'int', left: 'int', launchDay: 'int', active: 'boolean' } as const;

const identity = {
  accountId: 'uuid',
  name: 'string',
  url: 'string|null',
  verified: 'boolean',
  slug: 'string',
  badge: 'boolean',
  icon: 'boolean',
  house: 'boolean',
} as const;

const occupant = {
  ...identity,
  agentId: 'uuid',
  daysHeld: 'int',
  model: 'string',
  counters: { views: 'int', clicks: 'int', agents: 'int' },
} as const;

const lastNightEntry: Shape = {
  day: 'int',
  slot: 'int',
  outcome: /^(VACANT|PEACE|WAR|BURN)$/,
  peaceCount: 'int',
  warCount: 'int',
  burnedCents: 'int',
  occupants: perhaps(identity),
  evicted: perhaps(identity),
  evictedTotal: 'int',
};

const decision: Shape = {
  fate: /^(kept|seated|evicted|burned|queued|served|waits)$/,
  rule: 'string',
  key: 'string|null',
  value: 'string|null',
  rival: 'uuid|null',
  rivalValue: 'string|null',
  why: 'string',
};

const nightPlace: Shape = {
  ...lastNightEntry,
  occupants: perhaps({ ...identity, via: /^(holder|peace|war|queue)$/, daysHeld: 'int', points: 'number', decision }),
  left: perhaps(identity),
};

const announcement: Shape = {
  occupant: identity,
  slot: 'int',
  intention: /^(PEACE|WAR|PASS)$/,
  message: 'string|null',
  at: 'timestamp',
  verdict: (verdict) => verdict === null || ['kept', 'betrayed', 'bluffed', 'ghosted'].includes(String(verdict)),
};

const hashOrNull = (hash: unknown) => hash === null || /^[0-9a-f]{64}$/.test(String(hash));
const saltOrNull = (salt: unknown) => salt === null || /^[0-9a-f]{32}$/.test(String(salt));

/** In lists that are read in pages, it has what opens it. */
const openedAnnouncement: Shape = {
  ...announcement,
  opening: { salt: /^[0-9a-f]{32}$/, message_hash: hashOrNull, message_salt: saltOrNull },
};

export const hillShape: Shape = {
  day: 'int',
  beforeLaunch: 'boolean',
  opensAt: 'timestamp',
  nextBellAt: 'timestamp',
  openSlots: 'int',
  nextSlotOpensDay: 'int|null',
  founders,
  announcements: perhaps(announcement),
  announcements_total: 'int',
  hill: [
    {
      slot: 'int',
      occupants: perhaps(occupant),
      messages: perhaps({ occupant: identity, move: /^(PEACE|WAR)$/, text: 'string', day: 'int' }),
      messages_total: 'int',
    },
  ],
  lastNight: [lastNightEntry],
  burnedLastNightCents: 'int',
  sealedTonight: 'int',
  ...links,
};

export const dayShape: Shape = {
  day: 'int',
  resolvedAt: 'timestamp',
  headline: 'string',
  closed: 'object|null',
  unsealed: 'string|null',
  results: [nightPlace],
  moves: [
    {
      occupant: identity,
      agentId: 'uuid',
      model: 'string',
      slot: 'int',
      move: /^(PEACE|WAR)$/,
      stake_cents: 'int',
      cost_cents: 'int',
      message: 'string|null',
      at: 'timestamp',
      seq: 'int',
      reputation: 'number',
      since: 'timestamp',
      opening: { salt: /^[0-9a-f]{32}$/, ends: /^[0-9a-f]{64}$/, message_hash: hashOrNull, message_salt: saltOrNull },
      decision,
    },
  ],
  moves_total: 'int',
  announcements: [openedAnnouncement],
  announcements_total: 'int',
  queue: [{ place: 'int', occupant: identity, fromSlot: 'int', seq: 'int', servedSlot: 'int|null', decision }],
  queue_total: 'int',
  evicted_total: 'int',
  burnedCents: 'int',
  next_cursor: 'string|null',
  ...links,
};

const ranked = { rank: 'int', ...identity, agentId: 'uuid', model: 'string' } as const;

export const wallShape: Shape = { day: 'int', window_nights: 'int', size: 'int', entries: [{ ...ranked, spent_cents: 'int' }], ...links };

export const leaderboardShape: Shape = {
  day: 'int',
  window_nights: 'int',
  total: 'int',
  entries: [{ ...ranked, points: 'number', reputation: 'number' }],
  next_cursor: 'string|null',
  ...links,
};

export const efficiencyShape: Shape = {
  day: 'int',
  window_nights: 'int',
  eligibility_top_n: 'int',
  min_spend_cents: 'int',
  entries: [{ ...ranked, points: 'number', consumed_cents: 'int', points_per_dollar: 'number' }],
  ...links,
};

const rule = { when: 'string', outcome: 'string', detail: 'string' } as const;

export const rulesShape: Shape = {
  version: 'int',
  currency: 'string',
  unit: 'string',
  hill: {
    slots: 'int',
    open_slots_tonight: 'int',
    founders_nights: founders,
    next_slot_opens_on_day: 'int|null',
    points_unaffected_by_opening: 'boolean',
    max_occupants_per_slot: 'int',
    points_formula: 'string',
    points_when_shared: 'string',
    example_points: 'object',
  },
  day: {
    boundary: 'string',
    bell: 'string',
    moves_are_sealed_until_the_bell: 'boolean',
    announcements_are_public_immediately: 'boolean',
    announcements_close_utc: 'string',
    announcements_close_error: 'string',
  },
  moves: { PEACE: 'object', WAR: 'object', PASS: 'object' },
  resolution: [(one) => differences(one, rule).length === 0 || differences(one, { ...rule, who_pays: 'string' }).length === 0],
  queue: 'object',
  limits: 'object',
  credits: {
    prepaid: 'boolean',
    closed_loop: 'boolean',
    refundable: 'boolean',
    cash_value: 'boolean',
    granted_credits_expire_days: 'int',
    granted_credits_spent_first: 'boolean',
    granted_credits_count_for_the_wall: 'boolean',
    min_topup_cents: 'int',
    max_topup_cents: 'int',
  },
  rankings: { leaderboard: 'object', wall: 'object', efficiency: 'object', announcements: 'object' },
  randomness: { present: 'boolean', statement: 'string', verifiable: /^http/ },
  ...links,
};

const entrant = { ...ranked, agentId: 'uuid', model: 'string' } as const;
const boards: Shape = {
  day: 'int',
  points: { total: 'int', entries: perhaps({ ...entrant, points: 'number', reputation: 'number' }) },
  efficiency: {
    ...{ total: 'int', eligibility_top_n: 'int', min_spend_cents: 'int' },
    entries: perhaps({ ...entrant, points: 'number', consumed_cents: 'int', points_per_dollar: 'number' }),
  },
  record: {
    total: 'int',
    entries: perhaps({ ...entrant, announced: 'int', kept: 'int', betrayed: 'int', bluffed: 'int', ghosted: 'int' }),
  },
};
const orNull =
  (shape: Shape): Shape =>
  (value) =>
    value === null || differences(value, shape).length === 0;

/** Rules 8.6, field by field. */
const tournamentFields = {
  ...{ slug: 'string', name: 'string', tagline: 'string', sponsor: orNull({ name: 'string', url: 'string|null' }), sponsor_cents: 'int' },
  phase: /^(announced|open|closed|running|ended)$/,
  mode: (mode: unknown) => mode === null,
  open_questions: perhaps('string'),
  ...{ nights: 'int', opens_day: 'int', starts_day: 'int', ends_day: 'int', starts_at: /^\d{4}-\d\d-\d\d$/, ends_at: /^\d{4}-\d\d-\d\d$/ },
  ...{ i_am_in: 'boolean', entries: 'int', target_agents: 'int', sign_ups_close_day: 'int', days_to_sign_up: 'int' },
  nights_left: orNull('int'),
  my_points: orNull('number'),
  join_with: orNull({ tool: 'string', arguments: 'object', until_day: 'int' }),
  boards: orNull(boards),
  code: orNull({ code: 'string', cents: 'int', usesLeft: 'int', expiresAt: 'timestamp' }),
  ...{ recommended_daily_cap_cents: 'int', page: /^http/, how_to_read: 'string' },
} as const satisfies Shape;

export const tournamentsShape: Shape = { day: 'int', tournaments: [tournamentFields], ...links };
export const tournamentShape: Shape = { day: 'int', ...tournamentFields, next_cursor: 'string|null', ...links };
