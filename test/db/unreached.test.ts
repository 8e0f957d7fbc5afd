// A database that lets nobody in, for whatever reason, is away: that is no fault of a request, and no bug.
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { call } from '../../src/db/call.ts';
import { Failure, isLost } from '../../src/db/errors.ts';
import { inTime } from '../../src/http/in-time.ts';
import { useDatabase } from '../support/hill/database.ts';

const db = useDatabase();
const login = () => pg.escapeIdentifier(decodeURIComponent(new URL(db.url('web')).username));

/** What an operator may do to it, and how it is undone. */
const ways: readonly (readonly [string, string, () => string, () => string])[] = [
  [
    'closed to connections',
    '55000',
    () => `alter database ${db.name} allow_connections false`,
    () => `alter database ${db.name} allow_connections true`,
  ],
  [
    'renamed',
    '3D000',
    () => `alter database ${db.name} rename to ${db.name}_aside`,
    () => `alter database ${db.name}_aside rename to ${db.name}`,
  ],
  [
    'closed to the login',
    '42501',
    () => `revoke connect on database ${db.name} from ${login()}`,
    () => `grant connect on database ${db.name} to ${login()}`,
  ],
  [
    'full',
    '53300',
    () => `alter database ${db.name} connection limit 0`,
    () => `alter database ${db.name} connection limit -1`,
  ],
];

describe('a database that is', () => {
  test.each(ways)('%s (%s) is away', async (_, state, close, open) => {
    onTestFinished(async () => void (await db.admin.query(open())));
    await db.admin.query(close());
    const pool = db.pool(db.url('web'), 1);

    const failed: unknown = await call(pool, 'api_public.hill').catch((error: unknown) => error);

    expect(failed).toBeInstanceOf(Failure);
    expect(failed).toMatchObject({ status: 503, code: 'UNAVAILABLE', cause: { code: state } });
    expect(isLost(failed)).toBe(true);
    await expect(inTime(call(pool, 'api_public.hill'))).resolves.toBeUndefined();
  });

  test('there is not away because a statement fails with the same state', async () => {
    const pool = db.pool(db.ownerUrl, 1);
    for (const [, state] of ways.filter(([name]) => name !== 'full')) {
      const failed: unknown = await pool
        .query(`do $$ begin raise sqlstate '${state}'; end $$`)
        .catch((error: unknown) => error);
      expect(isLost(failed)).toBe(false);
    }
  });
});
