// The caps that a human sets and no agent can widen. Rules 1.2, 3.8.
import { describe, expect, test } from 'vitest';
import { rule } from '../../../src/db/rules.ts';
import { anAccount, anotherAgent, call, refusal, useHill } from '../../support/hill/index.ts';

const hill = useHill();

describe('the mandate', () => {
  test('of a new account is 1000 cents a day and a stake of 1500 at most', async () => {
    const ann = await anAccount(hill, { credits: 5000 });

    expect(await hill.asHuman(ann).ownState()).toMatchObject({ daily_cap_cents: 1000, max_stake_cents: 1500 });
    expect((await refusal(hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 1501 }))).code).toBe(
      'STAKE_OVER_MANDATE',
    );
    expect((await refusal(hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 1001 }))).code).toBe(
      'OVER_DAILY_CAP',
    );
    expect(await hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 1000 })).toMatchObject({ slot: 1 });
  });

  test('has defaults in the rules, and the same ones in its table', async () => {
    const defaults = await hill.rows<{ column: string; value: number }>(
      `select a.attname::text as column, pg_get_expr(d.adbin, d.adrelid)::integer as value
         from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
        where d.adrelid = 'hill.mandates'::regclass order by 1`,
    );
    expect(defaults).toEqual([
      { column: 'daily_cap_cents', value: rule('default_daily_cap_cents') },
      { column: 'max_stake_cents', value: rule('default_max_stake_cents') },
    ]);
  });

  test('binds the account across all its agents', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    const bob = await anotherAgent(hill, ann);
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });

    expect(await refusal(hill.asAgent(bob).play({ slot: 2, move: 'WAR', stake_cents: 800 }))).toMatchObject({
      code: 'OVER_DAILY_CAP',
      detail: { reserved_cents: 300, cost_cents: 800 },
    });
    await hill.asAgent(bob).play({ slot: 2, move: 'PEACE' });
    expect((await refusal(hill.asAgent(ann).play({ slot: 3, move: 'PEACE' }))).code).toBe('TOO_MANY_PLACES');
    await hill.asAgent(ann).play({ slot: 1, move: 'PASS' });
    await hill.asAgent(bob).play({ slot: 2, move: 'PASS' });
    expect((await refusal(hill.asAgent(ann).play({ slot: 3, move: 'PEACE' }))).code).toBe('NO_MOVES_LEFT');
  });

  test('is set by the human, at once and to the cent', async () => {
    const ann = await anAccount(hill, { credits: 5000 });

    expect(await hill.asHuman(ann).setMandate(300, 0)).toMatchObject({ daily_cap_cents: 300, max_stake_cents: 0 });
    expect((await refusal(hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 800 }))).code).toBe(
      'STAKE_OVER_MANDATE',
    );
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    expect((await refusal(hill.asAgent(ann).play({ slot: 2, move: 'PEACE' }))).code).toBe('OVER_DAILY_CAP');
    await hill.asHuman(ann).setMandate(600, 0);
    expect(await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' })).toMatchObject({ slot: 2 });
  });

  test('lowered later touches no accepted move, which is paid at the bell', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    await hill.asAgent(ann).play({ slot: 9, move: 'WAR', stake_cents: 900 });

    expect(await hill.asHuman(ann).setMandate(0, 0)).toMatchObject({
      reserved_cents: 900,
      moves: [{ slot: 9, stake_cents: 900 }],
    });
    expect((await refusal(hill.asAgent(ann).play({ slot: 8, move: 'PEACE' }))).code).toBe('OVER_DAILY_CAP');
  });

  test('over which a lowered cap leaves the day lets through what does not raise the sum', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    await hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 900 });
    await hill.asHuman(ann).setMandate(100, 1500);

    expect((await refusal(hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 901 }))).code).toBe(
      'OVER_DAILY_CAP',
    );
    expect(await hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 900, message: 'Still' })).toMatchObject({
      moves_left: 2,
    });
    expect(await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' })).toMatchObject({ reserved_cents: 300 });
    expect(await hill.asAgent(ann).play({ slot: 1, move: 'PASS' })).toMatchObject({ reserved_cents: 0 });
  });

  test('max stake binds a replacement that lowers the sum all the same', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    await hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 1000 });
    await hill.asHuman(ann).setMandate(1000, 850);

    expect((await refusal(hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 900 }))).code).toBe(
      'STAKE_OVER_MANDATE',
    );
    expect(await hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 850 })).toMatchObject({
      stake_cents: 850,
    });
  });

  test.each([
    [-1, 1500],
    [1000, -1],
    [100_000_001, 1500],
    [1000, 100_000_001],
  ])('is never %s and %s', async (cap, stake) => {
    const ann = await anAccount(hill);

    expect((await refusal(hill.asHuman(ann).setMandate(cap, stake))).code).toBe('INVALID_AMOUNT');
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ daily_cap_cents: 1000, max_stake_cents: 1500 });
  });

  test('changes in what is given alone', async () => {
    const ann = await anAccount(hill);

    await hill.asHuman(ann).setMandate(900, null);
    expect(await hill.asHuman(ann).setMandate(null, 850)).toMatchObject({ daily_cap_cents: 900, max_stake_cents: 850 });
  });

  test.each([
    ['the cap', 1001, 1500],
    ['the stake', 1000, 1501],
  ])('is lowered by whoever is signed in; a recent sign-in is wanted to raise %s', async (_, cap, stake) => {
    const ann = await anAccount(hill);
    await hill.rows(
      "update oauth.human_sessions set created_at = created_at - interval '1 hour' where account_id = $1",
      [ann.id],
    );

    expect((await refusal(hill.asHuman(ann).setMandate(cap, stake))).code).toBe('SIGN_IN_AGAIN');
    expect(await hill.asHuman(ann).setMandate(999, 1499)).toMatchObject({
      daily_cap_cents: 999,
      max_stake_cents: 1499,
    });
  });

  test('is out of reach of an agent, and of another human', async () => {
    const ann = await anAccount(hill);
    const bob = await anAccount(hill);

    expect(
      (
        await refusal(
          call(hill.asPublic(), 'api_human.set_mandate', {
            session: ann.token,
            daily_cap_cents: 9,
            max_stake_cents: 9,
          }),
        )
      ).code,
    ).toBe('INVALID_TOKEN');
    await hill.asHuman(bob).setMandate(9, 9);
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ daily_cap_cents: 1000 });
    // what the agents' owner may write at all
    await expect(
      hill.asOwnerOf('hill_api_agent', (client) => client.query('update hill.mandates set daily_cap_cents = 100000')),
    ).rejects.toMatchObject({ code: '42501' });
  });
});

