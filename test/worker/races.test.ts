// Two that ring at the same instant, and one that is killed while it rings. Rules 2.3.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { runHill } from '../support/hill/hill-process.ts';
import { type Account, anAccount, balanced, books, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { until } from '../support/until.ts';

const waiting = (hill: ReturnType<typeof useHill>, name: string) =>
  hill.rows<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and application_name = $1 and wait_event_type = 'Lock' and query like '%ring_next_bell%'",
    [name],
  );

const useHillHere = useHill();

test('two clients that ring together: one night, told to one of them', async () => {
  const hill = useHillHere;
  const ann = await anAccount(hill, { credits: 5000 });
  await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
  const clients = [hill.pool(hill.url('worker'), 1), hill.pool(hill.url('worker'), 1)];
  const rung = await hill.asRoot(async (root) => {
    // A deposit under way holds the day, and both have to wait for it.
    await root.query('begin; lock table hill.day_lock in row exclusive mode');
    await hill.clock.toMidnight();
    const ringing = clients.map((client) =>
      client.query('select (api_worker.ring_next_bell() ->> $1)::int as day', ['day']),
    );
    await until(
      'two that wait',
      async () =>
        (
          await hill.rows(
            "select 1 from pg_stat_activity where wait_event = 'relation' and datname = current_database()",
          )
        ).length === 2,
    );
    await root.query('commit');
    return Promise.all(ringing);
  });

  expect(rung.map(({ rows }) => rows[0].day).toSorted()).toEqual([1, null]);
  expect(await hill.rows('select day, moves from hill.nights')).toEqual([{ day: 1, moves: 1 }]);
});

test('who looks for an overdue bell does not come in the way of a deposit when none is due', async () => {
  const hill = useHillHere;
  await hill.asRoot(async (root) => {
    await root.query('begin; lock table hill.day_lock in row exclusive mode');
    // It would wait for ever, and every deposit that comes after it would be turned away.
    await expect(
      hill.as('worker').query("set statement_timeout = '3s'; select api_worker.ring_next_bell()"),
    ).resolves.toBeDefined();
    await root.query('rollback');
  });
});

describe('a worker that is killed in the middle of a bell', () => {
  const hill = useHill();
  const settings = () => ({
    WORKER_DATABASE_URL: hill.url('worker'),
    HILL_CLOCK: 'simulated',
    HILL_LOG: 'pretty',
    HILL_SIGNING_SECRET: secret,
  });
  let ann: Account;

  const killInBell = async (afterKill: (pid: number) => Promise<void>): Promise<void> => {
    const worker = runHill(['worker'], settings());
    await hill.asRoot(async (root) => {
      // The night is settled and its places come next: there the bell has to wait.
      await root.query('begin; lock table hill.place_results in share mode');
      const [backend] = await until('a bell that is half done', async () => {
        const rows = await waiting(hill, 'hill worker');
        return rows.length > 0 && rows;
      });
      await worker.stop('SIGKILL');
      await afterKill(backend?.pid ?? 0);
      await root.query('rollback');
    });
  };
  const restart = async () => {
    const worker = runHill(['worker'], settings());
    await worker.says('the worker is waiting');
    expect(await worker.stop()).toBe(0);
  };

  test('with its session: nothing is published, nobody lost anything, and the next start finishes the night', async () => {
    ann = await anAccount(hill, { credits: 5000 });
    await hill.asAgent(ann).play({ slot: 2, move: 'WAR', stake_cents: 900 });
    const before = await hill.rows('select * from hill.sealed_moves');
    await hill.clock.toMidnight();

    await killInBell(async (pid) => {
      await hill.rows('select pg_terminate_backend($1, 5000)', [pid]);
    });
    expect(await hill.rows('select * from hill.nights')).toEqual([]);
    expect(await hill.rows('select * from hill.sealed_moves')).toEqual(before);
    expect(await books(hill.root)).toEqual(balanced);

    await restart();
    expect(await hill.rows('select day, moves, paid_cents from hill.nights')).toEqual([
      { day: 1, moves: 1, paid_cents: 900 },
    ]);
    expect(await hill.rows('select slot, account_id from hill.seats')).toEqual([{ slot: 2, account_id: ann.id }]);
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('while its session lives on: whichever way that ends, there is one night', async () => {
    await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' });
    await hill.clock.toMidnight();

    await killInBell(() => sleep(100));
    await restart();

    expect(await hill.rows('select day, paid_cents from hill.nights where day = 2')).toEqual([
      { day: 2, paid_cents: 300 },
    ]);
    expect(
      await hill.rows('select day, slot, days_held from hill.seats where account_id = $1 and day = 2', [ann.id]),
    ).toEqual([{ day: 2, slot: 2, days_held: 1 }]);
    expect(await books(hill.root)).toEqual(balanced);
  });
});
