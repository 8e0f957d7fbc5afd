// What was begun before midnight and is not committed yet: the bell waits for it, and counts it. Rules 2.3, 2.4.
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';
import { until } from '../support/until.ts';

const hill = useHill();

const beginnings: [string, (client: pg.ClientBase, account: Account) => Promise<unknown>][] = [
  ['a grant', (client, { id }) => client.query(`select engine.grant_credits($1, 300, 'a test')`, [id])],
  ['a top-up', (client, { id }) => client.query(`select engine.top_up($1, 2000, 'a test')`, [id])],
  ['an announcement', (client, { token }) => client.query(`select api_agent.announce($1, 1, 'PEACE')`, [token])],
];

describe.each(beginnings)('%s', (_, begin) => {
  test('is waited for, and the night replays', async () => {
    const ann = await anAccount(hill, { credits: 3000 });
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    const client = await hill.root.connect();
    try {
      await client.query('begin');
      await begin(client, ann);
      await hill.clock.toMidnight();
      const rung = hill.asWorker().ringNextBell();
      await until(
        'a bell that waits',
        async () =>
          (await hill.rows("select 1 from pg_locks where relation = 'hill.day_lock'::regclass and not granted"))
            .length > 0,
      );
      await client.query('commit');
      await rung;
    } finally {
      client.release(true);
    }
    expect(await hill.rows('select * from engine.replay_nights(1, 1000)')).toEqual([]);
    expect(await hill.rows('select name, example from engine.check_nights() where wrong > 0')).toEqual([]);
    await hill.clock.at('10:00');
  });
});
