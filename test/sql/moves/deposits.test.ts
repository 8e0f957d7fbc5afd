// What a deposit does to the account: counts, places, reservations, and what repeats and withdrawals leave. Rules 3.3,
// 3.4, 3.6, 13.1.
import { describe, expect, test } from 'vitest';
import { anAccount, anotherAgent, refusal, topUp, useHill } from '../../support/hill/index.ts';

const hill = useHill();

describe('an accepted move', () => {
  test('reserves its cost, and its receipt says what it promises', async () => {
    const ann = await anAccount(hill, { credits: 2000 });

    const receipt = await hill.asAgent(ann).play({ slot: 3, move: 'WAR', stake_cents: 900, message: 'Mine' });

    expect(receipt).toEqual({
      day: 1,
      slot: 3,
      move: 'WAR',
      stake_cents: 900,
      message: 'Mine',
      reserved_cents: 900,
      deposited_at: '2026-03-01T10:00:00.000000Z',
      sealed_until: '2026-03-02T00:00:00.000000Z',
      moves_left: 3,
      places_left: 1,
      cap_left_cents: 100,
      available_cents: 1100,
      // what commits to it: test/sql/moves/commitments.test.ts
      ...{
        salt: expect.any(String),
        ends: expect.any(String),
        message_salt: expect.any(String),
        commitment: expect.any(String),
      },
    });
    expect(await hill.asAgent(ann).ownState()).toMatchObject({
      paid_cents: 2000,
      reserved_cents: 900,
      available_cents: 1100,
      moves_left: 3,
      places_left: 1,
      moves: [{ slot: 3, move: 'WAR', stake_cents: 900, message: 'Mine', reserved_cents: 900 }],
    });
  });

  test('costs a challenger 300 cents for PEACE, and WAR its stake', async () => {
    const ann = await anAccount(hill, { credits: 5000, daily_cap_cents: 5000 });

    expect(await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' })).toMatchObject({ reserved_cents: 300 });
    expect(await hill.asAgent(ann).play({ slot: 2, move: 'WAR', stake_cents: 1500 })).toMatchObject({
      reserved_cents: 1500,
    });
  });

  test.each([
    ['PEACE with a stake', 'PEACE', 1],
    ['PEACE with a stake that WAR could have', 'PEACE', 800],
    ['PASS with a stake', 'PASS', 800],
    ['WAR without a stake', 'WAR', undefined],
    ['WAR with a stake of 799', 'WAR', 799],
    ['WAR with a stake of 0', 'WAR', 0],
    ['WAR with a stake below 0', 'WAR', -900],
  ])('is never %s', async (_, move, stake_cents) => {
    const ann = await anAccount(hill, { credits: 5000, daily_cap_cents: 5000 });

    expect(await refusal(hill.asAgent(ann).play({ slot: 1, move, stake_cents }))).toMatchObject({
      code: 'INVALID_STAKE',
      detail: { minimum_stake_cents: 800 },
    });
  });

  test.each([
    ['place', null, 'PEACE'],
    ['place', 0, 'PEACE'],
    ['place', 11, 'PEACE'],
    ['place', -1, 'PEACE'],
    ['move', 1, null],
    ['move', 1, 'peace'],
    ['move', 1, ''],
  ])('needs a %s that there is (%s, %s)', async (_, slot, move) => {
    const ann = await anAccount(hill, { credits: 2000 });

    expect(await refusal(hill.asAgent(ann).play({ slot, move }))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test('takes a message of 140 characters, whatever their bytes, and not of 141', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    const message = '🏔'.repeat(140);

    expect(await hill.asAgent(ann).play({ slot: 1, move: 'PEACE', message })).toMatchObject({ message });
    expect(await refusal(hill.asAgent(ann).play({ slot: 1, move: 'PEACE', message: `${message}.` }))).toMatchObject({
      code: 'MESSAGE_TOO_LONG',
      detail: { max_length: 140 },
    });
  });

  test('stakes as much as the mandate allows, and not a cent more', async () => {
    const ann = await anAccount(hill, { credits: 5000, daily_cap_cents: 5000, max_stake_cents: 1200 });

    expect(await refusal(hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 1201 }))).toMatchObject({
      code: 'STAKE_OVER_MANDATE',
      detail: { max_stake_cents: 1200 },
    });
    expect(await hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: 1200 })).toMatchObject({
      reserved_cents: 1200,
    });
  });

  test('a stake of all 64 bits is refused like any other, never overflows', async () => {
    const ann = await anAccount(hill, { credits: 5000, daily_cap_cents: 5000 });
    await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' });

    expect(
      await refusal(hill.asAgent(ann).play({ slot: 1, move: 'WAR', stake_cents: '9223372036854775807' })),
    ).toMatchObject({
      code: 'STAKE_OVER_MANDATE',
    });
  });

  test('reaches the daily cap, and a cent more is refused', async () => {
    const ann = await anAccount(hill, { credits: 5000, daily_cap_cents: 1200 });
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });

    expect(await refusal(hill.asAgent(ann).play({ slot: 2, move: 'WAR', stake_cents: 901 }))).toMatchObject({
      code: 'OVER_DAILY_CAP',
      detail: { daily_cap_cents: 1200, reserved_cents: 300, cost_cents: 901 },
    });
    expect(await hill.asAgent(ann).play({ slot: 2, move: 'WAR', stake_cents: 900 })).toMatchObject({ places_left: 0 });
  });

  test('spends the last cent of the credits, granted and paid together, and not one that is not there', async () => {
    const ann = await anAccount(hill, { credits: 800, granted: [150, 150], daily_cap_cents: 5000 });
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });

    expect(await refusal(hill.asAgent(ann).play({ slot: 2, move: 'WAR', stake_cents: 801 }))).toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      detail: { available_cents: 800, cost_cents: 801 },
    });
    expect(await hill.asAgent(ann).play({ slot: 2, move: 'WAR', stake_cents: 800 })).toMatchObject({
      reserved_cents: 800,
    });
    expect(await hill.asAgent(ann).ownState()).toMatchObject({ available_cents: 0, reserved_cents: 1100 });
  });

  test('may be paid by credits that came in after a refusal', async () => {
    const ann = await anAccount(hill);
    expect((await refusal(hill.asAgent(ann).play({ slot: 1, move: 'PEACE' }))).code).toBe('INSUFFICIENT_CREDITS');

    await topUp(hill, ann, 2000);

    expect(await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' })).toMatchObject({ reserved_cents: 300 });
  });
});

