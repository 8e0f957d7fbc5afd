// Reading in the console: every relation can be followed both ways, lists come in pages, and errors and slow queries
// tell nothing of the database.
import { beforeAll, describe, expect, test } from 'vitest';
import { useConsole } from '../support/doors/console.ts';
import { type Account, anAccount, anotherAgent, useHill } from '../support/hill/index.ts';

const hill = useHill();
const staff = useConsole(hill);

let ann: Account;
let bob: Account;
let cookie: string;

beforeAll(async () => {
  ann = await anAccount(hill, {
    name: 'Ann',
    credits: 20000,
    granted: 500,
    daily_cap_cents: 20000,
    max_stake_cents: 20000,
  });
  bob = await anAccount(hill, { name: 'Bob', credits: 20000, daily_cap_cents: 20000, max_stake_cents: 20000 });
  const second = await anotherAgent(hill, ann);
  await hill.asAgent(second).play({ slot: 1, move: 'PEACE', message: 'good morning' });
  await hill.asAgent(bob).play({ slot: 2, move: 'WAR', stake_cents: 900 });
  await hill.asAgent(bob).announce({ slot: 2, intention: 'WAR' });
  await hill.clock.ringBell();
  await hill.asAgent(ann).play({ slot: 9, move: 'PEACE', message: 'sealed' });
  cookie = await staff.signIn();
});

describe('the whole domain', () => {
  test('is walked from an account to its agents, their seats and the nights of these', async () => {
    const { account } = await staff.data<{ account: { agents: { nodes: { seats: { nodes: unknown[] } }[] } } }>(
      cookie,
      `query ($id: UUID!) {
         account(id: $id) {
           name
           agents { nodes { name account { name } seats { nodes { slot seat via daysHeld points night { day moveCount rentCents } placeResult { outcome } move { move message } } } } }
         }
       }`,
      { id: ann.id },
    );
    expect(account).toEqual({
      name: 'Ann',
      agents: {
        nodes: [
          { name: 'Ann', account: { name: 'Ann' }, seats: { nodes: [] } },
          {
            name: expect.stringMatching(/^Agent /),
            account: { name: 'Ann' },
            seats: {
              nodes: [
                {
                  ...{ slot: 1, seat: 1, via: 'peace', daysHeld: 0, points: '10.0' },
                  night: { day: 1, moveCount: 2, rentCents: '300' },
                  placeResult: { outcome: 'PEACE' },
                  move: { move: 'PEACE', message: 'good morning' },
                },
              ],
            },
          },
        ],
      },
    });
  });

  test('is walked back from a night to places, moves, settlements, announcements and boards, through keys of partitioned tables as well', async () => {
    const { night } = await staff.data(
      cookie,
      `{ night(day: 1) {
           placeResults(first: 2) { totalCount nodes { slot outcome place { opensDay } seats { nodes { account { slug } } } moves { totalCount } } }
           moves { nodes { slot move stakeCents account { name } agent { model } } }
           settlements(orderBy: PRIMARY_KEY_ASC) { totalCount nodes { account { name } grantedCents paidCents moves { nodes { slot } } } }
           announcements { nodes { intention verdict account { name } } }
           board { entries leaderboardEntries { nodes { rank points account { name } } } }
         } }`,
    );
    expect(night).toMatchObject({
      placeResults: {
        totalCount: 10,
        nodes: [
          {
            slot: 1,
            outcome: 'PEACE',
            place: { opensDay: 1 },
            seats: { nodes: [{ account: { slug: 'ann' } }] },
            moves: { totalCount: 1 },
          },
          { slot: 2, outcome: 'WAR', seats: { nodes: [{ account: { slug: 'bob' } }] } },
        ],
      },
      settlements: { totalCount: 2 },
      announcements: { nodes: [{ intention: 'WAR', verdict: 'kept', account: { name: 'Bob' } }] },
      board: {
        entries: 2,
        leaderboardEntries: {
          nodes: [
            { rank: 1, account: { name: 'Ann' } },
            { rank: 2, account: { name: 'Bob' } },
          ],
        },
      },
    });
    expect((night as { moves: { nodes: unknown[] } }).moves.nodes).toHaveLength(2);
    expect((night as { moves: { nodes: unknown[] } }).moves.nodes).toContainEqual({
      ...{ slot: 2, move: 'WAR', stakeCents: '900' },
      account: { name: 'Bob' },
      agent: { model: 'a model' },
    });
    expect((night as { settlements: { nodes: unknown[] } }).settlements.nodes).toContainEqual({
      account: { name: 'Ann' },
      ...{ grantedCents: '300', paidCents: '0', moves: { nodes: [{ slot: 1 }] } },
    });
  });

  test('shows money as it is settled, down to what is left of each lot', async () => {
    const { account } = await staff.data(
      cookie,
      `query ($id: UUID!) { account(id: $id) {
         wallet { grantedCents paidCents } mandate { dailyCapCents maxStakeCents }
         credits { nodes { kind cents debitLedgerAccount { code } lot { cents } } } lots { nodes { cents remainingCents } }
         leaderboardEntries { nodes { consumedCents paidCents } } counters { views }
       } }`,
      { id: ann.id },
    );
    expect(account).toEqual({
      // 300 of tonight are reserved; that is for nobody to see
      wallet: { grantedCents: '200', paidCents: '20000' },
      mandate: { dailyCapCents: '20000', maxStakeCents: '20000' },
      credits: {
        nodes: [
          { kind: 'topup', cents: '20000', debitLedgerAccount: { code: 'cash' }, lot: null },
          { kind: 'grant', cents: '500', debitLedgerAccount: { code: 'grants' }, lot: { cents: '500' } },
        ],
      },
      lots: { nodes: [{ cents: '500', remainingCents: '200' }] },
      leaderboardEntries: { nodes: [{ consumedCents: '300', paidCents: '0' }] },
      counters: null,
    });
  });

  test('has no move of tonight', async () => {
    expect(await staff.data(cookie, '{ moves(condition: {day: 2}) { totalCount nodes { slot } } }')).toEqual({
      moves: { totalCount: 0, nodes: [] },
    });
  });
});