describe('the weekly cap', () => {
  test('counts six nights and today, and lets go of the oldest', async () => {
    const ann = await anAccount(hill, { credits: 50_000 });
    await hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 900 });
    await hill.clock.ringBell();
    for (let night = 2; night <= 6; night++) await hill.clock.ringBell();
    await hill.asHuman(ann).setWeeklyCap(1500);

    expect(await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' })).toMatchObject({ cap_left_cents: 300 });
    expect(await refusal(hill.asAgent(ann).play({ slot: 3, move: 'WAR', stake_cents: 800 }))).toMatchObject({
      code: 'OVER_DAILY_CAP',
    });
    await hill.asHuman(ann).setMandate(5000, 1500);
    expect(await refusal(hill.asAgent(ann).play({ slot: 3, move: 'WAR', stake_cents: 800 }))).toMatchObject({
      code: 'WEEKLY_CAP',
      detail: { weekly_left_cents: 300, cost_cents: 800 },
    });
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ weekly_cap_cents: 1500, weekly_left_cents: 300 });
    await hill.clock.ringBell(); // the 900 were seven nights ago
    expect(await hill.asAgent(ann).play({ slot: 3, move: 'WAR', stake_cents: 1200 })).toMatchObject({
      cap_left_cents: 0,
    });
  });

  test('takes a recent sign-in to raise or to end, none to lower', async () => {
    const ann = await anAccount(hill);
    await hill.rows(
      "update oauth.human_sessions set created_at = created_at - interval '1 hour' where account_id = $1",
      [ann.id],
    );
    const human = hill.asHuman(ann);

    expect(await human.setWeeklyCap(2000)).toMatchObject({ weekly_cap_cents: 2000 });
    expect(await human.setWeeklyCap(1900)).toMatchObject({ weekly_cap_cents: 1900 });
    expect((await refusal(human.setWeeklyCap(1901))).code).toBe('SIGN_IN_AGAIN');
    expect((await refusal(human.setWeeklyCap(null))).code).toBe('SIGN_IN_AGAIN');
    expect((await refusal(human.setWeeklyCap(-1))).code).toBe('INVALID_AMOUNT');
  });
});

describe('a pause', () => {
  const date = async (days: number) => {
    const { now } = await hill.asWorker().readClock();
    return new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10);
  };

  test('refuses what agents deposit and announce until its day, and touches nothing accepted', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    const until = await date(2);

    expect(await hill.asHuman(ann).pause(until)).toMatchObject({
      paused_until: `${until}T00:00:00.000000Z`,
      moves: [{ slot: 1 }],
    });
    const agent = hill.asAgent(ann);
    for (const attempt of [
      () => agent.play({ slot: 2, move: 'PEACE' }),
      () => agent.play({ slot: 1, move: 'PASS' }),
      () => agent.announce({ slot: 1, intention: 'PEACE' }),
    ])
      expect(await refusal(attempt())).toMatchObject({
        code: 'PAUSED',
        detail: { resumes_at: `${until}T00:00:00.000000Z` },
      });
    await hill.clock.ringBell();
    expect((await refusal(hill.asAgent(ann).play({ slot: 1, move: 'PEACE' }))).code).toBe('PAUSED');
    await hill.clock.ringBell();
    expect(await hill.asHuman(ann).ownState()).not.toHaveProperty('paused_until');
    expect(await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' })).toMatchObject({ slot: 1 });
  });

  test('ends at any time, and is no longer than a year', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    const human = hill.asHuman(ann);

    for (const days of [0, 366])
      expect(await refusal(human.pause(await date(days)))).toMatchObject({
        code: 'INVALID_ARGUMENT',
        detail: { argument: 'until', earliest: await date(1), latest: await date(365) },
      });
    await human.pause(await date(365));
    await human.pause(null);
    expect(await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' })).toMatchObject({ slot: 1 });
  });

  test('comes after a suspension', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    await hill.asHuman(ann).pause(await date(1));
    await hill.rows('update hill.accounts set suspended_at = now() where id = $1', [ann.id]);

    expect((await refusal(hill.asAgent(ann).play({ slot: 1, move: 'PEACE' }))).code).toBe('ACCOUNT_SUSPENDED');
  });
});
