// humans/records.ts · what the database tells humans about their own accounts.

export interface LiveMove {
  readonly slot: number;
  readonly move: 'PEACE' | 'WAR';
  readonly stake_cents?: number;
  readonly message?: string;
  readonly reserved_cents: number;
  readonly deposited_at: string;
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
}

/** api_human.account. Amounts in cents. */
export interface AccountState {
  readonly day: number;
  readonly account_id: string;
  readonly name: string;
  readonly slug: string;
  /** Whether an agent has ever had this account: until then its human may name it. */
  readonly has_agents: boolean;
  readonly email: string | null;
  readonly suspended: boolean;
  /** A top-up is disputed or was refunded: agents deposit nothing new. */
  readonly barred: boolean;
  /** The latest first. */
  readonly top_ups: readonly TopUp[];
  readonly sign_ins: readonly SignIn[];
  readonly sessions: number;
  /** How many days a sign-in lasts. */
  readonly session_days: number;
  readonly granted_cents: number;
  readonly paid_cents: number;
  readonly reserved_cents: number;
  readonly available_cents: number;
  readonly daily_cap_cents: number;
  readonly max_stake_cents: number;
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
