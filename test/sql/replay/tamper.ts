// What nobody may do: a superuser writes past triggers and policies, as a restored dump or a mistake would.
import type pg from 'pg';
import type { Hill } from '../../support/hill/index.ts';

async function pastTriggers<T>(hill: Hill, statement: string, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await hill.root.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    const { rowCount } = await client.query(statement);
    if (rowCount === 0) throw new Error(`Nothing was tampered with: ${statement}`);
    await client.query('set local session_replication_role = origin');
    return await use(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** What a query gives while a change stands that is then undone. */
export const whileTampered = <R extends pg.QueryResultRow>(
  hill: Hill,
  statement: string,
  query: string,
): Promise<R[]> => pastTriggers(hill, statement, async (client) => (await client.query<R>(query)).rows);

/** Changes for good, where another connection has to see it. */
export const tamper = (hill: Hill, statement: string): Promise<unknown> =>
  pastTriggers(hill, statement, (client) => client.query('commit'));
