// A call that the server undid for a reason that has passed is made once more on a pool, and never on a connection that
// may be in a transaction.
import pg from 'pg';
import { expect, test } from 'vitest';
import { call } from '../../src/db/call.ts';

const undone = Object.assign(new pg.DatabaseError('could not serialize access', 0, 'error'), { code: '40001' });

/** Fails as often as is said, and then answers. */
function failing(times: number) {
  const asked: unknown[] = [];
  const query = async (...statement: unknown[]) => {
    asked.push(statement);
    if (asked.length <= times) throw undone;
    return { rows: [{ result: 7 }] };
  };
  return { asked, pool: Object.assign(new pg.Pool(), { query }) as pg.Pool, client: { query } as unknown as pg.Client };
}

test('on a pool it succeeds at the second attempt, which is the last', async () => {
  const once = failing(1);
  expect(await call(once.pool, 'api_public.clock')).toBe(7);
  const twice = failing(2);
  await expect(call(twice.pool, 'api_public.clock')).rejects.toMatchObject({ name: 'Failure', code: 'UNAVAILABLE' });
  expect(twice.asked).toHaveLength(2);
});

test('on a connection it fails at the first', async () => {
  const { client, asked } = failing(1);
  await expect(call(client, 'api_public.clock')).rejects.toMatchObject({ name: 'Failure', code: 'UNAVAILABLE' });
  expect(asked).toHaveLength(1);
});

test('what PostgreSQL cannot store as text is refused before it is sent', async () => {
  const { pool, asked } = failing(0);
  await expect(call(pool, 'api_public.identity', { slug: 'a\0b' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(asked).toEqual([]);
});
