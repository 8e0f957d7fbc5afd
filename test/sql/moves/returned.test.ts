// What play refuses it returns: what is raised leaves a line with an instant in the server's log. Rules 9.2.
import { expect, test } from 'vitest';
import { call as callAsDoors } from '../../../src/db/call.ts';
import { type Account, anAccount, useHill } from '../../support/hill/index.ts';

const hill = useHill();

const answers = async (
  account: Account,
  args: [number | null, string | null, (number | null)?, (string | null)?, number?],
): Promise<string | undefined> => {
  const [slot, move, stake = null, message = null, day = null] = args;
  const { rows } = await hill
    .as('web')
    .query(`select api_agent.play($1, $2, $3, $4, $5, $6) -> 'refused' ->> 'state' as state`, [
      account.token,
      slot,
      move,
      stake,
      message,
      day,
    ]);
  return known.find(({ state }) => state === rows[0]?.state)?.code;
};
let known: { state: string; code: string }[];

test('each refusal is an answer, and the doors throw it', async () => {
  known = await hill.rows('select state, code from engine.errors()');
  const ann = await anAccount(hill, { credits: 2000, daily_cap_cents: 1000, max_stake_cents: 900 });
  const poor = await anAccount(hill, { credits: 100 });
  const barred = await anAccount(hill, { credits: 2000, suspended: true });
  await hill.rows('update hill.places set opens_day = 9 where slot = 9');

  expect(await answers(ann, [11, 'PEACE'])).toBe('INVALID_ARGUMENT');
  expect(await answers(ann, [null, null])).toBe('INVALID_ARGUMENT');
  expect(await answers(ann, [1, 'PEACE', null, 'two\nlines'])).toBe('INVALID_ARGUMENT');
  expect(await answers(barred, [1, 'PEACE'])).toBe('ACCOUNT_SUSPENDED');
  expect(await answers(ann, [1, 'PEACE', null, null, 7])).toBe('DAY_PASSED');
  expect(await answers(ann, [9, 'PEACE'])).toBe('SLOT_CLOSED');
  expect(await answers(ann, [1, 'WAR', 1])).toBe('INVALID_STAKE');
  expect(await answers(ann, [1, 'PEACE', null, 'x'.repeat(1000)])).toBe('MESSAGE_TOO_LONG');
  expect(await answers(ann, [1, 'WAR', 950])).toBe('STAKE_OVER_MANDATE');
  expect(await answers(poor, [1, 'PEACE'])).toBe('INSUFFICIENT_CREDITS');
  expect(await answers(ann, [1, 'WAR', 850])).toBeUndefined();
  expect(await answers(ann, [2, 'PEACE'])).toBe('OVER_DAILY_CAP');
  expect(await answers(ann, [1, 'PEACE'])).toBeUndefined();
  expect(await answers(ann, [2, 'PEACE'])).toBeUndefined();
  expect(await answers(ann, [3, 'PEACE'])).toBe('TOO_MANY_PLACES');
  expect(await answers(ann, [2, 'PASS'])).toBeUndefined();
  expect(await answers(ann, [2, 'PEACE'])).toBe('NO_MOVES_LEFT');
  await hill.asRoot(async (bell) => {
    await bell.query('begin; lock table hill.day_lock in exclusive mode');
    expect(await answers(ann, [2, 'PEACE'])).toBe('BELL_RINGING');
    expect(await answers(barred, [2, 'PEACE'])).toBe('ACCOUNT_SUSPENDED');
    await bell.query('rollback');
  });
  await hill.rows('update hill.settings set founders_total = 3');
  expect(await answers(ann, [1, 'PEACE'])).toBe('HILL_NOT_OPEN');

  await expect(
    callAsDoors(hill.as('web'), 'api_agent.play', { token: ann.token, slot: 1, move: 'PEACE' }),
  ).rejects.toMatchObject({
    name: 'Refusal',
    code: 'HILL_NOT_OPEN',
    detail: { opensAt: expect.any(String) },
  });
});
