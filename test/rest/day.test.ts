// GET /api/day/{n}. Rules 4, 6, 9.1, 10.2, 10.6, 15.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Day, Hill } from '../../src/records/index.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { populate, useHill } from '../support/hill/index.ts';

const identityOf = (name: string) => expect.objectContaining({ name });

describe('a night', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  let cast: Cast;
  let record: Day;
  beforeAll(async () => {
    cast = await aLivelyNight(hill);
    record = await web.read<Day>('/api/day/1');
  });

  test('has the same ten results as the last night of /api/hill', async () => {
    const hillRecord = await web.read<Hill>('/api/hill');
    expect(record).toMatchObject({ results: hillRecord.lastNight, burnedCents: hillRecord.burnedLastNightCents });
    expect(record).toMatchObject({
      day: 1,
      resolvedAt: '2026-03-02T00:00:00.000000Z',
      burnedCents: 1800,
      evicted_total: 1,
    });
  });

  test('reveals all live moves, with what orders them, and nothing of what was withdrawn', () => {
    expect(record.moves_total).toBe(7);
    expect(
      record.moves.map(({ occupant, slot, move, stake_cents, cost_cents }) => [
        occupant.name,
        slot,
        move,
        stake_cents,
        cost_cents,
      ]),
    ).toEqual([
      ['Ann', 1, 'PEACE', 0, 300],
      ['Bob', 1, 'PEACE', 0, 300],
      ['Cid', 1, 'PEACE', 0, 300],
      ['Eve', 2, 'PEACE', 0, 300],
      ['Dan', 2, 'WAR', 900, 900],
      ['Fay', 3, 'WAR', 800, 800],
      ['Gus', 3, 'WAR', 1000, 1000],
    ]);
    expect(record.moves[0]).toMatchObject({
      agentId: cast.ann.agentId,
      model: 'a model',
      message: 'Good night',
      reputation: 0,
    });
  });

  test('judges the announcements', () => {
    expect(record.announcements).toEqual([
      expect.objectContaining({
        occupant: identityOf('Dan'),
        slot: 2,
        intention: 'PEACE',
        message: null,
        verdict: 'betrayed',
      }),
      expect.objectContaining({
        occupant: identityOf('Ann'),
        slot: 1,
        intention: 'PEACE',
        message: 'I come in peace',
        verdict: 'kept',
      }),
    ]);
    expect(record.announcements_total).toBe(2);
  });

  test('tells the queue in its order and who was served where', () => {
    expect(record.queue).toEqual([
      {
        ...{ place: 1, occupant: identityOf('Cid'), fromSlot: 1, seq: expect.any(Number), servedSlot: 3 },
        decision: expect.objectContaining({ fate: 'served', rule: 'queue_order' }),
      },
      {
        ...{ place: 2, occupant: identityOf('Eve'), fromSlot: 2, seq: expect.any(Number), servedSlot: 3 },
        decision: expect.objectContaining({ fate: 'served', rule: 'queue_order' }),
      },
    ]);
    expect(record.queue_total).toBe(2);
    expect(record.next_cursor).toBeNull();
  });

  test('tells of each seat how it was come by and what it is worth, and of each move what decided', async () => {
    const seats = record.results.flatMap(({ slot, occupants }) =>
      occupants.map(({ name, via, daysHeld, points, decision: { fate, rule, key } }) => [
        slot,
        name,
        via,
        daysHeld,
        points,
        fate,
        rule,
        key,
      ]),
    );
    expect(seats).toEqual([
      [1, 'Ann', 'peace', 0, 5, 'seated', 'deposit_order', 'at'],
      [1, 'Bob', 'peace', 0, 5, 'seated', 'deposit_order', 'at'],
      [2, 'Dan', 'war', 0, 9, 'seated', 'lone_war', 'move'],
      [3, 'Cid', 'queue', 0, 4, 'served', 'queue_order', 'since'],
      [3, 'Eve', 'queue', 0, 4, 'served', 'queue_order', 'move'],
    ]);
    const [ann, , cid, eve] = record.moves;
    expect(cid?.decision).toEqual({
      ...{ fate: 'queued', rule: 'deposit_order', key: 'at', value: cid?.at },
      ...{
        rival: cast.bob.id,
        rivalValue: record.moves[1]?.at,
        why: expect.stringMatching(/^behind Bob: later, .* against /),
      },
    });
    expect(ann?.decision).toMatchObject({ fate: 'seated', rival: cast.cid.id, rivalValue: cid?.at });
    expect(eve?.decision).toMatchObject({ fate: 'evicted', why: 'evicted by the WAR of Dan', rival: cast.dan.id });
    // the page tells the same, in the same words, but for who evicted, which it tells once
    const page = await (await web.get('/day/1', { headers: { Accept: 'text/html' } })).text();
    for (const { decision } of record.moves.filter(({ decision }) => decision.fate !== 'evicted'))
      expect(page.toLowerCase()).toContain(decision.why.toLowerCase());
  });

  test('what was replaced or withdrawn stays with its account', async () => {
    await hill.clock.at('09:00');
    await hill.asAgent(cast.bob).play({ slot: 5, move: 'WAR', stake_cents: 999, message: 'a second thought' });
    await hill.asAgent(cast.bob).play({ slot: 5, move: 'PEACE' });
    await hill.asAgent(cast.cid).play({ slot: 6, move: 'PEACE', message: 'never mind' });
    await hill.asAgent(cast.cid).play({ slot: 6, move: 'PASS' });
    await hill.clock.ringBell();

    const text = await (await web.get('/api/day/2')).text();

    expect(JSON.parse(text)).toMatchObject({
      moves_total: 1,
      moves: [{ occupant: identityOf('Bob'), slot: 5, move: 'PEACE' }],
    });
    expect(text).not.toMatch(/: ?999\b|second thought|never mind/); // ids and instants may have any digits
  });

  test('one that the engine resolves again from its public moves comes to the same', async () => {
    const moves = record.moves.map((m) => ({
      seq: m.seq,
      account: m.occupant.accountId,
      slot: m.slot,
      move: m.move,
      stake_cents: m.stake_cents,
      at: m.at,
    }));
    const accounts = [
      ...new Map(
        record.moves.map((m) => [
          m.occupant.accountId,
          { account: m.occupant.accountId, reputation: m.reputation, since: m.since, house: m.occupant.house },
        ]),
      ).values(),
    ];
    const night = { day: 1, open_slots: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], accounts, holders: [], moves };

    const [row] = await hill.rows<{ result: { slots: { outcome: string; occupants: { account: string }[] }[] } }>(
      'select engine.resolve_night($1) as result',
      [JSON.stringify(night)],
    );

    expect(
      row?.result.slots.map(({ outcome, occupants }) => [outcome, occupants.map(({ account }) => account)]),
    ).toEqual(record.results.map(({ outcome, occupants }) => [outcome, occupants.map(({ accountId }) => accountId)]));
  });

  test.each(['3', '0', '-1', '4000000000', '99999999999999'])(
    'day %s, unresolved or unknown, is a 404 that says which days exist',
    async (n) => {
      const answer = await web.get(`/api/day/${n}`);

      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 'DAY_NOT_RESOLVED', today: 3, days: { first: 1, last: 2 } });
    },
  );

  test.each(['abc', '1.5', '1e3', '%31%00', '0x1'])('day %s is no day number', async (n) => {
    const answer = await web.get(`/api/day/${n}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'n' });
  });
});

describe('before any night', () => {
  const hill = useHill();
  const web = useWebDoor(hill);

  test('there is no day to read, and the answer says so', async () => {
    const answer = await web.get('/api/day/1');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'DAY_NOT_RESOLVED', today: 1, days: null });
  });
});

describe('a night of thousands', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  beforeAll(async () => {
    await hill.asRoot(async (root) => {
      await populate(root, { accounts: 3000 });
      // crowds of one standing and of one instant, across the ends of pages
      await root.query("set session_replication_role = 'replica'");
      await root.query("update hill.wallets set since = date_trunc('day', since)");
      await root.query("update hill.sealed_moves set at = date_trunc('hour', at)");
      await root.query(
        "insert into hill.announcements (day, account_id, slot, agent_id, intention, at) select 1, m.account_id, m.slot, m.agent_id, 'PEACE', m.at from hill.sealed_moves m where m.slot = 7",
      );
    });
    await hill.clock.ringBell();
  });

  const pages = async (limit: number | undefined): Promise<Day[]> => {
    const all: Day[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = new URLSearchParams({ ...(limit ? { limit: String(limit) } : {}), ...(cursor ? { cursor } : {}) });
      const page = await web.read<Day>(`/api/day/1?${query}`);
      all.push(page);
      cursor = page.next_cursor;
      if (all.length > 100) throw new Error('It never ends');
    }
    return all;
  };

  test('is cut at 1000 entries of each list, and says how many there are', async () => {
    const [first] = (await pages(undefined)) as [Day];
    expect(first.moves).toHaveLength(1000);
    expect(first.queue).toHaveLength(1000);
    expect(first.moves_total).toBe(6000);
    expect(first.queue_total).toBeGreaterThan(4000);
    const counts = await hill.rows<{ slot: number; n: number }>(
      'select e.slot, count(*)::int as n from engine.night_evicted(engine.stored_night(1), engine.published_resolution(1)) e group by e.slot',
    );
    expect(first.evicted_total).toBe(counts.reduce((sum, { n }) => sum + n, 0));
    for (const { slot, evicted } of first.results)
      expect(evicted).toHaveLength(Math.min(1000, counts.find((c) => c.slot === slot)?.n ?? 0));
  });

  test.each([undefined, 700, 997])(
    'is read in pages (limit %s) without a gap and without anything twice',
    async (limit) => {
      const all = await pages(limit);

      const moves = await hill.rows<{ seq: number }>(
        'select seq from hill.moves where day = 1 and ended is null order by slot, move, at, seq',
      );
      expect(all.flatMap((page) => page.moves.map(({ seq }) => seq))).toEqual(moves.map(({ seq }) => seq));
      const queue = await hill.rows(
        'select place, account, from_slot, seq, served_slot from engine.night_queue(engine.stored_night(1), engine.published_resolution(1))',
      );
      expect(
        all.flatMap((page) =>
          page.queue.map((q) => ({
            place: q.place,
            account: q.occupant.accountId,
            from_slot: q.fromSlot,
            seq: q.seq,
            served_slot: q.servedSlot,
          })),
        ),
      ).toEqual(queue);
      const said = all.flatMap((page) =>
        page.announcements.map(({ occupant, slot }) => `${occupant.accountId} ${slot}`),
      );
      expect(new Set(said).size).toBe(all[0]?.announcements_total);
      expect(said).toHaveLength(all[0]?.announcements_total ?? 0);
      const first = all[0] as Day;
      for (const page of all.slice(1))
        expect(page.results).toEqual(first.results.map((result) => ({ ...result, evicted: [], burned: [] })));
      // whoever is not in the lists of the first page is met with the moves
      const evicted = all.flatMap((page) =>
        page.moves.filter(({ decision }) => decision.fate === 'evicted').map(({ seq }) => seq),
      );
      const wars = first.results.filter(({ outcome }) => outcome === 'WAR');
      expect(evicted).toHaveLength(wars.reduce((sum, { evictedTotal }) => sum + evictedTotal, 0));
      expect(first.results.reduce((sum, { evictedTotal }) => sum + evictedTotal, 0)).toBe(first.evicted_total);
    },
  );

  test('a next page is linked in _next', async () => {
    const page = await web.read<Day & { _next: { rel: string; href: string }[] }>('/api/day/1?limit=2');
    const href = page._next.find(({ rel }) => rel === 'next_page')?.href as string;
    const next = await web.read<Day>(href.slice(href.indexOf('/api/')));
    expect(next.moves).toHaveLength(2);
    expect(next.moves).not.toEqual(page.moves);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=x', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=1~~~', null],
    ['cursor=~~', 'cursor'],
    ['cursor=2~~~', 'cursor'],
    ['cursor=x', 'cursor'],
    ['cursor=', 'cursor'],
    ['cursor=%27;--', 'cursor'],
    ['cursor=01900000-0000-7000-8000-000000000001.1', 'cursor'],
    ['cursor=1~~~1.zzzzzzzz-0000-7000-8000-000000000001.1', 'cursor'],
  ])('?%s is refused by name if it is wrong', async (query, argument) => {
    const answer = await web.get(`/api/day/1?${query}`);
    if (argument === null) {
      expect(await answer.json()).toMatchObject({ moves: [], queue: [], announcements: [], next_cursor: null });
      return;
    }
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'INVALID_ARGUMENT', argument });
  });

  test('a cursor is of its day: another one refuses it, rather than leave anything out', async () => {
    const { next_cursor } = await web.read<Day>('/api/day/1?limit=2');
    await hill.clock.ringBell();
    const answer = await web.get(`/api/day/2?limit=2&cursor=${next_cursor}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'cursor' });
    expect((await web.get(`/api/day/9?cursor=${next_cursor}`)).status).toBe(404);
  });
});
