// Whether the bell does what it should, as the database tells it: in words to everybody, in figures to the worker.
// Decisions 118.
import { expect, test } from 'vitest';
import { call } from '../../src/db/call.ts';
import { type Account, anAccount, refusal, useHill } from '../support/hill/index.ts';

const hill = useHill();
const readiness = () => call(hill.asPublic(), 'api_public.readiness');
const watch = () => call<Record<string, unknown>>(hill.as('worker'), 'api_worker.watch');

test('a worker is none, ok, or silent after half a minute', async () => {
  const well = { bell: 'ok', books: 'ok', seal: [], reserve: 'ok', at: expect.any(String), server: 'ok' };
  expect(await readiness()).toEqual({ worker: 'none', ...well });
  await call(hill.as('worker'), 'api_worker.beat');
  expect(await readiness()).toEqual({ worker: 'ok', ...well });
  await hill.rows("update hill.watch set beat_at = beat_at - interval '29 s'");
  expect(await readiness()).toMatchObject({ worker: 'ok' });
  await hill.rows("update hill.watch set beat_at = beat_at - interval '1 s'");
  expect(await readiness()).toMatchObject({ worker: 'silent' });
});

test('a bell is overdue after two real minutes, on a clock that runs', async () => {
  await hill.clock.toMidnight();
  await hill.clock.tick(600_000);
  expect(await readiness(), 'a clock that stands still').toMatchObject({ bell: 'ok' });
  await call(hill.as('worker'), 'api_worker.set_clock', { shown_at: null, rate: 1 });
  expect(await readiness()).toMatchObject({ bell: 'overdue' });
  expect(await watch()).toMatchObject({ overdue_seconds: expect.closeTo(600, -1) });
  await call(hill.as('worker'), 'api_worker.set_clock', { shown_at: null, rate: 60 });
  expect(await readiness(), 'ten real seconds').toMatchObject({ bell: 'ok' });
  await call(hill.as('worker'), 'api_worker.set_clock', { shown_at: null, rate: 0 });
  await hill.clock.ringBell();
  expect(await watch()).toMatchObject({
    overdue_seconds: 0,
    last_night: 1,
    lag_seconds: expect.any(Number),
    accounts: 0,
  });
});

test('two errors that cancel each other out are found entry by entry', async () => {
  const [ann, bob] = [await anAccount(hill, { credits: 500 }), await anAccount(hill, { credits: 500 })];
  const count = () => call(hill.as('worker'), 'api_worker.count_books', { with_checks: true });
  expect(await count()).toBe(true);
  const move = (cents: number) =>
    hill.asRoot(async (client) => {
      await client.query('begin; set local session_replication_role = replica');
      for (const [account, by] of [
        [ann.id, cents],
        [bob.id, -cents],
      ])
        await client.query('update hill.wallets set paid_cents = paid_cents + $2 where account_id = $1', [account, by]);
      await client.query('commit');
    });
  await move(7);
  expect(await count()).toBe(false);
  expect(await readiness()).toMatchObject({ books: 'wrong' });
  const { checks, delta_cents } = (await watch()) as { checks: { name: string; wrong: number }[]; delta_cents: number };
  expect(delta_cents).toBe(0);
  expect(checks.filter(({ wrong }) => wrong > 0)).toMatchObject([
    { name: 'Each wallet is the sum of its entries', wrong: 2 },
  ]);
  await move(-7);
  expect(await count()).toBe(true);
  expect(await readiness()).toMatchObject({ books: 'ok' });
});

test('a night that failed its checks counts until the next good one', async () => {
  await call(hill.as('worker'), 'api_worker.note_bell_failure', { code: 'VERIFICATION_FAILED' });
  await call(hill.as('worker'), 'api_worker.note_bell_failure', { code: 'VERIFICATION_FAILED' });
  expect(await hill.rows('select night, code, times from hill.bell_failures')).toEqual([
    { night: 1, code: 'VERIFICATION_FAILED', times: 2 },
  ]);
  expect(await readiness()).toMatchObject({ books: 'wrong' });
  expect(await watch()).toMatchObject({ failure: 'VERIFICATION_FAILED' });
  await hill.clock.ringBell();
  expect(await readiness()).toMatchObject({ books: 'ok' });
  expect(await watch()).toMatchObject({ failure: null, last_night: 2 });
});

