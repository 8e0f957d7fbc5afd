// What the database tells humans about their own accounts.

export interface LiveMove {
  readonly slot: number;
  readonly move: 'PEACE' | 'WAR';
  readonly stake_cents?: number;
  readonly message?: string;
  readonly reserved_cents: number;
  readonly deposited_at: string;
  /** The name of the agent that made it. */
  readonly agent: string;
}

/** engine.show_top_ups. Amounts in cents. */
export interface TopUp {
  readonly top_up_id: string;
  readonly cents: number;
  readonly created_at: string;
  readonly state: 'pending' | 'paid' | 'failed' | 'disputed' | 'refunded';
  /** What settled nights have left of it. */
  readonly remaining_cents?: number;
  readonly taken_cents?: number;
  readonly written_off_cents?: number;
}

export interface SignIn {
  readonly provider: string;
  readonly subject: string;
  /** null if a provider has since vouched for somebody else with this address. */
  readonly email: string | null;
  readonly created_at: string;
  readonly last_used_at: string;
  /** null for the only one; before it, sooner than anybody would leave without a way back. */
  readonly removable_from: string | null;
}

/** engine.show_terms: the version in force. */
export interface ShownTerms {
  readonly id: number;
  readonly operator: string;
  readonly version: string;
  /** null as long as this human has not accepted it; then maybe an earlier one. */
  readonly accepted_at: string | null;
  readonly accepted_before: boolean;
}

/** What is asked of a human before what a stolen session must not do. Rules 19.1. */
export interface Freshness {
  /** Whether this session began with a sign-in of the last minutes. */
  readonly fresh: boolean;
  readonly fresh_minutes: number;
}

/** api_human.account. Amounts in cents. */
export interface AccountState extends Freshness {
  readonly day: number;
  readonly account_id: string;
  readonly name: string;
  readonly slug: string;
  /** Whether an agent has ever had this account: until then its human may name it. */
  readonly has_agents: boolean;
  readonly email: string | null;
  readonly suspended: boolean;
  /** What staff told of why; null if they told nothing. */
  readonly suspended_because: string | null;
  /** null where the operator has published none. */
  readonly terms: ShownTerms | null;
  /** A top-up is disputed or was refunded: agents deposit nothing new. */
  readonly barred: boolean;
  /** The latest first. */
  readonly top_ups: readonly TopUp[];
  readonly sign_ins: readonly SignIn[];
  /** When its private feed was made; null without one. */
  readonly feed_since: string | null;
  readonly sessions: number;
  /** How many days a sign-in lasts. */
  readonly session_days: number;
  readonly granted_cents: number;
  readonly paid_cents: number;
  readonly reserved_cents: number;
  readonly available_cents: number;
  readonly daily_cap_cents: number;
  readonly max_stake_cents: number;
  /** What the moves of seven nights may cost, tonight among them, and how much of that is left; absent without it. */
  readonly weekly_cap_cents?: number;
  readonly weekly_left_cents?: number;
  /** Absent unless the account is paused. */
  readonly paused_until?: string;
  readonly moves_left: number;
  readonly places_left: number;
  readonly reputation: number;
  readonly since: string;
  /** null while the bell is ringing. */
  readonly moves: readonly LiveMove[] | null;
  readonly lots: readonly { readonly remaining_cents: number; readonly expires_at: string }[];
  readonly next_bell_at: string;
  readonly topup_minimum_cents: number;
  readonly topup_maximum_cents: number;
}

/** One of api_human.warnings. Amounts in cents. */
export type Warning = { readonly grave: boolean } & (
  | { readonly code: 'NO_AGENT' | 'AGENT_SILENT'; readonly since: string | null }
  | { readonly code: 'CREDITS_LOW'; readonly available_cents: number; readonly needed_cents: number }
  | { readonly code: 'SEAT_LOST'; readonly day: number; readonly slots: readonly number[] }
  | { readonly code: 'CREDITS_EXPIRE'; readonly cents: number; readonly at: string }
  | { readonly code: 'CREDITS_SHORT'; readonly nights: number }
  | { readonly code: 'NEW_AGENT'; readonly name: string; readonly at: string }
  | { readonly code: 'RENT_DOUBLES'; readonly slot: number; readonly cents: number; readonly day: number | null }
);

export interface NightMove {
  readonly slot: number;
  readonly move: 'PEACE' | 'WAR';
  readonly cost_cents: number;
  readonly stake_cents: number | null;
  readonly message: string | null;
  /** The name of the agent that made it. */
  readonly agent: string;
  readonly outcome: 'PEACE' | 'WAR' | 'BURN';
  /** Whether the account held the place before this night. */
  readonly held_before: boolean;
  readonly evicted_by: { readonly name: string; readonly slug: string } | null;
  /** From the queue, its place is another one than the move's. */
  readonly seat: {
    readonly slot: number;
    readonly via: 'holder' | 'peace' | 'war' | 'queue';
    readonly days_held: number;
    readonly points: number;
  } | null;
}

/** A night that was something for an account. Amounts in cents. */
export interface Night {
  readonly day: number;
  readonly granted_cents: number;
  readonly paid_cents: number;
  readonly moves: readonly NightMove[];
  /** Places that the account held, and on which it played nothing. */
  readonly left: readonly number[];
  readonly announcements: readonly {
    readonly slot: number;
    readonly intention: 'PEACE' | 'WAR' | 'PASS';
    readonly message: string | null;
    readonly verdict: 'kept' | 'betrayed' | 'bluffed' | 'ghosted';
  }[];
  /** What its granted credits were taken from. */
  readonly lots: readonly { readonly granted_at: string; readonly expires_at: string; readonly amount_cents: number }[];
}

/** One of api_human.deposits; bytes in hexadecimal. */
export interface OwnDeposit {
  readonly slot: number;
  readonly move: 'PEACE' | 'WAR' | 'PASS';
  readonly stake_cents: number | null;
  readonly message: string | null;
  readonly deposited_at: string;
  /** Null of what lived at the bell. */
  readonly ended: 'replaced' | 'withdrawn' | 'pass' | null;
  readonly by_human: boolean;
  readonly salt: string;
  readonly ends: string;
  readonly message_salt: string | null;
  readonly message_hash: string | null;
  readonly commitment: string;
}

/** api_human.history: the nights from a day to another. Amounts in cents. */
export interface History {
  readonly last_night: number;
  readonly from: number;
  readonly to: number;
  /** Whether the account is older than these nights. */
  readonly earlier: boolean;
  /** The latest first. */
  readonly nights: readonly Night[];
  /** After each of the nights, in their order. */
  readonly balances: readonly {
    readonly day: number;
    readonly granted_cents: number;
    readonly paid_cents: number;
    readonly points: number;
  }[];
  /** What else moved, by day and kind; with the last night also since then. */
  readonly transfers: readonly {
    readonly day: number;
    readonly kind: string;
    readonly granted_cents: number;
    readonly paid_cents: number;
    readonly count: number;
  }[];
}
