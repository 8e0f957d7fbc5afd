// Grants, expiry and the clock where the server's own clocks go back: an hour comes twice there, and a day has 25
// hours. Rules 2.1, 5.3; decisions 16.
import { beforeAll, describe, expect, test } from 'vitest';
import { anAccount, balanced, books, grant, useHill } from '../../support/hill/index.ts';
import { inTimeZone } from '../../support/hill/zone.ts';

inTimeZone('America/New_York');

describe('in a database of America/New_York', () => {
  const hill = useHill();

  beforeAll(async () => {
    // the clocks there go back on 1 November 2026, at 06:00 UTC
    await hill.rows("update hill.settings set day_one = '2026-10-31', shown_at = '2026-11-01T05:50Z'");
    while ((await hill.asWorker().ringNextBell()) !== null);
  });

  test('grants within the hour that comes twice lie on the line one after the other, and expire after 90 days of 24 hours', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    for (let i = 0; i < 8; i++) {
      await grant(hill, ann, 100);
      await hill.clock.tick(10 * 60_000);
    }

    expect(
      await hill.rows(
        `select count(*)::int as lots, bool_and(extract(epoch from expires_at - granted_at) = 90 * 86400) as days from hill.lots where account_id = $1`,
        [ann.id],
      ),
    ).toEqual([{ lots: 8, days: true }]);
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('a clock that was set more than a day ago shows what has passed since', async () => {
    const [row] = await hill.rows(
      `select engine.iso(engine.instant('simulated', '2026-11-01T00:00Z', clock_timestamp() - interval '48 hours', 1, 0, null) + interval '1 second') as at`,
    );
    expect(row?.at).toMatch(/^2026-11-03T00:00:0[01]/);
  });

  test('late grants are told from those before the bell, 90 days ahead of it', async () => {
    const bob = await anAccount(hill, { credits: 1000, granted: 300 });
    await hill.asAgent(bob).play({ slot: 1, move: 'WAR', stake_cents: 800 });
    await hill.clock.toMidnight();
    await grant(hill, bob, 500); // the bell is late
    await hill.asWorker().ringNextBell();

    expect(
      await hill.rows('select granted_cents, paid_cents from hill.settlements where account_id = $1', [bob.id]),
    ).toEqual([{ granted_cents: 300, paid_cents: 500 }]);
    expect(await hill.rows('select * from engine.replay_nights(1, 1000000)')).toEqual([]);
  });
});
