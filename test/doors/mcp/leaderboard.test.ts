// The tool leaderboard, by the SDK's client over HTTP: the boards as the naive reckoning has them, and the own rank or why there is none.
// Specification 2.7, 4.2; decisions 6, 8.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Account, anAccount, useHill } from '../../support/index.ts';
import { useMcp } from '../../support/mcp.ts';
import { type Boards, everythingPlayed, naiveBoards } from '../../support/naive-boards.ts';
import { succeeded } from '../../support/oauth.ts';

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
      accounts.push(await anAccount(hill, { ...(n < 2 ? { granted: 20_000 } : { credits: 20_000 }), daily_cap_cents: 100_000 }));
    }
    house = await anAccount(hill, { name: 'House', house: true, granted: 5000 });
    idle = await anAccount(hill, { name: 'Idle', credits: 2000 });
    for (let night = 1; night <= 3; night++) {
      for (const [n, account] of accounts.entries()) {
        await hill.clock.tick();
        if (n < 8 || night === 1)
          await hill
            .asAgent(account)
            .play({ slot: 1 + (n % 5), move: n % 4 === 3 ? 'WAR' : 'PEACE', stake_cents: n % 4 === 3 ? 800 : undefined });
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

  const shown = (entries: readonly { account: string }[]) => entries.map(({ account, ...rest }) => ({ ...rest, ...slugs.get(account) }));

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
      const page: Board = await mcp.call<Board>(token, 'leaderboard', { board, limit: 2, ...(cursor ? { cursor } : {}) });
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
      await root.query('update hill.leaderboard set rank = rank + 1000 where day = 3 and account_id = $1', [accounts[5]?.id]);
    });
    const { me } = await mcp.call<Board>(await mcp.token(accounts[5] as Account), 'leaderboard', { board: 'efficiency' });
    expect(me).toMatchObject({ rank: null, reason: expect.stringMatching(/top 100 are ranked, and you are number 10\d\d/) });
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
    expect(await mcp.refusal(await mcp.token(idle), 'leaderboard', args)).toMatchObject({ code: 'INVALID_ARGUMENT', argument });
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
