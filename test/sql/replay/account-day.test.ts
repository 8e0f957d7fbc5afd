// sql/replay/account_day.sql: what an account did on a day, what it came to, and what it paid with.
import { beforeAll, describe, expect, test } from 'vitest';
import { useHill } from '../../support/hill/index.ts';
import { hasPsql, psql } from '../../support/hill/psql.ts';
import { type Cast, designHill } from './designed-hill.ts';
import { useDbaLogins } from './logins.ts';

const script = 'sql/replay/account_day.sql';
const hill = useHill();
const urls = useDbaLogins(hill);
let cast: Cast;

beforeAll(async () => {
  cast = await designHill(hill);
});

const run = async (url: string, variables: Record<string, string | number>) => {
  const { code, stdout, stderr } = await psql(url, script, variables);
  // An account's id is the one thing that differs from run to run.
  return { code, stderr, stdout: stdout.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID') };
};

describe.skipIf(!hasPsql)('a day of an account', () => {
  test.each([
    ['fay', 1, 'paid with a lot and the rest with paid credits'],
    ['fay', 2, 'withdrew its move'],
    ['fay', 3, 'was passed over by the queue, and served elsewhere'],
    ['dee', 2, 'replaced its move, and bluffed'],
    ['cyd', 2, 'drew two lots'],
    ['bob', 2, 'left its place without a move'],
    ['ann', 5, 'did nothing'],
  ])('%s on day %i %s', async (account, day) => {
    const { code, stdout, stderr } = await run(urls.superuser, { account, day });

    expect(stderr).toBe('');
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot(`../../snapshots/replay/${account}-on-day-${day}.out`);
  });

  test('reads the same for the owner, replaced deposits included', async () => {
    expect(await run(urls.owner, { account: 'dee', day: 2 })).toEqual(
      await run(urls.superuser, { account: 'dee', day: 2 }),
    );
  });

  test('shows a DBA what the bell made public, and says so', async () => {
    const { code, stdout } = await run(urls.dba, { account: 'dee', day: 2 });

    expect(code).toBe(0);
    expect(stdout).toContain(
      'Live moves only: what was replaced or withdrawn stays with its account, and this login may not read it.',
    );
    expect(stdout).not.toContain('1200'); // the stake of the WAR that dee replaced
    expect(stdout).toMatch(/ +\d+ \| 09:00:04\.000000 \| Dee .* live at the bell +\| Changed my mind\./);
  });

  test('does not let a DBA read more by pretending to be the account', async () => {
    const { rows } = await hill.pool(urls.dba, 1).query(
      `select set_config('hill.account_id', $1, false),
              (select count(*)::int from hill.moves where day = 2 and ended is not null) as ended_moves`,
      [cast.dee.id],
    );

    expect(rows).toMatchObject([{ ended_moves: 0 }]);
  });

  test('takes an id for a slug', async () => {
    expect(await run(urls.dba, { account: cast.fay.id, day: 3 })).toEqual(
      await run(urls.dba, { account: 'fay', day: 3 }),
    );
  });

  test('prints a name as text, whatever its account put into it', async () => {
    await hill.root.query("update hill.accounts set name = e'Ev\\x1b[31me' where id = $1", [cast.eve.id]);

    const { stdout } = await run(urls.superuser, { account: 'eve', day: 3 });

    expect(stdout).toContain('Account ID of Ev?[31me,');
  });

  test.each([
    [
      'nobody',
      { account: 'nobody', day: 3 },
      'No account has that slug or id. Say which, as in: psql -v account=ann -v day=12 -f sql/replay/account_day.sql',
    ],
    [
      'no account',
      { day: 3 },
      'No account has that slug or id. Say which, as in: psql -v account=ann -v day=12 -f sql/replay/account_day.sql',
    ],
    ['today', { account: 'ann', day: 6 }, 'Day 6 is not resolved: days 1 to 5 have been.'],
  ])('is refused in one line for %s', async (_, variables, message) => {
    const { code, stdout, stderr } = await run(urls.dba, { ...variables });

    expect(stderr).toMatch(/^psql:\S+: ERROR: {2}.*\n$/);
    expect(stderr).toContain(`ERROR:  ${message}\n`);
    expect(stdout).toBe('');
    expect(code).toBe(3);
  });
});
