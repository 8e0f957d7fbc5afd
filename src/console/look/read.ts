// What the pages read: functions of api_staff, and tables under the same row-level security as GraphQL.
import type pg from 'pg';
import { asStaff, type Staff } from '../staff.ts';

export type Value = string | number | boolean | null;
export type Row = Readonly<Record<string, unknown>>;
/** A query that answers rows. */
export type Ask = <R extends Row = Row>(sql: string, values?: readonly Value[]) => Promise<R[]>;

/**
 * All that one page reads, as one snapshot, as hill_staff with the session of whoever looks. Only looking an e-mail
 * address up may write, its trace, which the chain of the audit log takes at READ COMMITTED.
 */
export const look = <T>(pool: pg.Pool, staff: Staff, read: (ask: Ask) => Promise<T>, trace = false): Promise<T> =>
  asStaff(
    pool,
    staff.session,
    (client) => read(async (sql, values = []) => (await client.query(sql, [...values])).rows),
    `isolation level ${trace ? 'read committed read write' : 'repeatable read read only'}`,
  );

/**
 * Null for what the hill refuses: a day that is not over, a place or an account that is not there. Nothing can be asked
 * after it.
 */
export async function rowsOrNone(rows: Promise<Row[]>): Promise<Row[] | null> {
  return rows.catch((error: { code?: string }) => {
    if (error.code?.startsWith('ZH')) return null;
    throw error;
  });
}

/** Asks a function of api_staff for its rows, in its order, each with the name and the slug of its account. */
export const named = (called: string): string =>
  `select f.*, a.name, a.slug
     from ${called} with ordinality f left join hill.accounts a on a.id = f.account_id
    order by f.ordinality`;
