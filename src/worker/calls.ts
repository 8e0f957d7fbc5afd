// worker/calls.ts · the functions of api_worker, one call each.
import type pg from 'pg';
import type { Finding, Site } from '../outside/sites/look.ts';
import type { Delivery, Outcome } from '../outside/webhooks.ts';

export interface RungNight {
  readonly day: number;
  readonly accounts: number;
  readonly moves: number;
  readonly burned_cents: number;
  readonly milliseconds: number;
}

export interface Clock {
  readonly clock: 'real' | 'simulated';
  /** How many of its seconds pass in one real second. */
  readonly rate: number;
  readonly now: string;
  readonly day: number;
  readonly last_night: number;
  readonly next_bell_at: string;
  /** From when the house deposits before that bell. */
  readonly house_at: string;
  /** Real seconds until the next quarter hour, the house's deposits or the bell; null while the clock stands still. */
  readonly seconds_to_next: number | null;
}

/** How long a step waits for a lock at most: for another worker at the same step, say, or for somebody's long transaction. The next job tries again. */
export const lockTimeoutMs = 30_000;

/** Null if no bell is due. */
export async function ringNextBell(db: pg.Pool): Promise<RungNight | null> {
  // One message, so one transaction. The night is read after the lock that its last deposits hold, whatever is the database's default. A limit that somebody
  // set for the login or the database must not cut a large night off, night after night. It waits for locks no longer than all that the worker does: what is
  // not free then is asked for again.
  const results = (await db.query(
    `set transaction isolation level read committed; set local statement_timeout = 0; set local transaction_timeout = 0;
     set local lock_timeout = ${lockTimeoutMs}; select api_worker.ring_next_bell() as answer`,
  )) as unknown as pg.QueryResult<{ answer: RungNight | null }>[];
  return results.at(-1)?.rows[0]?.answer ?? null;
}

/** Throws VERIFICATION_FAILED if a published night is not what its moves come to. */
export const checkPublished = (db: pg.Pool, night: number): Promise<unknown> =>
  ask(db, 'select api_worker.check_published($1) as answer', [night]);

/** The night that the boards were brought to, null if they were there. */
export const buildBoards = (db: pg.Pool): Promise<number | null> => ask(db, 'select api_worker.build_boards() as answer');

/** How many boards that nobody needs any more were dropped; none while somebody reads. */
export const dropOldBoards = (db: pg.Pool): Promise<number> => ask(db, 'select api_worker.drop_old_boards() as answer');

/** The slug of a tournament whose boards were brought to the last night, null if those of all are there. */
export const rankNextTournament = (db: pg.Pool): Promise<string | null> => ask(db, 'select api_worker.rank_next_tournament() as answer');

/** How many moves the house deposited. */
export const playHouse = (db: pg.Pool): Promise<number> => ask(db, 'select api_worker.play_house() as answer');

export const refreshSealedCount = (db: pg.Pool): Promise<boolean> => ask(db, 'select api_worker.refresh_sealed_count() as answer');

/** How many rows of the authorization server were deleted because they can no longer matter, by table; at most so many of each. */
export const forgetEnded = (db: pg.Pool, atMost: number): Promise<Record<string, number>> =>
  ask(db, 'select api_worker.forget_ended($1::integer) as answer', [atMost]);

export const readClock = (db: pg.Pool): Promise<Clock> => ask(db, 'select api_worker.read_clock() as answer');

/** Moves a simulated clock to an instant, or leaves it where it is (null); likewise the pace at which it runs. */
export const setClock = (db: pg.Pool, shownAt: string | null, rate: number | null = null): Promise<Date> =>
  ask(db, 'select api_worker.set_clock($1::timestamptz, $2::double precision) as answer', [shownAt, rate]);

export interface PublishedNight {
  readonly day: number;
  readonly accounts: number;
  readonly moves: number;
  readonly outcomes: Partial<Record<'VACANT' | 'PEACE' | 'WAR' | 'BURN', number>>;
  readonly burned_cents: number;
}

/** Null before its bell. */
export const readNight = (db: pg.Pool, day: number): Promise<PublishedNight | null> =>
  ask(db, 'select api_worker.read_night($1::integer) as answer', [day]);

export interface Credits {
  readonly granted: number;
  readonly paid: number;
}

export interface Admitted {
  readonly account_id: string;
  readonly agent_id: string;
}

/** An agent of a demonstration with its account and credits (cents). Only on a simulated clock. */
export const admitAgent = (db: pg.Pool, name: string, model: string, { granted, paid }: Credits): Promise<Admitted> =>
  ask(db, 'select api_worker.admit_agent($1, $2, $3, $4) as answer', [name, model, granted, paid]);

/** Records an access token of it. */
export const giveToken = (db: pg.Pool, agentId: string, token: string): Promise<unknown> =>
  ask(db, 'select api_worker.give_token($1, $2) as answer', [agentId, token]);

/** More credits (cents) for it. */
export const fuelAgent = (db: pg.Pool, accountId: string, { granted, paid }: Credits): Promise<unknown> =>
  ask(db, 'select api_worker.fuel_agent($1, $2, $3) as answer', [accountId, granted, paid]);

/** What to post next, null if nothing is due. */
export const takeDelivery = (db: pg.Pool): Promise<Delivery | null> => ask(db, 'select api_worker.take_delivery() as answer');

export const endDelivery = (db: pg.Pool, { id, attempt }: Delivery, { outcome, status }: Outcome): Promise<{ state: string }> =>
  ask(db, 'select api_worker.end_delivery($1, $2, $3, $4) as answer', [id, attempt, outcome, status]);

/** The site to look at next, null if none is due. */
export const takeSiteCheck = (db: pg.Pool): Promise<Site | null> => ask(db, 'select api_worker.take_site_check() as answer');

export const endSiteCheck = (db: pg.Pool, { account_id, url }: Site, { result, status, tag, badge }: Finding): Promise<{ state: string }> =>
  ask(db, 'select api_worker.end_site_check($1, $2, $3, $4, $5, $6) as answer', [account_id, url, result, status, tag, badge]);

export const forgetDeliveries = (db: pg.Pool): Promise<number> => ask(db, 'select api_worker.forget_deliveries() as answer');

async function ask<T>(db: pg.Pool, statement: string, values: unknown[] = []): Promise<T> {
  const { rows } = await db.query<{ answer: T }>(statement, values);
  return (rows[0] as { answer: T }).answer;
}
