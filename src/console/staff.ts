// console/staff.ts · which member of the staff a request comes from, by the session in its cookie. The database decides at every request.
import type Koa from 'koa';
import type pg from 'pg';
import { fromDatabase } from '../db/errors.ts';

export interface Staff {
  readonly name: string;
  /** The session token; the database keeps its hash. */
  readonly session: string;
}

// Cookies ignore ports, so another web server on this machine receives it, too. Therefore SameSite is not the only protection (same-origin.ts).
const cookie = 'hill_staff';

export const sessionOf = (ctx: Koa.Context): string | undefined => ctx.cookies.get(cookie) || undefined;

export function keepSession(ctx: Koa.Context, session: string, expires: Date): void {
  ctx.cookies.set(cookie, session, { httpOnly: true, sameSite: 'strict', path: '/', expires, overwrite: true });
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
  const [row] = await asHillStaff<{ name: string | null }>(pool, session, 'select api_staff.staff_name() as name');
  return row?.name == null ? undefined : { name: row.name, session };
}

/** Opens a session. Refused: INVALID_TOKEN for a wrong key, INVALID_ARGUMENT for a name that is not valid. */
export async function openSession(pool: pg.Pool, key: string, name: string, session: string): Promise<Date> {
  const [row] = await asHillStaff<{ expires: Date }>(pool, '', 'select api_staff.open_session($1, $2, $3) as expires', [
    key,
    name,
    session,
  ]);
  return (row as { expires: Date }).expires;
}

export async function closeSession(pool: pg.Pool, session: string): Promise<void> {
  await asHillStaff(pool, session, 'select api_staff.close_session($1)', [session]);
}

/** The console's login has no right of its own: it takes the role hill_staff for one statement. Throws a Refusal or a Failure. */
async function asHillStaff<R extends object>(pool: pg.Pool, session: string, statement: string, values: string[] = []): Promise<R[]> {
  const client = await pool.connect().catch((error) => {
    throw fromDatabase(error);
  });
  try {
    await client.query('begin; set local role hill_staff');
    await client.query("select set_config('hill.staff_session', $1, true)", [session]);
    const { rows } = await client.query<R>(statement, values);
    await client.query('commit');
    client.release();
    return rows;
  } catch (error) {
    // A connection that cannot even roll back is not returned to the pool.
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
    throw fromDatabase(error);
  }
}
