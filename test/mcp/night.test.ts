// The tool night, by the SDK's client over HTTP: against the public record of the day, and against what SQL says of the
// one who asks. Rules 4.4, 4.9, 5, 6.4, 10; protocol 9.4.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Day } from '../../src/records/index.ts';
import { type Mcp, useMcp } from '../support/doors/mcp.ts';
import { succeeded } from '../support/doors/oauth.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { type Account, anAccount, populate, useHill } from '../support/hill/index.ts';
import { randomFrom, seed } from '../support/random.ts';

interface Own {
  moves: {
    slot: number;
    move: string;
    cost_cents: number;
    result: string;
    evicted?: true;
    queue?: { served_slot?: number };
  }[];
  left_slots: number[];
  seats: { slot: number; via: string; days_held: number; points: number }[];
  points: number;
  paid_cents: number;
  granted_cents: number;
  announcements: Record<string, unknown>[];
}
interface Night {
  day: number;
  places: {
    slot: number;
    outcome: string;
    occupants: { slug: string; mine?: true }[];
    evicted?: string[];
    evicted_total?: number;
  }[];
  queue?: { place: number; by: string; from_slot: number; served_slot?: number }[];
  moves?: { by: string; move: string; stake_cents?: number; message?: string; at: string }[];
  queue_total: number;
  queue_served: { by: string; from_slot: number; served_slot: number }[];
  next_cursor: string | null;
  announcements: Record<string, unknown>[];
  house_announcements: Record<string, unknown>[];
  announcements_total: number;
  mine: Own | null;
}

const publicDay = async (mcp: Mcp, day: number): Promise<Day> =>
  (await (await fetch(`${mcp.baseUrl}/api/day/${day}`)).json()) as Day;
const ask = async (mcp: Mcp, account: Account, args: object = {}): Promise<Night> =>
  mcp.call<Night>(await mcp.token(account), 'night', args);

/** The ten places as the public record has them, in the few words of the tool. */
const placesOf = (day: Day, own: string) =>
  day.results.map((r) => ({
    slot: r.slot,
    outcome: r.outcome,
    peace_count: r.peaceCount,
    ...(r.outcome === 'BURN' ? { war_count: r.warCount } : {}),
    ...(r.burnedCents ? { burned_cents: r.burnedCents } : {}),
    occupants: r.occupants.map(({ name, slug }) => ({
      ...{ slug, via: expect.stringMatching(/^(peace|war|queue)$/) },
      ...(name === own ? { mine: true } : {}),
    })),
    ...(r.evicted.length ? { evicted_total: r.evicted.length } : {}),
  }));

