// The tool leaderboard, by the SDK's client over HTTP: the boards as the naive reckoning has them, and the own rank or
// why there is none. Rules 7.2, 10.7; protocol 9.4.
import { beforeAll, describe, expect, test } from 'vitest';
import { useMcp } from '../support/doors/mcp.ts';
import { succeeded } from '../support/doors/oauth.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';
import { aTournament, enter, tournament } from '../support/hill/tournaments.ts';
import { type Boards, everythingPlayed, naiveBoards } from '../support/naive/naive-boards.ts';

interface Board {
  board: string;
  day: number;
  total: number;
  entries: Record<string, unknown>[];
  next_cursor: string | null;
  me: { rank: number | null; reason?: string };
}

describe('after some nights', () => {
  const hill = useHill();
  const mcp = useMcp(hill);
  const accounts: Account[] = [];
  let house: Account;
  let idle: Account;
  let naive: Boards;
  let slugs: Map<string, { name: string; slug: string }>;

  beforeAll(async () => {
    for (let n = 0; n < 9; n++) {
      await hill.clock.tick();
      // the first two play on granted credits alone
      accounts.push(
        await anAccount(hill, { ...(n < 2 ? { granted: 20_000 } : { credits: 20_000 }), daily_cap_cents: 100_000 }),
      );
    }
    house = await anAccount(hill, { name: 'House', house: true, granted: 5000 });
    idle = await anAccount(hill, { name: 'Idle', credits: 2000 });
    for (let night = 1; night <= 3; night++) {
      for (const [n, account] of accounts.entries()) {
        await hill.clock.tick();
        if (n < 8 || night === 1)
          await hill.asAgent(account).play({
            slot: 1 + (n % 5),
            move: n % 4 === 3 ? 'WAR' : 'PEACE',
            stake_cents: n % 4 === 3 ? 800 : undefined,
          });
      }
      await hill.asAgent(house).play({ slot: 10, move: 'PEACE' });
      await hill.clock.ringBell();
    }
    naive = naiveBoards(await everythingPlayed(hill), 3);
    slugs = new Map(
      (await hill.rows<{ id: string; name: string; slug: string }>('select id, name, slug from hill.accounts')).map(
        ({ id, name, slug }) => [id, { name, slug }],
      ),
    );
  });

  const shown = (entries: readonly { account: string }[]) =>
    entries.map(({ account, ...rest }) => ({ ...rest, ...slugs.get(account) }));

  test.each([
    ['hill', () => naive.leaderboard],
    ['efficiency', () => naive.efficiency],
    ['wall', () => naive.wall],
  ] as const)('the board %s is the naive one, and says where one stands', async (board, expected) => {
    for (const account of [...accounts, idle, house]) {
      const client = await mcp.client(await mcp.token(account));
      const { structuredContent, content } = await client.callTool({ name: 'leaderboard', arguments: { board } });
      const found = structuredContent as unknown as Board;
      const own = expected().find((entry) => entry.account === account.id);

      expect(found).toMatchObject({ board, day: 3, window_nights: 30, total: expected().length, next_cursor: null });
      expect(found.entries).toEqual(shown(expected()));
      expect(found.me.rank).toBe(own?.rank ?? null);
      expect(found.me.reason === undefined).toBe(own !== undefined);
      const figures = naive.leaderboard.find((entry) => entry.account === account.id);
      if (figures) expect(found.me).toMatchObject({ points: figures.points, reputation: figures.reputation });
      expect((content as { text: string }[])[0]?.text).toContain(own ? `You: rank ${own.rank}` : 'You have no rank');
    }
  });

  test('who has no rank learns why', async () => {
    const why = async (account: Account, board: string) =>
      (await mcp.call<Board>(await mcp.token(account), 'leaderboard', { board })).me.reason;
    expect(await why(house, 'hill')).toContain('House agents');
    expect(await why(idle, 'hill')).toContain('No live move of yours in the last 30 nights');
    expect(await why(idle, 'wall')).toContain('No live move');
    expect(await why(accounts[0] as Account, 'wall')).toContain('granted credits do not count');
    expect(await why(accounts[8] as Account, 'efficiency')).toContain('at least 500 cents');
    const smallest = naive.leaderboard
      .map(({ account }) => account)
      .find((id) => !naive.wall.some((w) => w.account === id) && id !== accounts[0]?.id && id !== accounts[1]?.id);
    expect(await why(accounts.find(({ id }) => id === smallest) as Account, 'wall')).toContain('5 largest sponsors');
  });

  test.each(['hill', 'efficiency', 'wall'] as const)('pages of %s meet everyone once', async (board) => {
    const token = await mcp.token(idle);
    const whole = await mcp.call<Board>(token, 'leaderboard', { board });
    const entries: unknown[] = [];
    let cursor: string | null | undefined;
    do {
      const page: Board = await mcp.call<Board>(token, 'leaderboard', {
        board,
        limit: 2,
        ...(cursor ? { cursor } : {}),
      });
      expect(page.entries.length).toBeLessThanOrEqual(2);
      entries.push(...page.entries);
      cursor = page.next_cursor;
    } while (cursor);
    expect(entries).toEqual(whole.entries);
  });

  test('before the claim nobody is ranked', async () => {
    const registration = await mcp.register('Newcomer');
    const { access_token } = succeeded(await mcp.exchange(registration.identity_assertion));
    expect(await mcp.call<Board>(access_token, 'leaderboard', { board: 'hill' })).toMatchObject({
      total: 9,
      me: { rank: null, reason: expect.stringContaining('claimed') },
    });
  });

  test('an account beyond the top 100 is told its number', async () => {
    await hill.asRoot(async (root) => {
      await root.query("set session_replication_role = 'replica'");
      await root.query('update hill.leaderboard set rank = rank + 1000 where day = 3 and account_id = $1', [
        accounts[5]?.id,
      ]);
    });
    const { me } = await mcp.call<Board>(await mcp.token(accounts[5] as Account), 'leaderboard', {
      board: 'efficiency',
    });
    expect(me).toMatchObject({
      rank: null,
      reason: expect.stringMatching(/top 100 are ranked, and you are number 10\d\d/),
    });
  });

  test.each([
    [{ board: 'points' }, 'board'],
    [{}, 'board'],
    [{ board: 'hill', limit: 0 }, 'limit'],
    [{ board: 'hill', limit: 1001 }, 'limit'],
    [{ board: 'hill', cursor: 'x' }, 'cursor'],
    [{ board: 'hill', cursor: '1.1' }, 'cursor'],
    [{ board: 'wall', cursor: '2.1' }, 'cursor'],
  ])('%o is refused', async (args, argument) => {
    expect(await mcp.refusal(await mcp.token(idle), 'leaderboard', args)).toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument,
    });
  });
});

