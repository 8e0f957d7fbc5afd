// The functions of api_worker, one call each.
import type pg from 'pg';
import { call, callWithSettings } from '../db/call.ts';
import type { Icon } from '../outside/sites/icon.ts';
import type { Finding, Site } from '../outside/sites/look.ts';
import type { MailOutcome } from '../outside/smtp.ts';
import type { Delivery, Outcome } from '../outside/webhooks.ts';
import type { Proof } from '../process/proofs.ts';
import type { HillWords } from '../watch/index.ts';

export interface RungNight {
  readonly day: number;
  readonly accounts: number;
  readonly moves: number;
  readonly burned_cents: number;
  /** Why its closing was not signed; null if it was, or nothing was promised. */
  readonly unsealed: string | null;
  readonly milliseconds: number;
}

export interface Clock {
  readonly clock: 'real' | 'simulated';
  /** Seconds of it that pass in a real second. */
  readonly rate: number;
  readonly now: string;
  readonly day: number;
  readonly last_night: number;
  readonly next_bell_at: string;
  /** When the house begins to deposit before that bell. */
  readonly house_at: string;
  /**
   * Real seconds until the next quarter hour, the house's deposits or the bell, whichever is first; null while the
   * clock stands still.
   */
  readonly seconds_to_next: number | null;
}

/**
 * How long a step waits at most for a lock, such as that of another worker at the same step or of somebody's long
 * transaction. The next turn tries again.
 */
export const lockTimeoutMs = 30_000;

const patiently = [
  // What is read after the lock has what the last deposits wrote that held it, whatever the database's default is.
  'set transaction isolation level read committed',
  // A limit that somebody set for the login or the database must not cut off a large night, night after night.
  'set local statement_timeout = 0',
  'set local transaction_timeout = 0',
  `set local lock_timeout = ${lockTimeoutMs}`,
];

/**
 * Null if no bell is due. `failure`: why its closing could not be signed (trusted.give_up_sealing). Throws NOT_SEALED
 * while it is to be tried again.
 */
export const ringNextBell = (db: pg.Pool, failure: string | null = null): Promise<RungNight | null> =>
  callWithSettings(db, patiently, 'api_worker.ring_next_bell', failure === null ? {} : { failure });

export interface ClosedDay {
  readonly day: number;
  /** Its closing is to be signed before its bell. */
  readonly promised: boolean;
  /** A piece of the day was numbered, and it is not closed yet: call again. */
  readonly more?: true;
}

/** Closes the day whose bell is due, or numbers a piece of what it still needs. Null if none is. */
export const closeNextDay = (db: pg.Pool): Promise<ClosedDay | null> =>
  callWithSettings(db, patiently, 'api_worker.close_next_day');

/**
 * A piece takes seconds. Of a backlog of many hours it takes longer, which no limit of the pool may cut off for ever.
 */
const pieceMs = 600_000;

/** Numbers a piece of what the log waits for. Null if there is none. */
export const numberLog = (db: pg.Pool): Promise<{ readonly size: number; readonly whole: boolean } | null> =>
  callWithSettings(
    db,
    [...patiently, `set local statement_timeout = ${pieceMs}`],
    'api_worker.number_log',
    {},
    pieceMs + 1_000,
  );

/** Throws VERIFICATION_FAILED if a published night is not what its moves come to. */
export const checkPublished = (db: pg.Pool, night: number): Promise<void> =>
  call(db, 'api_worker.check_published', { night });

interface SettledPiece {
  /** The night and the last account of it. */
  readonly after?: string;
  /** The next bell does the rest. */
  readonly ringing?: true;
}
/** Takes the last night from some wallets. Null once all show it. */
export const settleWallets = (db: pg.Pool, after: string | null): Promise<SettledPiece | null> =>
  call(db, 'api_worker.settle_wallets', { after });

/** Returns once the long lists of each night can be read by index. */
export const indexNights = (db: pg.Pool): Promise<void> => call(db, 'api_worker.index_nights');

/** Returns once the next bell finds the table that it opens the day after with. */
export const makeNextTable = (db: pg.Pool): Promise<void> => call(db, 'api_worker.make_next_table');

/** Returns once it is kept what moves would earn tonight. */
export const keepProspects = (db: pg.Pool): Promise<void> => call(db, 'api_worker.keep_prospects');

/** The night that the boards were brought to; null if they were up to date. */
export const buildBoards = (db: pg.Pool): Promise<number | null> => call(db, 'api_worker.build_boards');

/** How many boards that nobody needs any more were dropped; none while somebody reads. */
export const dropOldBoards = (db: pg.Pool): Promise<number> => call(db, 'api_worker.drop_old_boards');

/** The slug of a tournament whose boards were brought to the last night; null if all are up to date. */
export const rankNextTournament = (db: pg.Pool): Promise<string | null> => call(db, 'api_worker.rank_next_tournament');

/** What staff ordered for humans who cannot sign in, and whose bell has rung. */
export const dueAccountOrders = (db: pg.Pool): Promise<string[]> => call(db, 'api_worker.due_account_orders');