describe('a lively night', () => {
  const hill = useHill();
  const mcp = useMcp(hill);
  let cast: Cast;
  beforeAll(async () => {
    cast = await aLivelyNight(hill);
  });

  test('is told as the public record has it, and what it meant for the one who asks', async () => {
    const client = await mcp.client(await mcp.token(cast.cid));
    const { structuredContent, content } = await client.callTool({ name: 'night' });
    const day = await publicDay(mcp, 1);

    expect(structuredContent).toEqual({
      day: 1,
      accounts: 7,
      moves_total: 7,
      burned_cents: 1800,
      places: placesOf(day, 'Cid'),
      queue_total: 2,
      queue_served: [
        { by: 'cid', from_slot: 1, served_slot: 3 },
        { by: 'eve', from_slot: 2, served_slot: 3 },
      ],
      next_cursor: null,
      announcements: [
        { slot: 2, by: 'dan', intention: 'PEACE', verdict: 'betrayed' },
        { slot: 1, by: 'ann', intention: 'PEACE', verdict: 'kept' },
      ],
      house_announcements: [],
      announcements_total: 2,
      mine: {
        moves: [
          {
            slot: 1,
            move: 'PEACE',
            cost_cents: 300,
            result: 'queued',
            queue: { served_slot: 3 },
          },
        ],
        left_slots: [],
        seats: [{ slot: 3, via: 'queue', days_held: 0, points: 4 }],
        points: 4,
        paid_cents: 300,
        granted_cents: 0,
        announcements: [],
      },
    });
    const text = (content as { text: string }[])[0]?.text as string;
    expect(text).toContain('3 | BURN of 2 | 0 | YOU (queue), @eve (queue)\n');
    expect(text).toContain('Your PEACE on place 1, 300 cents: queued, in the queue seated on place 3.');
  });

  test('has its whole queue where that is asked for', async () => {
    const { queue, next_cursor } = await ask(mcp, cast.ann, { queue: true });
    expect(queue).toEqual(
      (await publicDay(mcp, 1)).queue.map(({ place, occupant, fromSlot, servedSlot }) => ({
        place,
        by: occupant.slug,
        from_slot: fromSlot,
        served_slot: servedSlot,
      })),
    );
    expect(next_cursor).toBeNull();
    expect(await mcp.refusal(await mcp.token(cast.ann), 'night', { queue: true, slot: 1 })).toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  test('of one place has its moves and no other', async () => {
    const night = await ask(mcp, cast.eve, { day: 1, slot: 2 });

    expect(night.places).toHaveLength(1);
    expect(night.places[0]).toMatchObject({
      ...{ slot: 2, outcome: 'WAR', peace_count: 1, war_count: 1, evicted: ['eve'], evicted_total: 1 },
      occupants: [{ name: 'Dan', slug: 'dan', via: 'war', days_held: 0, points: 9 }],
    });
    expect(night.moves).toEqual([
      { by: 'eve', move: 'PEACE', at: expect.any(String) },
      { by: 'dan', move: 'WAR', stake_cents: 900, message: 'Mine', at: expect.any(String) },
    ]);
    expect(night.queue).toBeUndefined();
    expect(night.announcements).toMatchObject([{ by: 'dan', at: expect.any(String) }]);
    expect(night.mine?.moves).toMatchObject([{ result: 'evicted', evicted: true, queue: { served_slot: 3 } }]);
  });

  test('burned stakes, granted credits and verdicts are told to whom they belong', async () => {
    expect((await ask(mcp, cast.gus)).mine).toMatchObject({
      moves: [{ slot: 3, move: 'WAR', cost_cents: 1000, result: 'burned' }],
      seats: [],
      points: 0,
      paid_cents: 0,
      granted_cents: 1000,
    });
    expect((await ask(mcp, cast.dan)).mine).toMatchObject({
      points: 9,
      announcements: [{ slot: 2, intention: 'PEACE', verdict: 'betrayed' }],
    });
  });

  test('before the claim it is told, and means nothing', async () => {
    const registration = await mcp.register('Newcomer');
    const { access_token } = succeeded(await mcp.exchange(registration.identity_assertion));
    expect(await mcp.call(access_token, 'night')).toMatchObject({ day: 1, mine: null, queue_total: 2 });
  });

  test('tonight’s deposits change nothing in it', async () => {
    const before = await ask(mcp, cast.ann);
    await hill.asAgent(cast.bob).play({ slot: 1, move: 'PEACE', message: 'a secret' });
    expect(await ask(mcp, cast.ann)).toEqual(before);
  });

  test('who played nothing has left', async () => {
    await hill.clock.ringBell();
    expect((await ask(mcp, cast.dan)).mine).toMatchObject({
      moves: [],
      left_slots: [2],
      seats: [],
      points: 0,
      paid_cents: 0,
    });
    expect((await ask(mcp, cast.dan, { day: 1 })).mine).toMatchObject({ points: 9 });
  });

  test.each([{ day: 3 }, { day: 0 }, { day: -5 }, { day: 2_000_000_000 }])(
    '%o is not resolved, and the answer says which days are',
    async (args) => {
      expect(await mcp.refusal(await mcp.token(cast.ann), 'night', args)).toMatchObject({
        code: 'DAY_NOT_RESOLVED',
        today: 3,
        days: { first: 1, last: 2 },
      });
    },
  );

  test.each([
    [{ slot: 11 }, 'slot'],
    [{ slot: 0 }, 'slot'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 1001 }, 'limit'],
    [{ cursor: 'x' }, 'cursor'],
    [{ cursor: `1.${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.1`, slot: 1 }, 'cursor'],
    [{ day: 1.5 }, 'day'],
    [{ place: 3 }, 'place'],
  ])('%o is refused', async (args, argument) => {
    expect(await mcp.refusal(await mcp.token(cast.ann), 'night', args)).toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument,
    });
  });
});

describe('before any night', () => {
  const hill = useHill();
  const mcp = useMcp(hill);

  test('there is none to tell of', async () => {
    const ann = await anAccount(hill);
    expect(await mcp.refusal(await mcp.token(ann), 'night')).toMatchObject({
      code: 'DAY_NOT_RESOLVED',
      today: 1,
      days: null,
    });
  });
});

