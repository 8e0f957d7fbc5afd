// GET /api/wall, /api/leaderboard/hill, /api/leaderboard/efficiency. Rules 5, 7.2, 7.3, 7.4, 10.7.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Efficiency, Leaderboard, Wall } from '../../src/records/index.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { anotherAgent, populate, useHill } from '../support/hill/index.ts';

describe('the boards', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  let cast: Cast;

  test('before any night they are empty', async () => {
    expect(await web.read('/api/wall')).toMatchObject({ day: 0, entries: [] });
    expect(await web.read('/api/leaderboard/hill')).toMatchObject({ day: 0, total: 0, entries: [], next_cursor: null });
    expect(await web.read('/api/leaderboard/efficiency')).toMatchObject({ day: 0, entries: [] });
  });

  describe('after a night', () => {
    beforeAll(async () => {
      cast = await aLivelyNight(hill);
    });

    test('points: everybody who moved, by points, reputation, seniority', async () => {
      const board = await web.read<Leaderboard>('/api/leaderboard/hill');
      expect(board.entries.map(({ rank, name, points }) => [rank, name, points])).toEqual([
        [1, 'Dan', 9],
        [2, 'Ann', 5],
        [3, 'Bob', 5],
        [4, 'Cid', 4],
        [5, 'Eve', 4],
        [6, 'Fay', 0],
        [7, 'Gus', 0],
      ]);
      expect(board).toMatchObject({ day: 1, total: 7, window_nights: 30, next_cursor: null });
      expect(await web.read('/api/leaderboard/hill?limit=7')).toEqual(board); // full, and the last page
    });

    test('the Wall: the five who spent most of paid credits; granted ones do not count', async () => {
      const wall = await web.read<Wall>('/api/wall');
      expect(wall.entries.map(({ rank, name, spent_cents }) => [rank, name, spent_cents])).toEqual([
        [1, 'Dan', 900],
        [2, 'Fay', 800],
        [3, 'Ann', 300],
        [4, 'Bob', 300],
        [5, 'Cid', 300],
      ]);
    });

    test('efficiency: points per dollar consumed, granted credits included, from 500 cents on', async () => {
      const board = await web.read<Efficiency>('/api/leaderboard/efficiency');
      expect(board.entries.map((e) => [e.rank, e.name, e.consumed_cents, e.points_per_dollar])).toEqual([
        [1, 'Dan', 900, 1],
        [2, 'Fay', 800, 0],
        [3, 'Gus', 1000, 0],
      ]);
    });

    test('the agent that is shown is the one that moved last', async () => {
      const second = await anotherAgent(hill, cast.dan);
      await hill.clock.at('10:00');
      await hill.asAgent(second).play({ slot: 8, move: 'PEACE' });
      await hill.clock.ringBell();

      const { entries } = await web.read<Leaderboard>('/api/leaderboard/hill?limit=1');
      expect(entries).toEqual([
        expect.objectContaining({ name: 'Dan', agentId: second.agentId, model: 'another model' }),
      ]);
      const wall = await web.read<Wall>('/api/wall');
      expect(wall.entries[0]).toMatchObject({ name: 'Dan', agentId: second.agentId });
    });
  });
});

describe('a long board', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  beforeAll(async () => {
    await hill.asRoot((root) => populate(root, { accounts: 260 }));
    await hill.clock.ringBell();
  });

  const walk = async (limit: number, between: (page: number) => Promise<void> = async () => {}) => {
    const pages: Leaderboard[] = [];
    for (
      let query = `?limit=${limit}`, next: string | null = '';
      next !== null;
      query = `?limit=${limit}&cursor=${next}`
    ) {
      const page: Leaderboard = await web.read<Leaderboard>(`/api/leaderboard/hill${query}`);
      pages.push(page);
      next = page.next_cursor;
      await between(pages.length);
    }
    return pages;
  };

  test('is paged by cursor without skipping and without meeting anybody twice', async () => {
    const pages = await walk(37);

    expect(pages).toHaveLength(Math.ceil(260 / 37));
    expect(pages.flatMap(({ entries }) => entries.map(({ rank }) => rank))).toEqual(
      Array.from({ length: 260 }, (_, i) => i + 1),
    );
    const [whole] = (await walk(1000)) as [Leaderboard];
    expect(pages.flatMap(({ entries }) => entries)).toEqual(whole.entries);
    expect(new Set(whole.entries.map(({ accountId }) => accountId)).size).toBe(260);
  });

  test('has 100 entries a page unless another number is asked for', async () => {
    const { entries, next_cursor } = await web.read<Leaderboard>('/api/leaderboard/hill');
    expect(entries).toHaveLength(100);
    expect(next_cursor).not.toBeNull();
  });

  test('a reader who is paging when the bell rings stays on the board of before; two bells later it is told to begin again', async () => {
    const [before] = (await walk(1000)) as [Leaderboard];
    const pages = await walk(100, async (page) => void (page === 1 && (await hill.clock.ringBell())));
    expect(pages.map(({ day }) => day)).toEqual([before.day, before.day, before.day]);
    expect(pages.flatMap(({ entries }) => entries.map(({ accountId }) => accountId))).toEqual(
      before.entries.map(({ accountId }) => accountId),
    );

    const { next_cursor } = pages[0] as Leaderboard;
    await hill.clock.ringBell();
    const gone = await web.get(`/api/leaderboard/hill?cursor=${next_cursor}`);
    expect(gone.status).toBe(400);
    expect(await gone.json()).toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument: 'cursor',
      detail: expect.stringContaining('Begin again'),
    });
  });

  test.each(['limit=0', 'limit=1001', 'limit=-1', 'limit=two', 'cursor=8', 'cursor=a.b', 'cursor=1.2.3'])(
    '?%s is refused',
    async (query) => {
      const answer = await web.get(`/api/leaderboard/hill?${query}`);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: 'INVALID_ARGUMENT', argument: query.split('=')[0] });
    },
  );
});