describe('a repeat', () => {
  test('of the live move changes nothing: same receipt, same time, not counted', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    const move = { slot: 3, move: 'WAR', stake_cents: 900, message: 'Mine' };
    const first = await hill.asAgent(ann).play(move);
    await hill.clock.tick();

    expect(await hill.asAgent(ann).play(move)).toEqual(first);
    expect(await hill.asAgent(ann).play({ ...move, day: 1 })).toEqual(first);
    expect(await hill.rows('select moves from hill.reservations where account_id = $1', [ann.id])).toEqual([
      { moves: 1 },
    ]);
    expect(await hill.rows('select count(*) from hill.sealed_moves where account_id = $1', [ann.id])).toEqual([
      { count: 1 },
    ]);
  });

  test('by another agent of the account is the same repeat', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    const bob = await anotherAgent(hill, ann);
    const first = await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    await hill.clock.tick();

    expect(await hill.asAgent(bob).play({ slot: 3, move: 'PEACE' })).toEqual(first);
  });

  test('with an empty message is one without', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    const first = await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });

    expect(await hill.asAgent(ann).play({ slot: 3, move: 'PEACE', message: '' })).toEqual(first);
  });

  test('is answered even when no move is left', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    for (const message of ['a', 'b', 'c']) await hill.asAgent(ann).play({ slot: 3, move: 'PEACE', message });
    const last = await hill.asAgent(ann).play({ slot: 3, move: 'PEACE', message: 'd' });

    expect(last).toMatchObject({ moves_left: 0 });
    expect(await hill.asAgent(ann).play({ slot: 3, move: 'PEACE', message: 'd' })).toEqual(last);
    expect((await refusal(hill.asAgent(ann).play({ slot: 3, move: 'PEACE', message: 'c' }))).code).toBe(
      'NO_MOVES_LEFT',
    );
  });

  test.each([
    ['the stake', { stake_cents: 901 }],
    ['the message', { message: 'Yours' }],
    ['the place', { slot: 4 }],
    ['the move', { move: 'PEACE', stake_cents: undefined }],
  ])('that differs in %s is a move of its own', async (_, other) => {
    const ann = await anAccount(hill, { credits: 2000, daily_cap_cents: 2000 });
    const move = { slot: 3, move: 'WAR', stake_cents: 900, message: 'Mine' };
    await hill.asAgent(ann).play(move);

    expect(await hill.asAgent(ann).play({ ...move, ...other })).toMatchObject({ moves_left: 2 });
  });

  test('of what was replaced is a new move with a new time', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    const first = await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE', message: 'Hello' });
    await hill.clock.tick();

    const again = await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });

    expect(again.moves_left).toBe(1);
    expect(again.deposited_at > first.deposited_at).toBe(true);
  });
});