describe('before any night', () => {
  const hill = useHill();
  const mcp = useMcp(hill);

  test('the boards are empty, and say so', async () => {
    const token = await mcp.token(await anAccount(hill));
    for (const board of ['hill', 'efficiency', 'wall'])
      expect(await mcp.call<Board>(token, 'leaderboard', { board })).toMatchObject({
        day: 0,
        total: 0,
        entries: [],
        me: { rank: null, reason: expect.stringContaining('No night') },
      });
  });
});

describe('a tournament', () => {
  const hill = useHill();
  const mcp = useMcp(hill);
  let ann: Account;
  let bob: Account;
  let cid: Account;
  let dan: Account;
  beforeAll(async () => {
    ann = await anAccount(hill, { name: 'Ann', credits: 20_000, daily_cap_cents: 5000 });
    bob = await anAccount(hill, { name: 'Bob', credits: 20_000, daily_cap_cents: 5000 });
    cid = await anAccount(hill, { name: 'Cid', credits: 20_000, daily_cap_cents: 5000 });
    dan = await anAccount(hill, { name: 'Dan', credits: 20_000, daily_cap_cents: 5000 });
    await aTournament(hill, { slug: 'spring-cup' });
    for (const account of [ann, bob, dan]) await enter(hill, account, 'spring-cup');
  });
  const ask = (account: Account, args: object) =>
    mcp
      .token(account)
      .then((token) =>
        mcp.call<Board & { tournament: object }>(token, 'leaderboard', { board: 'tournament', ...args }),
      );

  test('before it starts has empty boards, and tells a guest how to enter', async () => {
    expect(await ask(ann, { tournament: 'spring-cup' })).toMatchObject({
      board: 'tournament',
      rank_by: 'points',
      total: 0,
      entries: [],
      tournament: { slug: 'spring-cup', phase: 'open', starts_day: 3, ends_day: 5, i_am_in: true, entrants: 3 },
      me: { rank: null, reason: expect.stringContaining('day 3') },
    });
    const client = await mcp.client(await mcp.token(cid));
    const { structuredContent, content } = await client.callTool({
      name: 'leaderboard',
      arguments: { board: 'tournament', tournament: 'spring-cup' },
    });
    expect(structuredContent).toMatchObject({ me: { rank: null, reason: 'You are not among the entrants.' } });
    expect((content as { text: string }[])[0]?.text).toContain('subscribe {"tournament":"spring-cup"}');
  });

  test('has three boards of its entrants and its nights, as its own page shows them', async () => {
    await hill.clock.toDay(3);
    for (let night = 3; night <= 4; night++) {
      await hill.asAgent(ann).announce({ slot: 2, intention: 'PEACE' });
      await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' });
      await hill.asAgent(bob).play({ slot: 1, move: 'WAR', stake_cents: 900 });
      await hill.asAgent(cid).play({ slot: 3, move: 'PEACE' });
      await hill.clock.ringBell();
    }
    const { tournament: shown } = await tournament(hill, 'spring-cup', ann);
    for (const rank_by of ['points', 'efficiency', 'record'] as const) {
      const found = await ask(ann, { tournament: 'spring-cup', rank_by });
      const page = shown.boards?.[rank_by];
      expect(found).toMatchObject({
        rank_by,
        day: 4,
        window_nights: 3,
        total: page?.total,
        tournament: { phase: 'running' },
      });
      expect(found.entries).toMatchObject((page?.entries ?? []).map(({ rank, slug }) => ({ rank, slug })));
      expect(found.me.rank).toBe(page?.mine?.rank);
      expect(Object.keys(found.entries[0] ?? {})).not.toContain('accountId');
    }
    expect((await ask(ann, { tournament: 'spring-cup' })).entries).toMatchObject([
      { rank: 1, name: 'Bob', slug: 'bob', points: 20 },
      { rank: 2, name: 'Ann', slug: 'ann', points: 18, reputation: 1 },
    ]);
    expect((await ask(ann, { tournament: 'spring-cup', rank_by: 'record' })).entries).toEqual([
      { rank: 1, name: 'Ann', slug: 'ann', announced: 2, kept: 2, betrayed: 0, bluffed: 0, ghosted: 0 },
    ]);
  });

  test('says why somebody has no rank on it, and pages', async () => {
    const why = async (account: Account, rank_by: string) =>
      (await ask(account, { tournament: 'spring-cup', rank_by })).me.reason;
    expect(await why(cid, 'points')).toContain('not among the entrants');
    expect(await why(dan, 'points')).toContain('no live move in its nights');
    expect(await why(bob, 'record')).toContain('None of your announcements');

    const first = await ask(ann, { tournament: 'spring-cup', limit: 1 });
    expect(first.entries).toMatchObject([{ slug: 'bob' }]);
    const second = await ask(ann, { tournament: 'spring-cup', limit: 1, cursor: first.next_cursor });
    expect(second).toMatchObject({ entries: [{ slug: 'ann' }], next_cursor: null });
    expect((await ask(ann, { tournament: 'spring-cup', rank_by: 'record', limit: 1 })).next_cursor).toBeNull();
  });

  test('one that there is not is refused with those that there are', async () => {
    const token = await mcp.token(ann);
    for (const args of [{ tournament: 'winter-cup' }, {}])
      expect(await mcp.refusal(token, 'leaderboard', { board: 'tournament', ...args })).toMatchObject({
        code: 'NOT_FOUND',
        tournaments: ['spring-cup'],
      });
    expect(
      await mcp.refusal(token, 'leaderboard', { board: 'tournament', tournament: 'spring-cup', rank_by: 'luck' }),
    ).toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument: 'rank_by',
    });
  });
});
