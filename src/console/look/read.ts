// console/look/read.ts · what the pages read: functions of api_staff, and tables under the same row-level security as GraphQL.
import type pg from 'pg';
import { fromDatabase } from '../../db/errors.ts';
import type { Staff } from '../staff.ts';

type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, unknown>>;
/** A query that answers rows. */
export type Ask = <R extends Row = Row>(sql: string, values?: readonly Cell[]) => Promise<R[]>;

/**
 * All that one page reads, as one snapshot, as hill_staff with the session of whoever looks. Only looking an e-mail address up may write: its trace.
 */
export async function look<T>(pool: pg.Pool, staff: Staff, read: (ask: Ask) => Promise<T>, trace = false): Promise<T> {
  const client = await pool.connect().catch((error) => {
    throw fromDatabase(error);
  });
  try {
    await client.query(`begin isolation level repeatable read ${trace ? 'read write' : 'read only'}; set local role hill_staff`);
    await client.query("select set_config('hill.staff_session', $1, true)", [staff.session]);
    const result = await read(async (sql, values = []) => (await client.query(sql, [...values])).rows);
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

/** Null for what the hill refuses: a day that is not over, a place or an account that is not there. Nothing can be asked after it. */
export async function rowsOrNone(rows: Promise<Row[]>): Promise<Row[] | null> {
  return rows.catch((error: { code?: string }) => {
    if (error.code?.startsWith('ZH')) return null;
    throw error;
  });
}
