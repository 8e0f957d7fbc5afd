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

/** engine.account_mail. */
export interface MailState {
  readonly address: string | null;
  readonly nightly: boolean;
  readonly confirmed_at: string | null;
  readonly stopped_at: string | null;
  readonly stopped_because: 'unsubscribed' | 'refused' | 'secret_lost' | null;
  readonly asked_address: string | null;
  /** What became of asking it: null if none was asked. */
  readonly asked: 'waits' | 'refused' | 'over' | null;
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
  /** null if no address was ever named, or it was taken away. */
  readonly mail: MailState | null;
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
