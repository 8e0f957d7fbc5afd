// The stories of a night: those that the nights of test/properties/stories.test.ts do not bring, whom they name once an
// account is renamed, hidden or closed, and how long names fit. Rules 10.20.
import { beforeAll, expect, test } from 'vitest';
import { type Account, anAccount, call, closeAccount, useHill } from '../../support/hill/index.ts';

const hill = useHill();
const long = (name: string) => `${name} ${'of the hill '.repeat(5)}`.slice(0, 60).trim();
const cast = {} as Record<'ann' | 'bob' | 'cid' | 'dan' | 'eve' | 'fay', Account>;

const told = async (night: number) => {
  const [row] = await hill.rows<{ stories: { kind: string; text: string; accounts: { name: string }[] }[] }>(
    'select engine.stories($1) as stories',
    [night],
  );
  return row?.stories.map(({ kind, text }) => `${kind}: ${text}`);
};
const play = async (account: Account, slot: number, move: 'PEACE' | 'WAR') => {
  await hill.clock.tick();
  await hill.asAgent(account).play({ slot, move, stake_cents: move === 'WAR' ? 850 : undefined });
};
const say = (account: Account, slot: number, intention: 'PEACE' | 'WAR' | 'PASS') =>
  hill.asAgent(account).announce({ slot, intention });

beforeAll(async () => {
  for (const [key, name] of Object.entries({
    ...{ ann: 'Ann', bob: 'Bob', cid: 'Cid', dan: long('Dan'), eve: long('Eve'), fay: long('Fay') },
  })) {
    await hill.clock.tick();
    cast[key as keyof typeof cast] = await anAccount(hill, { name, credits: 20_000 });
  }
  const { ann, bob, cid, dan, eve, fay } = cast;
  for (const one of [ann, cid]) await play(one, 4, 'PEACE');
  for (const one of [eve, fay]) await play(one, 7, 'PEACE');
  await hill.clock.ringBell();

  await hill.clock.toDay(2);
  for (const one of [ann, cid]) await play(one, 4, 'WAR');
  for (const one of [eve, fay]) await play(one, 7, 'PEACE');
  await say(bob, 6, 'PASS');
  await play(bob, 6, 'WAR');
  await hill.clock.ringBell();

  await hill.clock.toDay(3);
  await say(dan, 7, 'PEACE');
  for (const one of [eve, fay]) await play(one, 7, 'PEACE');
  await play(dan, 7, 'WAR');
  for (const one of [ann, cid]) await play(one, 9, 'WAR');
  await say(bob, 3, 'WAR');
  await play(bob, 3, 'PEACE');
  await hill.clock.ringBell();
});

test('seats lost to an own war, and the promise to stay away', async () => {
  expect(await told(2)).toEqual([
    'betrayal: Bob promised to stay away from place 6 and took it by war',
    'own_goal: Ann goes to war on place 4 after 1 night there, and loses its own seat',
  ]);
});

test('long names are clipped alike, to 140 characters in all', async () => {
  const [betrayal = '', ...others] = (await told(3)) ?? [];
  expect(betrayal).toBe(
    'betrayal: Dan of the hill of the hill… promised peace on place 7 and took it by war from Eve of the hill of the hill… and Fay of the hill of the hill…',
  );
  expect(betrayal.replace('betrayal: ', '').length).toBeLessThanOrEqual(140);
  expect(others).toEqual([
    'rivalry: Ann v. Cid: the 2nd burn in 2 nights, now on place 9',
    'bluff: Bob threatened war on place 3 and takes a seat there in peace',
  ]);
});

test('of a day that has not been resolved there are none', async () => {
  expect(await told(99)).toEqual([]);
});

test('a name is that of the night, and goes where an account is hidden or closed', async () => {
  await call(hill.as('web'), 'api_agent.set_profile', { token: cast.ann.token, name: 'Another Ann' });
  expect((await told(2))?.[1]).toMatch(/^own_goal: Ann /);
  await hill.asStaff().call('api_staff.hide_profile', { account_id: cast.ann.id, hidden: true, reason: 'It insults' });
  await closeAccount(hill, cast.bob);
  expect(await told(2)).toEqual([
    'betrayal: A closed account promised to stay away from place 6 and took it by war',
    'own_goal: A hidden account goes to war on place 4 after 1 night there, and loses its own seat',
  ]);
  await closeAccount(hill, cast.ann);
  await closeAccount(hill, cast.cid);
  expect(await told(3)).toContain('rivalry: A closed account v. another: the 2nd burn in 2 nights, now on place 9');
});
