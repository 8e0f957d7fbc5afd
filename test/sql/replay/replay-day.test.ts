// sql/replay/replay_day.sql: a night as a person would want to read it, and whether it is what was published.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { useHill } from '../../support/hill/index.ts';
import { hasPsql, psql } from '../../support/hill/psql.ts';
import { designHill } from './designed-hill.ts';
import { useDbaLogins } from './logins.ts';

const script = 'sql/replay/replay_day.sql';
const hill = useHill();
const urls = useDbaLogins(hill);
const resolved = [1, 2, 3, 4, 5];

beforeAll(() => designHill(hill));

describe.skipIf(!hasPsql)('a replayed day', () => {
  test.each(resolved)('%i reads as it always has', async (day) => {
    const { code, stdout, stderr } = await psql(urls.superuser, script, { day });

    expect(stderr).toBe('');
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot(`../../snapshots/replay/day-${day}.out`);
  });

  test.each(['owner', 'dba'] as const)('reads the same for the %s', async (who) => {
    const [theirs, all] = await Promise.all([
      psql(urls[who], script, { day: 3 }),
      psql(urls.superuser, script, { day: 3 }),
    ]);

    expect(theirs).toEqual(all);
  });

  test('reads the same whatever the user has set in psqlrc', async () => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-psqlrc-'));
    onTestFinished(() => fs.rmSync(dir, { recursive: true }));
    const psqlrc = path.join(dir, 'psqlrc');
    fs.writeFileSync(
      psqlrc,
      `\\set QUIET on
       set timezone = 'Asia/Tokyo';
       set datestyle = 'German';
       \\x on
       \\t on
       \\pset null nothing
       \\pset border 2
       \\pset linestyle unicode
       \\pset format unaligned
       \\set VERBOSITY verbose
       \\set ON_ERROR_ROLLBACK interactive
       \\set ECHO queries
       \\set AUTOCOMMIT off
       \\timing on`,
    );

    const [theirs, plain] = await Promise.all([
      psql(urls.dba, script, { day: 3 }, psqlrc),
      psql(urls.dba, script, { day: 3 }),
    ]);

    expect(theirs).toEqual(plain);
  });

  test('is bounded: of a night larger than its lists it shows the edges, and counts the rest', async () => {
    const { code, stdout } = await psql(urls.superuser, script, { day: 3, rows: 2 });

    expect(code).toBe(0);
    expect(stdout).toContain(
      'Of 16 live moves, those that hold a seat, and the first 3 PEACE and 3 WAR of each place (-v rows=N shows more).',
    );
    expect(stdout).toContain('... and 3 more (-v rows=N shows more).'); // of five in the queue
    expect(stdout).toContain('... and 7 more (-v rows=N shows more).'); // of nine accounts that paid
    expect(stdout).toMatch(/^Day 3 equals what was published\.$/m);
  });

  test.each([
    ['a day to come', { day: 6 }, 'Day 6 is not resolved: days 1 to 5 have been.'],
    ['a day that never was', { day: 0 }, 'Day 0 is not resolved: days 1 to 5 have been.'],
    ['no day', {}, `Say which day, as in: psql -v day=12 -f ${script}`],
    ['no number', { day: '3; drop table hill.seats' }, `Say which day, as in: psql -v day=12 -f ${script}`],
    [
      'rows that are no number',
      { day: 3, rows: 'all' },
      'rows is how many rows of each list are printed: a whole number, 50 if it is not given.',
    ],
  ])('is refused in one line for %s', async (_, variables, message) => {
    const { code, stdout, stderr } = await psql(urls.dba, script, variables as Record<string, string>);

    expect(stderr).toMatch(/^psql:\S+: ERROR: {2}.*\n$/);
    expect(stderr).toContain(`ERROR:  ${message}\n`);
    expect(stdout).toBe('');
    expect(code).toBe(3);
  });
});