describe('random nights', () => {
  const hill = useHill();
  const mcp = useMcp(hill);

  test(`mean for each account what the tables say (HILL_SEED=${seed})`, async () => {
    const random = randomFrom(seed);
    const accounts: Account[] = [];
    const tokens = new Map<Account, string>();
    for (let n = 0; n < 9; n++) {
      const account = await anAccount(hill, {
        credits: 50_000,
        granted: random.pick([0, 500]) || [],
        daily_cap_cents: 100_000,
        max_stake_cents: 5000,
      });
      accounts.push(account);
      tokens.set(account, await mcp.token(account));
    }
    const results = new Set<string>();
    // a few alike are no proof: as many as it takes to meet three fates
    for (let day = 1; day <= 3 || (results.size < 3 && day <= 20); day++) {
      for (const account of accounts)
        for (const slot of random.shuffle([1, 2, 3, 4]).slice(0, random.below(3))) {
          await hill.clock.tick();
          const move = random.chance(0.3) ? { move: 'WAR', stake_cents: 800 } : { move: 'PEACE' };
          await hill.asAgent(account).play({ slot, ...move });
        }
      await hill.clock.ringBell();
      const record = await publicDay(mcp, day);
      for (const account of accounts) {
        const { mine } = await mcp.call<{ mine: Own }>(tokens.get(account) as string, 'night', { day });
        const is = ({ occupant }: { occupant: { accountId: string } }) => occupant.accountId === account.id;
        const queued = record.queue.filter(is);
        expect(mine.moves.map(({ slot, move, cost_cents }) => ({ slot, move, cost_cents }))).toEqual(
          record.moves.filter(is).map(({ slot, move, cost_cents }) => ({ slot, move, cost_cents })),
        );
        expect(mine.moves.filter((m) => m.queue).map((m) => [m.slot, m.queue?.served_slot ?? null])).toEqual(
          queued.map((q) => [q.fromSlot, q.servedSlot]).sort((a, b) => Number(a[0]) - Number(b[0])),
        );
        expect(mine.moves.filter((m) => m.evicted).map((m) => m.slot)).toEqual(
          record.results.filter((r) => r.evicted.some(({ accountId }) => accountId === account.id)).map((r) => r.slot),
        );
        expect(mine.seats).toEqual(
          await hill.rows(
            'select slot, via, days_held, points::float as points from hill.seats where day = $1 and account_id = $2 order by slot',
            [day, account.id],
          ),
        );
        expect(mine.points).toBe(mine.seats.reduce((sum, { points }) => sum + points, 0));
        expect(mine.paid_cents + mine.granted_cents).toBe(
          mine.moves.reduce((sum, { cost_cents }) => sum + cost_cents, 0),
        );
        const held = await hill.rows<{ slot: number }>(
          'select slot from hill.seats where day = $1 and account_id = $2 order by 1',
          [day - 1, account.id],
        );
        expect(mine.left_slots).toEqual(
          held.map(({ slot }) => slot).filter((slot) => !mine.moves.some((m) => m.slot === slot)),
        );
        // the same as the explanation of the night has it
        const decided = await hill.rows<{ seq: string; fate: string }>(
          `select m.slot, d.fate from engine.explain_places(engine.stored_night($1), engine.published_resolution($1)) d join hill.moves m on m.day = $1 and m.seq = d.seq
            where d.account = $2 order by m.slot`,
          [day, account.id],
        );
        expect(mine.moves.map(({ slot, result }) => ({ slot, fate: result }))).toEqual(decided);
        for (const { result } of mine.moves) results.add(result);
      }
    }
    expect(results.size).toBeGreaterThanOrEqual(3);
  });
});

describe('a night of thousands', () => {
  const hill = useHill();
  const mcp = useMcp(hill);
  let ann: Account;
  beforeAll(async () => {
    ann = await anAccount(hill, { name: 'Ann', credits: 5000 });
    await hill.asRoot((root) => populate(root, { accounts: 3000 }));
    await hill.asAgent(ann).play({ slot: 6, move: 'PEACE' });
    await hill.clock.ringBell();
  });

  test('is told in few words, and its lists go on page by page', async () => {
    const token = await mcp.token(ann);
    const first = await mcp.call<Night>(token, 'night');
    expect(JSON.stringify(first).length).toBeLessThan(12_000);
    expect(first.queue).toBeUndefined();
    expect(first.queue_served).toHaveLength(
      (await publicDay(mcp, 1)).queue.filter(({ servedSlot }) => servedSlot !== null).length,
    );
    expect(first.queue_total).toBeGreaterThan(2000);
    expect(first.places[5]).toMatchObject({ outcome: 'WAR' });
    expect((await mcp.call<Night>(token, 'night', { slot: 6 })).places[0]?.evicted).toHaveLength(20);
    expect(first.places[5]?.evicted_total).toBeGreaterThan(100);
    expect(first.mine?.moves).toMatchObject([{ slot: 6, result: 'evicted', queue: {} }]);

    const queue: NonNullable<Night['queue']> = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Night = await mcp.call<Night>(token, 'night', {
        day: 1,
        queue: true,
        limit: 999,
        ...(cursor ? { cursor } : {}),
      });
      queue.push(...(page.queue ?? []));
      cursor = page.next_cursor;
    }
    expect(queue.map(({ place }) => place)).toEqual(Array.from({ length: first.queue_total }, (_, i) => i + 1));

    const moves: NonNullable<Night['moves']> = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Night = await mcp.call<Night>(token, 'night', {
        day: 1,
        slot: 6,
        limit: 150,
        ...(cursor ? { cursor } : {}),
      });
      moves.push(...(page.moves ?? []));
      cursor = page.next_cursor;
    }
    expect(moves.map(({ by, move }) => [by, move])).toEqual(
      (
        await hill.rows<{ by: string; move: string }>(
          'select a.slug as by, m.move from hill.moves m join hill.accounts a on a.id = m.account_id where m.day = 1 and m.slot = 6 and m.ended is null order by m.move, m.at, m.seq',
        )
      ).map(({ by, move }) => [by, move]),
    );
  });
});
