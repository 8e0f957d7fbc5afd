// A clock that is set back over midnight: no function does it, a machine may. Instants of an account never go back, no
// instant comes before the last bell, and nothing that anybody can deposit meanwhile makes a bell fail. Rules 17.3;
// decisions 15.
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type Account,
  anAccount,
  balanced,
  books,
  grant,
  refusal,
  refusalOf,
  topUp,
  useHill,
} from '../../support/hill/index.ts';
import { randomFrom, seed } from '../../support/random.ts';

const hill = useHill();
let ann: Account;

const step = (interval: string) => hill.rows('update hill.settings set shown_at = shown_at + $1::interval', [interval]);
const ringAll = async () => {
  while ((await hill.asWorker().ringNextBell()) !== null);
};
const inOrder = async () => {
  expect(await hill.rows('select * from engine.replay_nights(1, 1000000)')).toEqual([]);
  expect(await books(hill.root)).toEqual(balanced);
  expect(
    await hill.rows(
      'select c.name, c.example from (select * from engine.check_balances() union all select * from engine.check_settlements() union all select * from engine.check_nights()) c where c.wrong > 0',
    ),
  ).toEqual([]);
};

beforeEach(async () => {
  await hill.clock.toMidnight();
  await ringAll();
  await hill.clock.at('23:00');
  ann = await anAccount(hill, { daily_cap_cents: 5000 });
});

describe('set back before the bell of that midnight has rung', () => {
  test.each([
    ['granted', (account: Account) => grant(hill, account, 2000)],
    ['paid', (account: Account) => topUp(hill, account, 2000)],
  ])('credits that were %s after midnight pay no move of the day before', async (_, credit) => {
    await hill.clock.toMidnight();
    await hill.clock.tick(5000);
    await credit(ann);
    await step('-10 minutes');

    expect((await refusal(hill.asAgent(ann).play({ slot: 1, move: 'PEACE' }))).code).toBe('BELL_RINGING');

    await step('10 minutes');
    await ringAll();
    expect(await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' })).toMatchObject({ reserved_cents: 300 });
    await inOrder();
  });

  test('an account that did nothing after midnight plays on', async () => {
    await topUp(hill, ann, 2000);
    await hill.clock.toMidnight();
    await step('-10 minutes');

    expect(await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' })).toMatchObject({ moves_left: 3 });
    await inOrder();
  });
});

describe('set back after its bell has rung', () => {
  test('deposits, withdrawals and credits are of the day that is open, at its first instant', async () => {
    const day = await hill.clock.day();
    await topUp(hill, ann, 2000);
    await hill.clock.toMidnight();
    await ringAll();
    await step('-26 hours');

    expect(await refusal(hill.asAgent(ann).play({ slot: 1, move: 'PEACE', day }))).toMatchObject({
      code: 'DAY_PASSED',
      detail: { day: day + 1 },
    });
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ day: day + 1 });
    await grant(hill, ann, 500);
    expect(await hill.asAgent(ann).play({ slot: 1, move: 'PEACE', day: day + 1 })).toMatchObject({ day: day + 1 });
    expect(await hill.asAgent(ann).play({ slot: 2, move: 'WAR', stake_cents: 800 })).toMatchObject({ day: day + 1 });
    expect(await hill.asAgent(ann).announce({ slot: 2, intention: 'PEACE' })).toMatchObject({ day: day + 1 });
    expect(await hill.asHuman(ann).withdrawMove(1)).toMatchObject({ withdrawn: true });
    expect(await hill.asWorker().ringNextBell()).toBeNull();

    await step('50 hours');
    await ringAll();
    await inOrder();
    expect(
      await hill.rows('select day, granted_cents, paid_cents from hill.settlements where account_id = $1', [ann.id]),
    ).toEqual([{ day: day + 1, granted_cents: 500, paid_cents: 300 }]);
  });
});

test('a token that ended before the bell does not live again', async () => {
  await hill.rows(
    "update oauth.access_tokens set expires_at = engine.now() + interval '15 minutes' where agent_id = $1",
    [ann.agentId],
  );
  await hill.clock.toMidnight();
  await ringAll();
  await step('-1 hour -10 minutes');

  expect((await refusal(hill.asAgent(ann).play({ slot: 1, move: 'PASS' }))).code).toBe('INVALID_TOKEN');
});

test(`a clock that goes to and fro over many midnights: every bell rings, every night replays (HILL_SEED=${seed})`, async () => {
  const random = randomFrom(seed);
  const accounts = [
    ann,
    ...(await Promise.all(
      [1, 2, 3].map(() => anAccount(hill, { credits: 9000, granted: 700, daily_cap_cents: 5000 })),
    )),
  ];
  const told = new Set<string>();
  let accepted = 0;
  for (let i = 0; i < 400; i++) {
    const account = random.pick(accounts);
    const told_ = (error: unknown) => void told.add(refusalOf(error).code);
    await random.pick([
      // forward in the long run: an account that has acted on a later day waits until the clock is there again
      () => step(`${random.pick([-30, -8, -1, 1, 2, 8, 12, 20, 26, 30])} hours`),
      () => step(`${random.pick([-3, 3])} minutes`),
      () => hill.asWorker().ringNextBell(),
      () => grant(hill, account, random.pick([10, 300, 900])),
      () => topUp(hill, account, 2000),
      () =>
        hill
          .asHuman(account)
          .withdrawMove(random.pick([1, 2, 3]))
          .catch(told_),
      () =>
        hill
          .asAgent(account)
          .play({ slot: random.pick([1, 2, 3]), move: random.pick(['PEACE', 'PEACE', 'PASS']) })
          .then(() => {
            accepted += 1;
          }, told_),
      () =>
        hill
          .asAgent(account)
          .play({ slot: random.pick([1, 2]), move: 'WAR', stake_cents: 800 })
          .catch(told_),
    ])();
  }
  await step('60 days');
  await ringAll();

  expect(accepted).toBeGreaterThan(5);
  expect(
    [...told].filter(
      (code) =>
        !['BELL_RINGING', 'NO_MOVES_LEFT', 'TOO_MANY_PLACES', 'OVER_DAILY_CAP', 'INSUFFICIENT_CREDITS'].includes(code),
    ),
  ).toEqual([]);
  await inOrder();
});