test('a log that was not signed for half an hour is unsigned, however little waits, until a worker says that it is', async () => {
  const log = async () => (await hill.rows('select log from engine.bell_state()'))[0];
  await call(hill.as('worker'), 'api_worker.note_log_signed');
  await hill.rows("update hill.watch set log_signed_at = log_signed_at - interval '1790 s'");
  expect(await log()).toEqual({ log: 'ok' });
  expect(await watch()).toMatchObject({ unsigned_seconds: expect.closeTo(1790, -2) });
  await hill.rows("update hill.watch set log_signed_at = log_signed_at - interval '10 s'");
  expect(await log()).toEqual({ log: 'unsigned' });
  await call(hill.as('worker'), 'api_worker.note_log_signed');
  expect(await log()).toEqual({ log: 'ok' });
});

test('staff are told with a session only', async () => {
  const told = refusal(
    hill.asRoot(async (client) => {
      await client.query('set role hill_staff');
      return call(client, 'api_staff.bell_health');
    }),
  );
  expect(await told).toMatchObject({ code: 'INVALID_TOKEN' });
});

test('what is forged of the last night, or of a board, is named on the console, and at /readyz', async () => {
  const [cid, dan] = await Promise.all(['Cid', 'Dan'].map((name) => anAccount(hill, { name, credits: 5000 })));
  await hill.asAgent(cid as Account).announce({ slot: 3, intention: 'PEACE' });
  await hill.asAgent(cid as Account).play({ slot: 3, move: 'PEACE' });
  await hill.asAgent(dan as Account).play({ slot: 4, move: 'WAR', stake_cents: 900 });
  await hill.clock.ringBell();
  const { last_night } = await watch();
  const wrong = async () => {
    const [{ parts } = { parts: [] }] = await hill.rows<{ parts: string[] }>('select engine.check_parts() as parts');
    for (const part of ['last_night', 'last_seal', ...parts])
      await call(hill.as('worker'), 'api_worker.check_books', { part });
    const checks = await hill
      .asStaff()
      .query<{ part: string; wrong: string; example: string }>(
        'select part, wrong, example from api_staff.bell_checks() order by 1',
      );
    expect(checks.length).toBeGreaterThan(45);
    return checks.filter((check) => Number(check.wrong) > 0).map(({ part, example }) => `${part}: ${example}`);
  };
  const forge = (statement: string) =>
    hill.asRoot(async (client) => {
      await client.query('begin; set local session_replication_role = replica');
      await client.query(statement.replace('LAST', `day = ${Number(last_night)}`));
      await client.query('commit');
    });

  for (const [forged, mended, expected] of [
    [
      "update hill.place_results set outcome = 'PEACE' where LAST and slot = 4",
      "update hill.place_results set outcome = 'WAR' where LAST and slot = 4",
      /^last_night: day \d+, .*place 4, PEACE.*, not WAR/,
    ],
    [
      `update hill.seats set account_id = '${dan?.id}' where LAST and slot = 3`,
      `update hill.seats set account_id = '${cid?.id}' where LAST and slot = 3`,
      /last_night: day \d+, .*place 3/,
    ],
    [
      "update hill.announcements set verdict = 'betrayed' where LAST",
      "update hill.announcements set verdict = 'kept' where LAST",
      /last_night: day \d+, .*place 3, cid \(account [0-9a-f-]{36}\), betrayed, not kept/,
    ],
    [
      'update hill.leaderboard set points = points + 5 where LAST and rank = 1',
      'update hill.leaderboard set points = points - 5 where LAST and rank = 1',
      /^boards: after day/,
    ],
  ] as const) {
    await forge(forged);
    expect((await wrong()).join('\n'), forged).toMatch(expected);
    expect(await readiness(), forged).toMatchObject({ books: 'wrong' });
    await forge(mended);
    expect(await wrong(), mended).toEqual([]);
    expect(await readiness(), mended).toMatchObject({ books: 'ok' });
  }
});
