// The bulk population must be one that the hill's own functions could have made: the bell's own checks, and the ledger,
// say so.
import { describe, expect, test } from 'vitest';
import { populate, useHill } from './index.ts';

describe('bench/population.sql', () => {
  const hill = useHill();

  test.each([1, 2])('makes accounts that the bell settles and publishes (run %i)', async (run) => {
    await hill.asRoot((client) => populate(client, { accounts: 500, seed: run, tokens: true }));

    const night = await hill.clock.ringBell();

    expect(night).toMatchObject({ day: run, accounts: 500, moves: 1000 });
    const outcomes = await hill.rows('select slot, outcome from hill.place_results where day = $1 order by slot', [
      run,
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      ...Array(5).fill('BURN'),
      'WAR',
      ...Array(3).fill('PEACE'),
      'VACANT',
    ]);
    await hill.clock.at('10:00');
  });

  test('makes accounts whose tokens may play', async () => {
    const { rows } = await hill
      .asPublic()
      .query("select api_agent.play(token => 'population-7', slot => 10, move => 'PEACE') as receipt");

    expect(rows[0].receipt).toMatchObject({ day: 3, slot: 10, moves_left: 3 });
  });

  test('gives them wallets that are the sum of their entries, lots included', async () => {
    const differing = await hill.rows(`
      select w.account_id from hill.wallets w       cross join engine.balance_after(w.account_id, 1000000) b
       where (w.granted_cents, w.paid_cents) <> (b.granted_cents, b.paid_cents)
          or w.granted_cents <> (select coalesce(sum(l.remaining_cents), 0) from engine.account_lots(w.account_id) l)`);

    expect(differing).toEqual([]);
  });
});
