// Which member of the staff a request comes from, by the session in its cookie. The database decides at every request.
//
// The database is never given the token in the cookie, only its hash, and keeps a hash of that: what runs in a session
// of the database can learn what is set there, and with that alone nobody enters here. Decisions 490.
import { createHash, randomBytes } from 'node:crypto';
import type Koa from 'koa';
import type pg from 'pg';
import { type Args, call } from '../db/call.ts';
import { fromDatabase } from '../db/errors.ts';

export interface Staff {
  readonly name: string;
  /** The hash of the token in the cookie. */
  readonly session: string;
}

// Cookies ignore ports, so another web server on this machine receives it, too. Therefore SameSite is not the only
// protection (same-origin.ts).
const cookie = 'hill_staff';

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

export function sessionOf(ctx: Koa.Context): string | undefined {
  const token = ctx.cookies.get(cookie);
  return token && hashOf(token);
}

/** Opens a session as `open` does, and leaves its token with the browser. */
export async function keepSession(ctx: Koa.Context, open: (session: string) => Promise<Date>): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  const expires = await open(hashOf(token));
  ctx.cookies.set(cookie, token, { httpOnly: true, sameSite: 'strict', path: '/', expires, overwrite: true });
}

export function forgetSession(ctx: Koa.Context): void {
  ctx.cookies.set(cookie, null, { httpOnly: true, sameSite: 'strict', path: '/', overwrite: true });
}

/** The member of the staff, for a request that has passed `onlyStaff`. */
export function staffOf(ctx: Koa.Context | undefined): Staff {
  const staff = ctx?.state.staff as Staff | undefined;
  if (!staff) throw new Error('a request reached GraphQL without staff');
  return staff;
}

export async function findStaff(pool: pg.Pool, session: string): Promise<Staff | undefined> {
  const name = await callAsStaff<string | null>(pool, session, 'api_staff.staff_name');
  return name === null ? undefined : { name, session };
}

/**
 * Opens a session with the staff key. Refused: INVALID_TOKEN for a wrong key, INVALID_ARGUMENT for a name that is not
 * valid.
 */
export async function openSession(pool: pg.Pool, key: string, name: string, session: string): Promise<Date> {
  return callAsStaff(pool, '', 'api_staff.open_session', { key, staff_name: name, session });
}

/**
 * Opens a session with a code from the site. Refused: INVALID_TOKEN for a code that does not fit, NOT_STAFF for one who
 * is staff no longer.
 */
export async function enterConsole(pool: pg.Pool, code: string, verifier: string, session: string): Promise<Date> {
  return callAsStaff(pool, '', 'api_staff.enter_console', { code, verifier, session });
}

export async function closeSession(pool: pg.Pool, session: string): Promise<void> {
  await callAsStaff(pool, session, 'api_staff.close_session', { session });
}

const callAsStaff = <T>(pool: pg.Pool, session: string, name: `api_staff.${string}`, args?: Args): Promise<T> =>
  asStaff(pool, session, (client) => call<T>(client, name, args));

/**
 * Does something in one transaction as hill_staff with a session: the console's login has no rights of its own. `mode`
 * is what follows `begin`. Throws a Refusal or a Failure.
 */
export async function asStaff<T>(
  pool: pg.Pool,
  session: string,
  work: (client: pg.PoolClient) => Promise<T>,
  mode = '',
): Promise<T> {
  const client = await pool.connect().catch((error) => {
    throw fromDatabase(error);
  });
  try {
    await client.query(`begin ${mode}; set local role hill_staff`);
    await client.query("select set_config('hill.staff_session', $1, true)", [session]);
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // A connection that cannot even roll back is not returned to the pool.
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
    throw fromDatabase(error);
  }
}
