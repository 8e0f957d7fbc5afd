// Reads the rows of a function that returns a table, some at a time, from one snapshot.
import type pg from 'pg';
import { type Args, call, type SqlFunction } from './call.ts';
import { fromDatabase } from './errors.ts';

const atOnce = 500;

/**
 * Calls `begin` and then reads `name` in the same transaction. Both take one argument of the same name: a session,
 * which belongs in no statement's text and in no setting. Whoever reads must not be kept waiting by somebody slow: the
 * transaction lasts until the last row.
 */
export async function* readRows<R extends pg.QueryResultRow>(
  db: pg.Pool,
  begin: SqlFunction,
  name: SqlFunction,
  columns: readonly string[],
  session: string,
): AsyncGenerator<R> {
  const client = await db.connect().catch((error) => {
    throw fromDatabase(error);
  });
  let done = false;
  try {
    await client.query('begin');
    await call(client, begin, { session } satisfies Args);
    await client.query(`declare listed no scroll cursor for select ${columns.join(', ')} from ${name}(session => $1)`, [
      session,
    ]);
    for (;;) {
      const { rows } = await client.query<R>(`fetch ${atOnce} from listed`);
      if (rows.length === 0) break;
      yield* rows;
    }
    await client.query('commit');
    done = true;
  } catch (error) {
    throw fromDatabase(error);
  } finally {
    client.release(!done); // a connection in the middle of a transaction is closed
  }
}