describe('a replacement', () => {
  test('takes a new deposit time, ends the earlier deposit and keeps it', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    const bob = await anotherAgent(hill, ann);
    const first = await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    await hill.clock.tick();

    const second = await hill.asAgent(bob).play({ slot: 3, move: 'WAR', stake_cents: 800 });

    expect(second).toMatchObject({ moves_left: 2, places_left: 1, reserved_cents: 800 });
    expect(second.deposited_at > first.deposited_at).toBe(true);
    expect((await hill.asAgent(ann).ownState()).moves).toEqual([
      {
        ...{ slot: 3, move: 'WAR', stake_cents: 800, reserved_cents: 800, deposited_at: second.deposited_at },
        agent: expect.stringMatching(/^Agent \d+$/),
      },
    ]);
    expect(
      await hill.rows('select move, ended, agent_id from hill.sealed_moves where account_id = $1 order by seq', [
        ann.id,
      ]),
    ).toEqual([
      { move: 'PEACE', ended: 'replaced', agent_id: ann.agentId },
      { move: 'WAR', ended: null, agent_id: bob.agentId },
    ]);
  });

  test('frees its own reservation before cap and credits are asked', async () => {
    const ann = await anAccount(hill, { credits: 1000, daily_cap_cents: 1000 });
    await hill.asAgent(ann).play({ slot: 3, move: 'WAR', stake_cents: 900 });

    expect(await hill.asAgent(ann).play({ slot: 3, move: 'WAR', stake_cents: 1000 })).toMatchObject({
      reserved_cents: 1000,
    });
    expect(await hill.asAgent(ann).ownState()).toMatchObject({ reserved_cents: 1000, available_cents: 0 });
  });

  test('needs no further place', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    await hill.asAgent(ann).play({ slot: 4, move: 'PEACE' });

    expect((await refusal(hill.asAgent(ann).play({ slot: 5, move: 'PEACE' }))).code).toBe('TOO_MANY_PLACES');
    expect(await hill.asAgent(ann).play({ slot: 4, move: 'PEACE', message: 'Hello' })).toMatchObject({
      places_left: 0,
    });
  });

  test('that is refused leaves the move that stands', async () => {
    const ann = await anAccount(hill, { credits: 1000 });
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    const before = await hill.asAgent(ann).ownState();

    expect((await refusal(hill.asAgent(ann).play({ slot: 3, move: 'WAR', stake_cents: 1001 }))).code).toBe(
      'OVER_DAILY_CAP',
    );

    expect(await hill.asAgent(ann).ownState()).toEqual(before);
  });
});

describe('PASS', () => {
  test('withdraws the move, gives back its reservation and frees its place, and is counted', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    await hill.asAgent(ann).play({ slot: 3, move: 'WAR', stake_cents: 900 });

    const receipt = await hill.asAgent(ann).play({ slot: 3, move: 'PASS' });

    expect(receipt).toMatchObject({ slot: 3, move: 'PASS', reserved_cents: 0, moves_left: 2, places_left: 2 });
    expect(await hill.asAgent(ann).ownState()).toMatchObject({ available_cents: 2000, reserved_cents: 0, moves: [] });
  });

  test('with no live move changes nothing and is not counted', async () => {
    const ann = await anAccount(hill, { credits: 2000 });

    expect(await hill.asAgent(ann).play({ slot: 3, move: 'PASS' })).toMatchObject({
      move: 'PASS',
      moves_left: 4,
      places_left: 2,
    });
    expect(await hill.rows('select count(*) from hill.sealed_moves where account_id = $1', [ann.id])).toEqual([
      { count: 0 },
    ]);
  });

  test('repeated gives the receipt of the first', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    const first = await hill.asAgent(ann).play({ slot: 3, move: 'PASS' });
    await hill.clock.tick();

    expect(await hill.asAgent(ann).play({ slot: 3, move: 'PASS' })).toEqual(first);
  });

  test('is refused, and changes nothing, when the four moves of the day are spent', async () => {
    const bob = await anAccount(hill, { credits: 5000, daily_cap_cents: 5000 });
    for (const message of ['a', 'b'])
      for (const slot of [3, 4]) await hill.asAgent(bob).play({ slot, move: 'PEACE', message });

    expect(await refusal(hill.asAgent(bob).play({ slot: 3, move: 'PASS' }))).toMatchObject({
      code: 'NO_MOVES_LEFT',
      detail: { moves_per_day: 4, next_day_at: '2026-03-02T00:00:00.000000Z' },
    });
    expect((await hill.asAgent(bob).ownState()).moves).toHaveLength(2);
  });

  test('on one place leaves the move on the other', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    await hill.asAgent(ann).play({ slot: 4, move: 'PEACE' });
    await hill.asAgent(ann).play({ slot: 3, move: 'PASS' });

    expect((await hill.asAgent(ann).ownState()).moves).toMatchObject([{ slot: 4, move: 'PEACE', reserved_cents: 300 }]);
    expect(await hill.asAgent(ann).play({ slot: 5, move: 'PEACE' })).toMatchObject({ places_left: 0, moves_left: 0 });
  });

  test('then the same move again is a new deposit', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    await hill.asAgent(ann).play({ slot: 3, move: 'PASS' });

    expect(await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' })).toMatchObject({
      moves_left: 1,
      places_left: 1,
      reserved_cents: 300,
    });
  });
});

