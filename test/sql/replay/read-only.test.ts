// The scripts for DBAs can write nothing, whatever they call.
import { beforeAll, describe, expect, test } from 'vitest';
import { useHill } from '../../support/hill/index.ts';
import { hasPsql, psql, runPsql } from '../../support/hill/psql.ts';
import { designHill } from './designed-hill.ts';
import { useDbaLogins } from './logins.ts';

const hill = useHill();
const urls = useDbaLogins(hill);

beforeAll(() => designHill(hill));

const scripts = [
  ['sql/replay/replay_day.sql', { day: 3 }],
  ['sql/replay/account_day.sql', { account: 'fay', day: 3 }],
  ['sql/verify/ledger.sql', {}],
  ['sql/verify/nights.sql', {}],
] as const;

/** Every row of every table of the hill, and the numbers that its sequences stand at. */
async function everything(): Promise<unknown> {
  const tables = await hill.rows<{ name: string }>(
    "select c.oid::regclass::text as name from pg_class c where c.relnamespace in ('hill'::regnamespace, 'oauth'::regnamespace) and c.relkind in ('r', 'S') order by 1",
  );
  return Promise.all(
    tables.map(async ({ name }) => [
      name,
      await hill.rows(
        `select md5(string_agg(t, '|' order by t)) as rows from (select row(r.*)::text from ${name} r) r (t)`,
      ),
    ]),
  );
}

describe.skipIf(!hasPsql)('in psql', () => {
  test.each(scripts)('%s leaves everything as it was', async (file, variables) => {
    const before = await everything();

    expect(await psql(urls.superuser, file, variables)).toMatchObject({ code: 0, stderr: '' });

    expect(await everything()).toEqual(before);
  });

  test.each(scripts)(
    '%s is stopped by the database, even as a superuser, if what it calls writes',
    async (file, variables) => {
      const { rows } = await hill.root.query<{ definition: string }>(
        "select pg_get_functiondef('engine.points(integer, integer)'::regprocedure) as definition",
      );
      await hill.root.query(`
      create or replace function engine.points(slot integer, occupants integer) returns numeric language plpgsql volatile as $$
      begin
        update hill.sealed_counts set moves = moves + 1;
        return 1;
      end $$`);
      try {
        const { code, stderr } = await psql(urls.superuser, file, variables);

        expect(stderr).toMatch(/^psql:\S+: ERROR: {2}cannot execute UPDATE in a read-only transaction\n$/);
        expect(code).toBe(3);
      } finally {
        await hill.root.query((rows[0] as { definition: string }).definition);
      }
    },
  );

  test('a login that is no member of hill_dba is told so in one line', async () => {
    const { code, stdout, stderr } = await psql(hill.url('web'), 'sql/verify/ledger.sql');

    expect(stderr).toMatch(/^psql:\S+: ERROR: {2}permission denied for schema engine at character \d+\n$/);
    expect(stdout).toBe('');
    expect(code).toBe(3);
  });

  test.each([
    ['sealed moves', 'select * from hill.sealed_moves'],
    ['reservations', 'select * from hill.reservations'],
    ['the count of tonight', 'select * from hill.sealed_counts'],
    ['a partition by itself', 'select * from hill.moves_000003'],
    ['tokens', 'select * from oauth.access_tokens'],
  ])('a DBA cannot read %s', async (_, query) => {
    const { code, stderr } = await runPsql(urls.dba, ['-v', 'ON_ERROR_STOP=1', '-c', query]);

    expect(stderr).toMatch(/^ERROR: {2}permission denied for (table|schema) \w+\n/);
    expect(code).toBe(1);
  });
});