describe('lists', () => {
  beforeAll(() =>
    hill.root.query(
      "insert into hill.accounts (name, slug, created_at) select 'Many ' || n, 'many-' || n, now() from generate_series(1, 1100) n",
    ),
  );

  const names = (slice: string) =>
    staff.graphql<{ accounts: { nodes: unknown[]; pageInfo: { hasNextPage: boolean; endCursor: string } } }>(
      cookie,
      `{ accounts${slice} { nodes { name } pageInfo { hasNextPage endCursor } } }`,
    );

  test('come in pages of 100, and of 1000 at most', async () => {
    for (const [slice, length] of [
      ['', 100],
      ['(first: 7)', 7],
      ['(last: 7)', 7],
      ['(first: 1000)', 1000],
    ] as const)
      expect((await names(slice)).data?.accounts.nodes, slice).toHaveLength(length);
    for (const slice of ['(first: 1001)', '(last: 1001)'])
      expect((await names(slice)).errors?.[0]).toMatchObject({
        extensions: { code: 'INVALID_ARGUMENT' },
        message: /at most 1000/,
      });
    const page = (await names('(first: 1000)')).data?.accounts.pageInfo;
    expect(page?.hasNextPage).toBe(true);
    expect((await names(`(after: ${JSON.stringify(page?.endCursor)})`)).data?.accounts.nodes).toHaveLength(100);
    expect((await names(`(first: 1000, after: ${JSON.stringify(page?.endCursor)})`)).data?.accounts.nodes).toHaveLength(
      102,
    );
    expect((await names(`(before: ${JSON.stringify(page?.endCursor)})`)).data?.accounts.nodes).toHaveLength(100);
  });

  test('that lists lead to come in pages as well', async () => {
    await hill.root.query(
      `insert into hill.agents (account_id, name, created_at) select $1, 'Agent', now() from generate_series(1, 120)`,
      [bob.id],
    );
    const agents = (slice: string) =>
      staff.graphql(cookie, `{ accountBySlug(slug: "bob") { agents${slice} { totalCount nodes { name } } } }`);
    expect((await agents('')).data).toMatchObject({
      accountBySlug: { agents: { totalCount: 121, nodes: { length: 100 } } },
    });
    expect((await agents('(first: 1001)')).errors?.[0]).toMatchObject({ extensions: { code: 'INVALID_ARGUMENT' } });
  });
});

describe('what goes wrong', () => {
  test('in a query is said as GraphQL says it', async () => {
    expect((await staff.graphql(cookie, '{ sealedMoves { nodes { move } } }')).errors?.[0]?.message).toMatch(
      /^Cannot query field "sealedMoves"/,
    );
    expect((await staff.graphql(cookie, '{ account(id: "nobody") { name } }')).errors?.[0]?.message).toMatch(
      /^Invalid UUID/,
    );
  });

  test('in the database is not told, nor logged in its words', async () => {
    await hill.root.query('revoke select on hill.places from hill_staff');
    try {
      expect(await staff.graphql(cookie, '{ places { nodes { slot } } }')).toEqual({
        data: { places: null },
        errors: [
          {
            message: 'Something went wrong here.',
            locations: [{ line: 1, column: 3 }],
            path: ['places'],
            extensions: { code: 'INTERNAL_ERROR', hint: expect.any(String) },
          },
        ],
      });
    } finally {
      await hill.root.query('grant select on hill.places to hill_staff');
    }
    expect(staff.logged()).toContain('a query of the console failed');
    expect(staff.logged()).toContain('42501');
    expect(staff.logged()).not.toContain('permission denied');
  });

  test('because it takes too long is cut off after 5 seconds', async () => {
    const client = await hill.root.connect();
    await client.query('begin; lock table hill.boards in access exclusive mode');
    const started = performance.now();
    const { errors } = await staff.graphql(cookie, '{ boards { nodes { day } } }');
    await client.query('rollback');
    client.release();
    expect(errors?.[0]).toMatchObject({
      message: 'The query took longer than 5 seconds.',
      extensions: { code: 'INVALID_ARGUMENT' },
    });
    expect(performance.now() - started).toBeLessThan(7000);
  });

  test('is not explained: no plan and no statement of SQL comes with an answer', async () => {
    const response = await staff.fetch('/graphql', {
      method: 'POST',
      headers: {
        Cookie: cookie,
        'Content-Type': 'application/json',
        'X-PostGraphile-Explain': 'on',
        'X-Grafast-Explain': '1',
      },
      body: JSON.stringify({ query: '{ places { totalCount } }', extensions: { explain: ['plan', 'sql'] } }),
    });
    expect(await response.json()).toEqual({ data: { places: { totalCount: 10 } } });
  });
});

test('queries run in transactions that cannot write', async () => {
  // A field that says in which kind of transaction it was read.
  await hill.asOwnerOf('hill_api_staff', (client) =>
    client.query(`create or replace function api_staff.staff_name() returns text language sql stable parallel restricted security definer
                  set search_path to pg_catalog, pg_temp as $$ select 'Sam, read only: ' || current_setting('transaction_read_only') $$`),
  );
  expect(await staff.data(cookie, '{ staffName }')).toEqual({ staffName: 'Sam, read only: on' });
});
