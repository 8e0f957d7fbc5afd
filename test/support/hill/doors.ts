// The hill as each of its users meets it: through the login of its door, and the functions of its API schema.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Account } from './accounts.ts';

export type Args = Readonly<Record<string, unknown>>;

/** Calls a function with named arguments; those that are undefined take their defaults. */
export async function call<T>(db: pg.Pool | pg.ClientBase, name: string, args: Args = {}): Promise<T> {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  const { rows } = await db.query<{ result: T }>(
    `select ${name}(${given.map(([key], i) => `${key} => $${i + 1}`).join(', ')}) as result`,
    given.map(([, value]) => value),
  );
  return unlessRefused((rows[0] as { result: T }).result);
}

/**
 * A refusal that a function returned is thrown, as src/db/call.ts does; here as what the driver throws for one that was
 * raised.
 */
function unlessRefused<T>(result: T): T {
  const { refused } = (result ?? {}) as { refused?: { state: string; message: string; hint: string; detail: unknown } };
  if (refused === undefined) return result;
  const error = new pg.DatabaseError(refused.message, 0, 'error');
  throw Object.assign(error, { code: refused.state, hint: refused.hint, detail: JSON.stringify(refused.detail) });
}

type Move = 'PEACE' | 'WAR' | 'PASS';

/** Values are what the database takes, so that tests can also give what is wrong. */
export type PlayArgs = {
  slot: number | null;
  move: string | null;
  stake_cents?: number | string | undefined;
  message?: string | undefined;
  day?: number | undefined;
};
export type AnnounceArgs = {
  slot: number | null;
  intention: string | null;
  message?: string | undefined;
  day?: number | undefined;
};

export interface Receipt {
  day: number;
  slot: number;
  move: Move;
  stake_cents?: number;
  message?: string;
  reserved_cents: number;
  deposited_at: string;
  sealed_until: string;
  moves_left: number;
  places_left: number;
  cap_left_cents: number;
  available_cents: number;
  salt?: string;
  ends?: string;
  message_salt?: string;
  commitment?: string;
}

export interface OwnState {
  day: number;
  account_id: string;
  granted_cents: number;
  paid_cents: number;
  reserved_cents: number;
  available_cents: number;
  daily_cap_cents: number;
  max_stake_cents: number;
  moves_left: number;
  places_left: number;
  reputation: number;
  since: string;
  moves: {
    slot: number;
    move: Move;
    stake_cents?: number;
    message?: string;
    reserved_cents: number;
    deposited_at: string;
  }[];
  lots: { remaining_cents: number; expires_at: string }[];
}

export interface AnnouncementReceipt {
  day: number;
  slot: number;
  intention: Move;
  message?: string;
  at: string;
  judged_at: string;
  verdict_by_move: Record<'PEACE' | 'WAR' | 'none', string>;
  announcements_left: number;
}

/** What a deposit is answered that travels with others; a batch throws none of their refusals. */
export type BatchAnswer =
  | Receipt
  | { refused: { state: string; message: string; hint: string; detail: object } }
  | { busy: true };

/** Deposits in one statement, each with its own token. */
export const playMany = (
  db: pg.Pool | pg.ClientBase,
  calls: readonly (PlayArgs & { token: string })[],
): Promise<BatchAnswer[]> =>
  call(db, 'api_agent.play_many', {
    tokens: calls.map(({ token }) => token),
    slots: calls.map(({ slot }) => slot),
    moves: calls.map(({ move }) => move),
    stakes: calls.map(({ stake_cents }) => stake_cents ?? null),
    messages: calls.map(({ message }) => message ?? null),
    days: calls.map(({ day }) => day ?? null),
  });

export const agentDoor = (web: pg.Pool, { token, session }: Account) => ({
  play: (args: PlayArgs) => call<Receipt>(web, 'api_agent.play', { token, ...args }),
  announce: (args: AnnounceArgs) => call<AnnouncementReceipt>(web, 'api_agent.announce', { token, ...args }),
  /** As its human sees it, while the token is live. */
  ownState: async () => {
    await call(web, 'api_agent.check_token', { token });
    return call<OwnState>(web, 'api_human.account', { session });
  },
});

