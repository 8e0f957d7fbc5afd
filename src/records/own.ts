// What the database tells of an account to its own human: on the account page, in the private feed and by mail.

/** One of api_human.warnings. Amounts in cents. */
export type Warning = { readonly grave: boolean; readonly occasion: string } & (
  | ({ readonly code: 'STAFF_ORDER' } & StaffOrder)
  | { readonly code: 'NO_AGENT' | 'AGENT_SILENT'; readonly since: string | null }
  | { readonly code: 'CREDITS_LOW'; readonly available_cents: number; readonly needed_cents: number }
  | { readonly code: 'SEAT_LOST'; readonly day: number; readonly slots: readonly number[] }
  | { readonly code: 'CREDITS_EXPIRE'; readonly cents: number; readonly at: string }
  | { readonly code: 'CREDITS_SHORT'; readonly nights: number }
  | { readonly code: 'NEW_AGENT'; readonly name: string; readonly at: string }
  | { readonly code: 'RENT_DOUBLES'; readonly slot: number; readonly cents: number; readonly day: number | null }
);

/** What staff do with an account whose human cannot sign in. */
export interface StaffOrder {
  readonly account_order_id: number;
  readonly what: 'move_sign_in' | 'close_account_for';
  readonly state: 'begun' | 'approved';
  /** The bell after which it is done; null until it is approved. */
  readonly at: string | null;
}

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