describe('the account page', () => {
  test('withdraws a move that an agent made, without using up a move', async () => {
    const ann = await anAccount(hill, { credits: 5000, daily_cap_cents: 5000 });
    for (const message of ['a', 'b'])
      for (const slot of [3, 4]) await hill.asAgent(ann).play({ slot, move: 'PEACE', message });

    expect(await hill.asHuman(ann).withdrawMove(3)).toMatchObject({
      withdrawn: true,
      moves_left: 0,
      places_left: 1,
      reserved_cents: 300,
      available_cents: 4700,
      moves: [{ slot: 4 }],
    });
    expect(await hill.asHuman(ann).withdrawMove(3)).toMatchObject({ withdrawn: false });
    expect((await refusal(hill.asAgent(ann).play({ slot: 3, move: 'PEACE' }))).code).toBe('NO_MOVES_LEFT');
  });

  test('withdraws what an agent that was cut off since has deposited; until then it stands', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    await hill.rows('update hill.agents set cut_at = engine.now() where id = $1', [ann.agentId]);

    expect((await refusal(hill.asAgent(ann).play({ slot: 4, move: 'PEACE' }))).code).toBe('INVALID_TOKEN');
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ moves: [{ slot: 3 }], reserved_cents: 300 });
    expect(await hill.asHuman(ann).withdrawMove(3)).toMatchObject({ withdrawn: true, moves: [], reserved_cents: 0 });
  });

  test('touches nobody else: not the same place of another account', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    const bob = await anAccount(hill, { credits: 2000 });
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });

    expect(await hill.asHuman(bob).withdrawMove(3)).toMatchObject({ withdrawn: false });
    expect((await hill.asAgent(ann).ownState()).moves).toHaveLength(1);
  });

  test.each([0, 11, -3])('knows no place %i', async (slot) => {
    const ann = await anAccount(hill, { credits: 2000 });

    expect(await hill.asHuman(ann).withdrawMove(slot)).toMatchObject({ withdrawn: false });
  });
});

test('what an account has tonight is found by the account, also by plans that were made while the table of tonight was empty', async () => {
  await hill.rows('vacuum (analyze) hill.sealed_moves'); // as a DBA does after a bell: the planner then knows that there is nothing to read
  const others = await hill.rows<{ oid: number }>(
    `select indexrelid::oid as oid from pg_index
      where indrelid = 'hill.sealed_moves'::regclass and pg_get_indexdef(indexrelid) not like '%(account_id,%'`,
  );
  expect(others.length).toBeGreaterThan(0);
  const ann = await anAccount(hill, { credits: 5000 });
  await hill.asRoot(async (root) => {
    await root.query('begin');
    for (const call of [
      "play(token => $1, slot => 1, move => 'PEACE')",
      "play(token => $1, slot => 1, move => 'PASS')",
      'status(token => $1)',
    ])
      await root.query(`select api_agent.${call}`, [ann.token]);
    const { rows } = await root.query(
      'select sum(pg_stat_get_xact_numscans(oid))::int as scans from unnest($1::oid[]) oid',
      [others.map(({ oid }) => oid)],
    );
    await root.query('rollback');
    expect(rows).toEqual([{ scans: 0 }]);
  });
});
