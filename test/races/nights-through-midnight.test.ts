// Grants, top-ups, redemptions, expiries, cuts, mandates, suspensions, withdrawals and deposits from 16 connections
// while the clock runs through midnight, night after night: every night replays and every check passes.
// HILL_TEST_NIGHTS says how many nights, for those who want more than 4. Rules 2.3, 3.8, 3.11, 5.3.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { deposits } from '../../src/db/deposits.ts';
import { agentDoor, humanDoor } from '../support/hill/doors.ts';
import {
  type Account,
  anAccount,
  anotherAgent,
  balanced,
  books,
  call,
  refusalOf,
  topUp,
  useHill,
} from '../support/hill/index.ts';
import { aRandomMove } from '../support/hill/random-play.ts';
import { aCode, aTournament, enter } from '../support/hill/tournaments.ts';
import { randomFrom, seed } from '../support/random.ts';

const nights = Number(process.env.HILL_TEST_NIGHTS ?? 4);
const connections = 16;
const hill = useHill();

test(`${nights} nights from ${connections} connections (HILL_SEED=${seed})`, async () => {
  const accounts = await Promise.all(
    Array.from({ length: 24 }, () => anAccount(hill, { granted: [400, 300], daily_cap_cents: 4000 })),
  );
  const slug = await aTournament(hill);
  await hill.clock.toDay(2);
  for (const account of accounts) await enter(hill, account, slug);
  const codes = await Promise.all(
    Array.from({ length: nights * 2 }, () => aCode(hill, slug, { cents: 200, uses: 200, expires_day: 1000 })),
  );
  const [web, root, staff] = [hill.pool(hill.url('web'), connections), hill.root, hill.asStaff()];
  const deposit = deposits(web, 1);
  const done = new Map<string, number>();
  const told = new Map<string, number>();
  const note = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  // one whose agent was cut gets another, as a human would do it
  const agents = new Map<Account, Account>(accounts.map((account) => [account, account]));
  let [night, over, orders] = [0, false, 0];

  const client = async (i: number) => {
    const random = randomFrom(seed + i);
    while (!over) {
      const account = random.pick(accounts);
      const agent = agents.get(account) as Account;
      const own = { session: account.session };
      const [name, act] = random.pick<[string, () => Promise<unknown>]>([
        ['play', () => agentDoor(web, agent).play(aRandomMove(random, [1, 2, 3, 4]))],
        ['play', () => deposit(agent.id, agent.token, aRandomMove(random, [1, 2, 3, 4]))],
        [
          'grant',
          () =>
            staff.call('api_staff.grant_credits', {
              account_id: account.id,
              cents: 10 + random.below(300),
              ...{ key: `order ${orders++}`, reason: 'a test' },
            }),
        ],
        [
          'grant',
          () =>
            staff.call('api_staff.grant_credits', {
              account_id: account.id,
              cents: 10 + random.below(300),
              ...{ key: `order ${orders++}`, reason: 'a test' },
            }),
        ],
        ['top up', () => topUp(hill, account, 2000)],
        ['redeem', () => call(web, 'api_human.redeem_code', { ...own, code: random.pick(codes) })],
        ['mandate', () => humanDoor(web, account).setMandate(random.pick([600, 1500, 4000]), random.pick([700, 1500]))],
        ['withdraw', () => humanDoor(web, account).withdrawMove(1 + random.below(4))],
        ['announce', () => agentDoor(web, agent).announce({ slot: 1 + random.below(4), intention: 'PEACE' })],
        [
          'suspend',
          () =>
            staff.call('api_staff.suspend_account', {
              account_id: account.id,
              suspended: random.below(8) === 0,
              reason: 'a test',
            }),
        ],
        [
          'cut',
          async () => {
            if (random.below(5) > 0) return humanDoor(web, account).ownState();
            await call(web, 'api_human.cut_agent', { ...own, agent_id: agent.agentId });
            agents.set(account, await anotherAgent(hill, account));
          },
        ],
      ]);
      await act().then(
        () => note(done, name),
        (error: unknown) => note(told, refusalOf(error).code),
      );
      await sleep(random.below(4));
    }
  };
  const bells = async () => {
    for (; night < nights; night++) {
      // half way, so far ahead that what was granted so far expires in the nights to come
      if (night === Math.floor(nights / 2))
        await hill.clock.toDay((await hill.clock.day()) + 89 - Math.floor(nights / 2), '12:00');
      const { next_bell_at } = await hill.asWorker().readClock();
      await root.query(
        'update hill.settings set shown_at = $1::timestamptz - interval $$3 seconds$$, set_at = clock_timestamp(), rate = 12',
        [next_bell_at],
      );
      const until = Date.now() + 10_000;
      while ((await hill.asWorker().ringNextBell()) === null && Date.now() < until) await sleep(3);
      await sleep(100);
    }
    over = true;
  };
  const all = await Promise.allSettled([bells(), ...Array.from({ length: connections }, (_, i) => client(i))]).finally(
    () => {
      over = true;
    },
  );
  expect(all.filter(({ status }) => status === 'rejected')).toEqual([]);
  await root.query(`update hill.settings set shown_at = engine.now(), set_at = clock_timestamp(), rate = 0`);
  await hill.clock.toMidnight();
  while ((await hill.asWorker().ringNextBell()) !== null);
  await hill.asWorker().buildAllBoards();
  console.log(`nights: HILL_SEED=${seed}`, Object.fromEntries(done), Object.fromEntries(told));

  for (const name of ['play', 'grant', 'top up', 'redeem', 'mandate', 'cut', 'suspend'])
    expect(done.get(name), name).toBeGreaterThan(nights);
  expect(
    [...told.keys()].filter((code) => /^[0-9]/.test(code) || ['LEDGER_GUARD', 'NIGHT_DOES_NOT_BALANCE'].includes(code)),
  ).toEqual([]);
  expect(await hill.rows('select * from engine.replay_nights(1, 1000000)')).toEqual([]);
  expect(await books(root)).toEqual(balanced);
  const checks = await hill.rows<{ name: string; wrong: string }>(
    ['balances', 'settlements', 'reputations', 'boards', 'nights', 'tables', 'tournaments']
      .map((of) => `select name, wrong, example from engine.check_${of}()`)
      .join(' union all '),
  );
  expect(checks.length).toBeGreaterThan(20);
  expect(checks.filter(({ wrong }) => Number(wrong) > 0)).toEqual([]);
});