export const humanDoor = (web: pg.Pool, { session }: Account) => ({
  ownState: () => call<OwnState>(web, 'api_human.account', { session }),
  setMandate: (daily_cap_cents: number | null, max_stake_cents: number | null) =>
    call<OwnState>(web, 'api_human.set_mandate', { session, daily_cap_cents, max_stake_cents }),
  setWeeklyCap: (cents: number | null) => call<OwnState>(web, 'api_human.set_weekly_cap', { session, cents }),
  /** `until`: a date; null ends the pause. */
  pause: (until: string | null) => call<OwnState>(web, 'api_human.pause', { session, until }),
  withdrawMove: (slot: number) =>
    call<OwnState & { withdrawn: boolean }>(web, 'api_human.withdraw_move', { session, slot }),
});

export interface NightFigures {
  day: number;
  accounts: number;
  moves: number;
  burned_cents: number;
  milliseconds: number;
}

export const workerDoor = (worker: pg.Pool) => ({
  ringNextBell: () => call<NightFigures | null>(worker, 'api_worker.ring_next_bell'),
  indexNights: () => call<void>(worker, 'api_worker.index_nights'),
  makeNextTable: () => call<void>(worker, 'api_worker.make_next_table'),
  buildBoards: () => call<number | null>(worker, 'api_worker.build_boards'),
  /**
   * As the worker does it: prospects are kept, nights are indexed, then the hill's boards, then those of each
   * tournament; and old ones go.
   */
  buildAllBoards: async () => {
    await call<void>(worker, 'api_worker.keep_prospects');
    await call<void>(worker, 'api_worker.index_nights');
    const night = await call<number | null>(worker, 'api_worker.build_boards');
    while ((await call<string | null>(worker, 'api_worker.rank_next_tournament')) !== null);
    await call<number>(worker, 'api_worker.drop_old_boards');
    return night;
  },
  playHouse: () => call<number>(worker, 'api_worker.play_house'),
  refreshSealedCount: () => call<boolean>(worker, 'api_worker.refresh_sealed_count'),
  readClock: () =>
    call<{
      clock: string;
      rate: number;
      now: string;
      day: number;
      last_night: number;
      next_bell_at: string;
      seconds_to_next: number | null;
    }>(worker, 'api_worker.read_clock'),
  setClock: (shown_at: string | null, rate: number | null = null) =>
    call<Date>(worker, 'api_worker.set_clock', { shown_at, rate }),
});

/**
 * A session of the staff, and queries as the console runs them: in the role hill_staff, with the session in a setting.
 * Without an account it is one of the staff key.
 */
export function staffDoor(console: pg.Pool, root: pg.Pool, staffName: string, accountId?: string) {
  const token = randomBytes(16).toString('hex');
  let session: Promise<unknown> | undefined;
  const query = async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> => {
    // real time, whatever the hill's clock says: so are the console's requests
    session ??= root.query(
      `insert into oauth.staff_sessions (token_hash, staff_name, created_at, expires_at, account_id)
       values (sha256(convert_to($1, 'UTF8')), $2, now(), now() + interval '1 hour', $3)`,
      [token, staffName, accountId],
    );
    await session;
    const client = await console.connect();
    try {
      await client.query('begin');
      await client.query('set local role hill_staff');
      await client.query("select set_config('hill.staff_session', $1, true)", [token]);
      const { rows } = await client.query<R>(text, values);
      await client.query('commit');
      return rows;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  };
  return {
    query,
    call: async <T>(name: string, args: Args = {}): Promise<T> => {
      const given = Object.entries(args).filter(([, value]) => value !== undefined);
      const rows = await query<{ result: T }>(
        `select ${name}(${given.map(([key], i) => `${key} => $${i + 1}`).join(', ')}) as result`,
        given.map(([, value]) => value),
      );
      return (rows[0] as { result: T }).result;
    },
  };
}

const random = new Set(['salt', 'ends', 'message_salt', 'commitment']);

/** What calls gave, without what is drawn at random in their receipts. Rules 20.15. */
export const unsalted = <T>(given: T): T =>
  JSON.parse(JSON.stringify(given, (key, value) => (random.has(key) ? undefined : value)));
