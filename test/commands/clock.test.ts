// npm run clock: what it refuses, and as a real process what it does to a hill. Rules 17.3.
import { describe, expect, test } from 'vitest';
import { run as command } from '../../src/commands/clock.ts';
import { parseConfig } from '../../src/process/config.ts';
import { aServer, refusalOf, hill as run, runHill, usePreparedDataDirs } from '../support/hill/hill-process.ts';
import { balanced, books, useHill } from '../support/hill/index.ts';
import { until } from '../support/until.ts';

const aPreparedDir = usePreparedDataDirs();
const simulated = { HILL_CLOCK: 'simulated' };

describe('without a simulated clock, or without a clear word, nothing is done', () => {
  const words = /^Say what to do: npm run clock -- advance 1d .*$/;

  test.each([
    [[], words],
    [['frob'], words],
    [['advance'], words],
    [['now', 'please'], words],
    [['to-bell', '2'], words],
    [['advance', '1 day'], /^advance takes a time such as 1d, .*$/],
    [['advance', '-1d'], /^advance takes a time such as 1d, .*$/],
    [['advance', '0s'], /^advance takes a time such as 1d, .*$/],
    [['advance', '4000d'], /^advance takes .* at most 3660 days\.$/],
    [['rate', 'fast'], /^rate takes a number from 0 .*$/],
    [['rate', '90000'], /^rate takes a number from 0 .* to 86400 .*$/],
  ])('%j', async (args, line) => {
    await expect(command(parseConfig(simulated), args)).rejects.toThrow(line);
  });

  test('the real clock cannot be moved, and a refusal is one line', async () => {
    expect(await run(['clock', 'now'], {})).toEqual({
      code: 1,
      output: expect.stringMatching(/^Only a simulated clock can be moved: .*$/),
    });
  });
});

describe('on a database with the worker login', () => {
  const hill = useHill({ day: 1 });
  const clock = (...args: string[]) =>
    run(['clock', ...args], { ...simulated, WORKER_DATABASE_URL: hill.url('worker') });

  test('says what time it is', async () => {
    expect(await clock('now')).toEqual({
      code: 0,
      output: 'It is 2026-03-01T10:00:00Z, day 1; the next bell is at 2026-03-02T00:00:00Z; the clock stands still.',
    });
  });

  test('goes on within a day, without a bell', async () => {
    expect(await clock('advance', '1h30m15s')).toEqual({
      code: 0,
      output: 'It is 2026-03-01T11:30:15Z, day 1; the next bell is at 2026-03-02T00:00:00Z; the clock stands still.',
    });
  });

  test('goes to the bell, with the house in the night that it rings, and one line for it', async () => {
    const { code, output } = await clock('to-bell');

    expect([code, ...output.split('\n')]).toEqual([
      0,
      'night 1: 10 moves by 10 accounts; 10 PEACE; $0.00 burned',
      'It is 2026-03-02T00:00:00Z, day 2; the next bell is at 2026-03-03T00:00:00Z; the clock stands still.',
    ]);
  });

  test('goes on over several bells, one after the other: every day has its house, and the boards are built', async () => {
    const { output } = await clock('advance', '3d12h');

    expect(
      output
        .split('\n')
        .map((line) => /^(night \d+: [1-9]|It is 2026-03-05T12:00:00Z, day 5)/.exec(line)?.[0].replace(/: .*/, '')),
    ).toEqual(['night 2', 'night 3', 'night 4', 'It is 2026-03-05T12:00:00Z, day 5']);
    expect(await hill.rows('select max(day) as day from hill.boards')).toEqual([{ day: 4 }]);
    expect(
      await hill.rows("select to_char(counted_at at time zone 'UTC', 'DD HH24:MI') as at from hill.sealed_counts"),
    ).toEqual([{ at: '05 12:00' }]);
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('a bell that fails is named with what was found, and the clock stops there', async () => {
    const falsify = (cents: number) =>
      hill.asRoot(async (root) => {
        await root.query('set session_replication_role = replica');
        await root.query("update hill.ledger_accounts set balance_cents = balance_cents + $1 where code = 'rent'", [
          cents,
        ]);
      });
    await falsify(7);
    expect(await clock('advance', '2d')).toEqual({
      code: 1,
      output: expect.stringMatching(/^The bell failed: night 5 .*not published\. .* Found: \{.*\}$/),
    });
    await falsify(-7);

    expect((await clock('advance', '1s')).output).toMatch(/^night 5: .*\nIt is 2026-03-06T00:00:01Z, day 6; /);
  });

  test('sets the pace', async () => {
    expect((await clock('rate', '0.5')).output).toMatch(/; 0\.5 simulated seconds pass per second\.$/);
    expect((await clock('rate', '0')).output).toMatch(/; the clock stands still\.$/);
  });

  test('refuses a login with more power than the worker needs', async () => {
    expect(await run(['clock', 'now'], { ...simulated, WORKER_DATABASE_URL: hill.ownerUrl })).toEqual({
      code: 1,
      output: expect.stringMatching(/^WORKER_DATABASE_URL: its login is the owner.*$/),
    });
  });
});

describe('on the embedded database', () => {
  test('works with no server, and moves the hill of a running one, whose worker follows', async () => {
    const server = { ...(await aServer(aPreparedDir())), ...simulated };
    const alone = await run(['clock', 'to-bell'], server);
    expect(alone.output.split('\n').map((line) => line.slice(0, 8))).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((day) => `night ${day}:`),
      expect.stringMatching(/^It is /),
    ]);

    const running = runHill(['start'], server);
    await running.says('Hill is open');
    const today = async () =>
      ((await (await fetch(`http://127.0.0.1:${server.PORT}/api/hill`)).json()) as { day: number }).day;
    expect(await today()).toBe(9);
    expect((await run(['clock', 'advance', '1d'], server)).code).toBe(0);
    expect(await today()).toBe(10);
    // Ten hours a second: the server's worker rings by itself, although it was waiting for a quarter hour of real time.
    expect((await run(['clock', 'rate', '36000'], server)).code).toBe(0);
    await until('a bell of the server', async () => running.output().includes('night 10 is resolved'));

    // A hill that was made with this clock does not run with another.
    expect(await running.stop()).toBe(0);
    expect(await refusalOf(['start'], { ...server, HILL_CLOCK: 'real', LOG_LEVEL: 'warn' })).toMatch(
      /^this database has run with the simulated clock/,
    );
  });
});
