// What the human of an account is warned of, and no longer than it lasts. Rules 9.1.
import { expect, test } from 'vitest';
import { rule } from '../../../src/db/rules.ts';
import { type Account, anAccount, anotherAgent, call, useHill } from '../../support/hill/index.ts';

const hill = useHill();

interface Warning {
  code: string;
  grave: boolean;
}
const warnings = ({ session }: Account) => call<Warning[]>(hill.as('web'), 'api_human.warnings', { session });
const codes = async (account: Account) => (await warnings(account)).map(({ code }) => code);

test('a healthy account, played today, has none', async () => {
  const ann = await anAccount(hill, { credits: 50_000 });
  await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });

  expect(await codes(ann)).toEqual([]);
});

test('nobody plays for it once its agents are cut, and before the first one is there, nothing is said', async () => {
  const ann = await anAccount(hill, { credits: 50_000 });
  await call(hill.as('web'), 'api_human.cut_agent', { session: ann.session, agent_id: ann.agentId });

  expect(await warnings(ann)).toMatchObject([{ code: 'NO_AGENT', grave: true, since: expect.any(String) }]);
  await hill.clock.tick();
  await anotherAgent(hill, ann);
  expect(await codes(ann)).toEqual(['NEW_AGENT']);
});

test('what tonight has reserved is no longer there to spend', async () => {
  const ann = await anAccount(hill, { credits: 500 });
  await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });

  expect(await warnings(ann)).toContainEqual({
    code: 'CREDITS_LOW',
    occasion: expect.any(String),
    grave: true,
    available_cents: 200,
    needed_cents: 300,
  });
});

test('a seat that was lost last night is named, and the night after it no longer', async () => {
  const ann = await anAccount(hill, { credits: 50_000 });
  await hill.asAgent(ann).play({ slot: 4, move: 'PEACE' });
  const night = await hill.clock.day();
  await hill.clock.ringBell();
  expect(await codes(ann)).toEqual([]);
  await hill.clock.ringBell();

  expect(await warnings(ann)).toMatchObject([{ code: 'SEAT_LOST', grave: true, day: night + 1, slots: [4] }]);
  await hill.clock.ringBell();
  await hill.clock.ringBell();
  expect(await codes(ann)).toEqual(['AGENT_SILENT']);
  const until = new Date(Date.parse((await hill.asWorker().readClock()).now) + 7 * 86_400_000);
  await hill.asHuman(ann).pause(until.toISOString().slice(0, 10));
  expect(await codes(ann)).toEqual([]); // as its human wants it
});

test('credits that do not last, and a seat whose rent has doubled', async () => {
  const ann = await anAccount(hill, { credits: 3900, daily_cap_cents: 10_000 });
  let cents = 0;
  while (cents < 600) {
    ({ reserved_cents: cents } = await hill.asAgent(ann).play({ slot: 6, move: 'PEACE' }));
    await hill.clock.ringBell();
  }
  const day = await hill.clock.day();

  expect(await warnings(ann)).toMatchObject([
    { code: 'CREDITS_SHORT', grave: false, nights: expect.any(Number) },
    { code: 'RENT_DOUBLES', grave: false, slot: 6, day: expect.any(Number) },
  ]);
  const [, rent] = (await warnings(ann)) as unknown as { cents: number; day: number }[];
  expect(rent?.cents).toBeGreaterThan(600);
  expect(rent?.day).toBeGreaterThan(day);
});

test('granted credits are named a week before they expire', async () => {
  const ann = await anAccount(hill, { granted: 50_000 });
  const days = (n: number) => hill.clock.tick(n * 86_400_000);
  await days(rule('granted_credits_days') - 8);
  expect(await codes(ann)).not.toContain('CREDITS_EXPIRE');
  await days(2);

  expect(await warnings(ann)).toContainEqual({
    code: 'CREDITS_EXPIRE',
    occasion: expect.any(String),
    grave: false,
    cents: 50_000,
    at: expect.any(String),
  });
});
