// Of a night of thousands the replay prints what a person can read.
import { beforeAll, describe, expect, test } from 'vitest';
import { populate, useHill } from '../../support/hill/index.ts';
import { hasPsql, psql } from '../../support/hill/psql.ts';
import { useDbaLogins } from './logins.ts';

const hill = useHill();
const urls = useDbaLogins(hill);

beforeAll(async () => {
  await hill.asRoot(async (superuser) => {
    await populate(superuser, { accounts: 10_500 });
    // The population has a past in its wallets that no night tells of. One account is looked at whole, so it may have
    // none.
    await superuser.query('set session_replication_role = replica');
    await superuser.query(
      "update hill.wallets w set peace_ring = 0, war_ring = 0 from hill.accounts a where a.id = w.account_id and a.slug = 'population-77'",
    );
  });
  await hill.clock.ringBell();
});

describe.skipIf(!hasPsql)('a night of 21000 moves', () => {
  test('is replayed whole and shown in part', async () => {
    const { code, stdout, stderr } = await psql(urls.dba, 'sql/replay/replay_day.sql', { day: 1 });

    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout.split('\n').length).toBeLessThan(350);
    expect(stdout).toMatch(/^Bell of 2026-03-02 00:00 UTC\. Live moves: 21000, by 10500 accounts\.$/m);
    expect(stdout).toMatch(/^ charges: the price of each move +\| +21000 \| +0$/m);
    expect(stdout).toMatch(/^ settlements: what each account paid +\| +10500 \| +0$/m);
    expect(stdout).toContain('The night file is left out: of more than 20000 moves nobody makes one.');
    expect(stdout).toMatch(/^Day 1 equals what was published\.$/m);
  });

  test('shows each place at its edges: who sits there, and whom they came before', async () => {
    const { stdout } = await psql(urls.dba, 'sql/replay/replay_day.sql', { day: 1, rows: 20 });

    const moves = stdout.slice(stdout.indexOf('Moves, place by place'), stdout.indexOf('The queue:'));
    for (let slot = 1; slot <= 9; slot++)
      expect(moves).toMatch(new RegExp(`^ +${slot} \\| population-\\d+ .* takes seat 1 `, 'm'));
    expect(moves.match(/joins the queue/g)?.length).toBeLessThan(30);
  });

  test('of one account is told as fully as of any', async () => {
    const { code, stdout } = await psql(urls.dba, 'sql/replay/account_day.sql', { account: 'population-77', day: 1 });

    expect(code).toBe(0);
    expect(stdout.match(/live at the bell/g)).toHaveLength(2);
    expect(stdout).toMatch(/number \d+ of the queue, not served|takes seat|burns/);
  });
});