/** Whether it was still to be done. */
export const carryOutAccountOrder = (db: pg.Pool, account_order_id: string): Promise<boolean> =>
  call(db, 'api_worker.carry_out_account_order', { account_order_id });

/** How many moves the house deposited. */
export const playHouse = (db: pg.Pool): Promise<number> => call(db, 'api_worker.play_house');

export const refreshSealedCount = (db: pg.Pool): Promise<boolean> => call(db, 'api_worker.refresh_sealed_count');

/** Deletes expired rows of the authorization server, at most so many of each table. Returns how many, by table. */
export const forgetEnded = (db: pg.Pool, at_most: number): Promise<Record<string, number>> =>
  call(db, 'api_worker.forget_ended', { at_most });

export const readClock = (db: pg.Pool): Promise<Clock> => call(db, 'api_worker.read_clock');

/** Moves a simulated clock to an instant, or leaves it where it is (null); likewise its rate. */
export const setClock = (db: pg.Pool, shown_at: string | null, rate: number | null = null): Promise<Date> =>
  call(db, 'api_worker.set_clock', { shown_at, rate });

export interface PublishedNight {
  readonly day: number;
  readonly accounts: number;
  readonly moves: number;
  readonly outcomes: Partial<Record<'VACANT' | 'PEACE' | 'WAR' | 'BURN', number>>;
  readonly burned_cents: number;
}

/** Null before its bell. */
export const readNight = (db: pg.Pool, day: number): Promise<PublishedNight | null> =>
  call(db, 'api_worker.read_night', { day });

/** Cents. */
export interface Credits {
  readonly granted: number;
  readonly paid: number;
}

export interface Admitted {
  readonly account_id: string;
  readonly agent_id: string;
}

/** Makes an agent of a demonstration, with an account and credits. Only on a simulated clock. */
export const admitAgent = (db: pg.Pool, name: string, model: string, { granted, paid }: Credits): Promise<Admitted> =>
  call(db, 'api_worker.admit_agent', { name, model, granted_cents: granted, paid_cents: paid });

/** Records an access token of such an agent. */
export const giveToken = (db: pg.Pool, agent_id: string, token: string): Promise<void> =>
  call(db, 'api_worker.give_token', { agent_id, token });

/** Gives such an agent more credits. */
export const fuelAgent = (db: pg.Pool, account_id: string, { granted, paid }: Credits): Promise<void> =>
  call(db, 'api_worker.fuel_agent', { account_id, granted_cents: granted, paid_cents: paid });

/** What to post next; null if nothing is due. */
export const takeDelivery = (db: pg.Pool): Promise<Delivery | null> => call(db, 'api_worker.take_delivery');

export const endDelivery = (
  db: pg.Pool,
  { id, attempt }: Delivery,
  { outcome, status }: Outcome,
): Promise<{ state: string }> => call(db, 'api_worker.end_delivery', { id, attempt, outcome, status });

/** The site to look at next; null if none is due. */
export const takeSiteCheck = (db: pg.Pool): Promise<Site | null> => call(db, 'api_worker.take_site_check');

interface SiteChecked {
  readonly state: 'checked' | 'waiting' | 'another_site';
  readonly verified?: boolean;
}

export const endSiteCheck = (
  db: pg.Pool,
  { account_id, url }: Site,
  { result, status, tag, badge }: Finding,
): Promise<SiteChecked> => call(db, 'api_worker.end_site_check', { account_id, url, result, status, tag, badge });

export const keepIcon = (db: pg.Pool, { account_id, url }: Site, { result, image }: Icon): Promise<{ state: string }> =>
  call(db, 'api_worker.keep_icon', { account_id, url, result, image });

/** Writes the digests of the last night for some accounts. How many were looked at. */
export const makeDigests = (db: pg.Pool, at_most: number): Promise<number> =>
  call(db, 'api_worker.make_digests', { at_most });

export interface TakenMail {
  readonly id: string;
  readonly address_id: string;
  readonly address: string;
  readonly kind: string;
  readonly about: string;
  readonly made_at: string;
  readonly attempt: number;
  /** Attempts before that may have arrived. */
  readonly unsure: number;
  readonly content: object;
}

/** What to mail next; null if nothing is due. */
export const takeMail = (db: pg.Pool): Promise<TakenMail | null> => call(db, 'api_worker.take_mail');

export const endMail = (
  db: pg.Pool,
  { id, attempt }: Pick<TakenMail, 'id' | 'attempt'>,
  { outcome, status }: MailOutcome,
): Promise<{ state: string }> => call(db, 'api_worker.end_mail', { id, attempt, outcome, status });

/** Of a practice hill: how many were closed. */
export const closeUnusedAccounts = (db: pg.Pool, hours: number): Promise<number> =>
  call(db, 'api_worker.close_unused_accounts', { hours });

/** Of a practice hill: whether its database is larger than that, and its clock stands still for it. */
export const stopFullClock = (db: pg.Pool, bytes: number): Promise<boolean> =>
  call(db, 'api_worker.stop_full_clock', { bytes });

export const forgetMails = (db: pg.Pool): Promise<number> => call(db, 'api_worker.forget_mails');

export const forgetDeliveries = (db: pg.Pool): Promise<number> => call(db, 'api_worker.forget_deliveries');

/** Says that a worker lives. */
export const beat = (db: pg.Pool): Promise<void> => call(db, 'api_worker.beat');

/** See trusted.free_server. */
export interface Freed {
  /** The shares that were taken before. */
  readonly queue: number;
  readonly locks: number;
  readonly may_end: boolean;
  readonly ended: readonly { readonly role: string; readonly application: string; readonly why: string }[];
}

/** Ends sessions that fill or hold what the bell needs of the server. */
export const freeServer = (db: pg.Pool): Promise<Freed> => call(db, 'api_worker.free_server');

/** Throws where the database cannot write. */
export const probeWrites = (db: pg.Pool): Promise<number> => call(db, 'api_worker.probe_writes');

/** Notes for staff and operators that a bell failed. */
export const noteBellFailure = (db: pg.Pool, code: string): Promise<void> =>
  call(db, 'api_worker.note_bell_failure', { code });

/** Whether all balances add up to 0, and all held that was checked last. */
export const countBooks = (db: pg.Pool): Promise<boolean> => call(db, 'api_worker.count_books');

/** What is checked each hour and after each bell; and once after each bell. */
export const bookParts = (db: pg.Pool) =>
  call<Readonly<Record<'hourly' | 'nightly', readonly string[]>>>(db, 'api_worker.book_parts');

/** Whether a part of what must hold does. Who stops meanwhile does not wait for it. */
export async function checkBooks(db: pg.Pool, part: string, signal: AbortSignal): Promise<boolean> {
  const client = await db.connect();
  let left = false;
  const leave = (broken: boolean) => {
    if (!left) client.release(broken);
    left = true;
  };
  const stop = () => leave(true);
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    return await callWithSettings(
      client,
      [...patiently, `set local statement_timeout = ${pieceMs}`],
      'api_worker.check_books',
      { part },
      pieceMs + 1_000,
    );
  } finally {
    signal.removeEventListener('abort', stop);
    leave(false);
  }
}

/** See api_worker.watch. Null where there is nothing yet. */
export interface Figures extends HillWords {
  readonly log: string;
  readonly silent_seconds: number | null;
  readonly last_night: number;
  readonly overdue_seconds: number;
  readonly failure: string | null;
  readonly unsigned_seconds: number;
  /** Since a night was published that some wallets do not show; 0 where all do. */
  readonly unsettled_seconds: number;
  /** The last night is UNSEALED. */
  readonly unsealed: boolean;
  readonly delta_cents: number;
  readonly checks: readonly {
    readonly name: string;
    readonly wrong: number;
    readonly part?: string;
    readonly checked_at?: string;
  }[];
  readonly checked_seconds: number | null;
  readonly counted_seconds: number | null;
  readonly lag_seconds: number | null;
  readonly accounts: number | null;
  readonly moves: number | null;
  readonly charged_cents: number | null;
  readonly burned_cents: number | null;
  readonly sealed_moves: number;
  readonly deliveries: number;
  readonly delivery_seconds: number | null;
  readonly failing_subscriptions: number;
  /** By why: engine.waiting_payments. */
  readonly waiting_payments: Readonly<Record<string, number>>;
}

export const readFigures = (db: pg.Pool): Promise<Figures> => call(db, 'api_worker.watch');

/** Jobs of one task. */
export interface Queued {
  readonly task: string;
  readonly due: number;
  readonly oldest_seconds: number;
  readonly failed: number;
}

export async function readQueue(db: pg.Pool): Promise<Queued[]> {
  const { rows } = await db.query<Queued>(`
    select t.identifier as task,
           count(*) filter (where j.attempts < j.max_attempts and j.run_at <= now() and j.locked_at is null) as due,
           coalesce(extract(epoch from now() - min(j.run_at) filter (where j.attempts < j.max_attempts and j.run_at <= now()
                                                                       and j.locked_at is null)), 0)::float8 as oldest_seconds,
           count(*) filter (where j.attempts >= j.max_attempts and j.locked_at is null) as failed
      from graphile_worker._private_tasks t
      left join graphile_worker._private_jobs j on j.task_id = t.id
     group by t.identifier`);
  return rows;
}
/** A pending top-up to ask Stripe about, with the session that was made for it; null if none is due. */
export const takeCheckout = (db: pg.Pool): Promise<{ checkout: string | null } | null> =>
  call(db, 'api_worker.take_checkout');

/** Returns the outcome in words. */
export const takeStripeSession = (db: pg.Pool, checkout: string, proof: Proof): Promise<string> =>
  call(db, 'api_worker.take_stripe_session', { checkout, ...proof });

/** Returns the outcome in words. */
export const takeStripeEvent = (db: pg.Pool, event: string, proof: Proof): Promise<string> =>
  call(db, 'api_worker.take_stripe_event', { event, ...proof });

/** Seconds since 1970. */
export const eventsSince = (db: pg.Pool): Promise<number> => call(db, 'api_worker.events_since');

export const eventsListed = (db: pg.Pool, until: number): Promise<void> =>
  call(db, 'api_worker.events_listed', { until });
