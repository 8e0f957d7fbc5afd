// The boards of tournaments, kept night by night, against boards computed anew from all that was published: with
// reputations at their last night, also where the worker was late and built them many nights after. HILL_SEED repeats a
// run.
import { describe, expect, test } from 'vitest';
import { call } from '../../support/hill/doors.ts';
import { type Account, anAccount, type Hill, refusal, useHill } from '../../support/hill/index.ts';
import { playADay } from '../../support/hill/random-play.ts';
import { aTournament, enter, type ShownBoards, tournament } from '../../support/hill/tournaments.ts';
import { everythingPlayed, hillBoards, type Played, reputation } from '../../support/naive/naive-boards.ts';
import { randomFrom, seed } from '../../support/random.ts';

interface Said {
  day: number;
  account: string;
  verdict: 'kept' | 'betrayed' | 'bluffed' | 'ghosted';
}

/**
 * After night `last`, of a tournament that began on day `starts`: from seats, moves, payments and verdicts, in exact
 * arithmetic.
 */
function naive(played: Played, said: readonly Said[], entrants: readonly string[], starts: number, last: number) {
  const inside = ({ day }: { day: number }) => day >= starts && day <= last;
  const sharers = new Map<string, number>();
  for (const { day, slot } of played.seats) sharers.set(`${day} ${slot}`, (sharers.get(`${day} ${slot}`) ?? 0) + 1);
  const figures = played.accounts
    .filter(({ id }) => entrants.includes(id))
    .map(({ id, since }) => {
      const of = <T extends { account: string; day: number }>(rows: readonly T[]) =>
        rows.filter((row) => row.account === id && inside(row));
      const verdicts = of(said).map(({ verdict }) => verdict);
      const count = (verdict: string) => verdicts.filter((v) => v === verdict).length;
      return {
        id,
        since,
        reputation: reputation(played, id, last),
        moved: of(played.moves).length > 0,
        twice: of(played.seats).reduce(
          (sum, { day, slot }) => sum + (2 * (11 - slot)) / (sharers.get(`${day} ${slot}`) ?? 1),
          0,
        ),
        consumed: of(played.payments).reduce((sum, { granted, paid }) => sum + granted + paid, 0),
        announced: verdicts.length,
        kept: count('kept'),
        betrayed: count('betrayed'),
        bluffed: count('bluffed'),
        ghosted: count('ghosted'),
      };
    });
  type Figures = (typeof figures)[number];
  const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  const ties = (a: Figures, b: Figures) => b.reputation - a.reputation || text(a.since, b.since) || text(a.id, b.id);
  const points = figures.filter(({ moved }) => moved).sort((a, b) => b.twice - a.twice || ties(a, b));
  const efficiency = points
    .slice(0, 100)
    .filter(({ consumed }) => consumed >= 500)
    .sort((a, b) => b.twice * a.consumed - a.twice * b.consumed || ties(a, b));
  const record = figures
    .filter(({ announced }) => announced > 0)
    .sort((a, b) => b.kept - a.kept || a.betrayed - b.betrayed || ties(a, b));
  return {
    points: points.map(({ id, twice, reputation }) => ({ accountId: id, points: twice / 2, reputation })),
    efficiency: efficiency.map(({ id, twice, consumed }) => ({
      accountId: id,
      points: twice / 2,
      consumed_cents: consumed,
    })),
    record: record.map(({ id, announced, kept, betrayed, bluffed, ghosted }) => ({
      accountId: id,
      announced,
      kept,
      betrayed,
      bluffed,
      ghosted,
    })),
  };
}

const verdicts = (hill: Hill) =>
  hill.rows<{ day: number; account: string; verdict: Said['verdict'] }>(
    'select day, account_id as account, verdict from hill.announcements where verdict is not null',
  );
const pick = (boards: ShownBoards) => ({
  points: boards.points.entries.map(({ accountId, points, reputation }) => ({ accountId, points, reputation })),
  efficiency: boards.efficiency.entries.map(({ accountId, points, consumed_cents }) => ({
    accountId,
    points,
    consumed_cents,
  })),
  record: boards.record.entries.map(({ accountId, announced, kept, betrayed, bluffed, ghosted }) => ({
    ...{ accountId, announced, kept, betrayed, bluffed, ghosted },
  })),
});

describe(`random nights (HILL_SEED=${seed})`, () => {
  const hill = useHill();
  const random = randomFrom(seed);
  const players: { account: Account; eagerness: number }[] = [];
  const windows = [
    { slug: 'short', starts_day: 3, ends_day: 6 },
    { slug: 'one-night', starts_day: 5, ends_day: 5 },
    { slug: 'long', starts_day: 4, ends_day: 38 },
    { slug: 'late', starts_day: 6, ends_day: 41 },
  ];
  const entrants = new Map<string, string[]>();

  test('give the boards that a computation from nothing gives, each night', async () => {
    for (let i = 0; i < 12; i++) {
      if (random.chance(0.5)) await hill.clock.tick();
      const account = await anAccount(hill, {
        credits: 90_000,
        granted: random.chance(0.5) ? [2000] : [],
        daily_cap_cents: 5000,
      });
      players.push({ account, eagerness: random.pick([0.05, 0.3, 0.8]) });
    }
    for (const window of windows) {
      await aTournament(hill, { ...window, sign_ups_close_day: 2 });
      const chosen = random.shuffle(players).slice(0, 8);
      for (const { account } of chosen) await enter(hill, account, window.slug);
      entrants.set(
        window.slug,
        chosen.map(({ account }) => account.id),
      );
    }
    let compared = 0;
    for (let night = 1; night <= 45; night++) {
      for (const { account } of players)
        if (random.chance(0.3))
          await hill
            .asAgent(account)
            .announce({ slot: random.pick([1, 2, 5]), intention: random.pick(['PEACE', 'WAR', 'PASS']) });
      await playADay(hill, random, players, [1, 2, 5, 9]);
      if (night === 10) {
        await hill.clock.toLastMinute();
        await hill.asWorker().playHouse();
      }
      // now and then nights go by before the boards are built: once so many that the long windows end meanwhile
      const late = night % 6 === 2 || (night > 36 && night < 45);
      if (late) {
        await hill.clock.toMidnight();
        await hill.asWorker().ringNextBell();
        continue;
      }
      await hill.clock.ringBell();
      if (night % 3 !== 0 && night < 36) continue;
      const [played, said] = [await everythingPlayed(hill), await verdicts(hill)];
      for (const { slug, starts_day, ends_day } of windows.filter((window) => window.starts_day <= night)) {
        const { boards } = (await tournament(hill, slug)).tournament as { boards: ShownBoards };
        const last = Math.min(night, ends_day);
        expect([slug, boards.day]).toEqual([slug, last]);
        expect(pick(boards), `${slug} after night ${night}`).toEqual(
          naive(played, said, entrants.get(slug) ?? [], starts_day, last),
        );
        for (const { total, entries } of [boards.points, boards.efficiency, boards.record]) {
          expect(entries.map(({ rank }) => rank)).toEqual(entries.map((_, i) => i + 1));
          expect(total).toBe(entries.length);
        }
        compared += boards.record.entries.length + boards.efficiency.entries.length;
      }
    }
    expect(compared).toBeGreaterThan(200);
  });

  test('keep the standings of the last two nights that were built, and no more', async () => {
    const kept = await hill.rows(
      'select tournament_id, count(distinct day) as nights from hill.tournament_standings group by 1',
    );
    expect(kept.every(({ nights }) => Number(nights) <= 2)).toBe(true);
    // one of them may have no entrant who ever ranked
    const shown = await Promise.all(
      windows.map(async ({ slug }) => (await tournament(hill, slug)).tournament.boards as ShownBoards),
    );
    const ranked = shown.filter(({ points, efficiency, record }) => points.total + efficiency.total + record.total > 0);
    expect(kept).toHaveLength(ranked.length);
    expect(ranked.length).toBeGreaterThan(1);
  });
});

describe('where everybody enters and the window is the hill’s', () => {
  const hill = useHill();

  test('the boards are those of the public site', async () => {
    const random = randomFrom(seed + 1);
    const players = [];
    for (let i = 0; i < 10; i++)
      players.push({ account: await anAccount(hill, { credits: 90_000, daily_cap_cents: 5000 }), eagerness: 0.7 });
    await aTournament(hill, { slug: 'everybody', sign_ups_close_day: 1, starts_day: 2, ends_day: 20 });
    for (const { account } of players) await enter(hill, account, 'everybody');
    await hill.clock.toDay(2);
    for (let night = 2; night <= 12; night++) {
      await playADay(hill, random, players, [1, 4, 7]);
      await hill.clock.ringBell();
    }
    const { boards } = (await tournament(hill, 'everybody')).tournament as { boards: ShownBoards };
    const site = await hillBoards(hill);
    expect(
      boards.points.entries.map(({ rank, accountId, points, reputation }) => ({
        rank,
        account: accountId,
        points,
        reputation,
      })),
    ).toEqual(site.leaderboard);
    expect(
      boards.efficiency.entries.map(({ rank, accountId, points, consumed_cents, points_per_dollar }) => ({
        ...{ rank, account: accountId, points, consumed_cents, points_per_dollar },
      })),
    ).toEqual(site.efficiency.map(({ nights: _, ...entry }) => entry)); // those of a tournament do without
    expect(site.efficiency.length).toBeGreaterThan(5);
  });

  test('pages skip nobody and meet nobody twice, also where a bell rings between two of them', async () => {
    const whole = (await tournament(hill, 'everybody')).tournament.boards as ShownBoards;
    const seen: string[] = [];
    let cursor: string | undefined;
    let first: string | null = null;
    for (let page = 0; ; page++) {
      const { tournament: shown, next_cursor } = await tournament(hill, 'everybody', undefined, {
        max: 3,
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...(shown.boards as ShownBoards).points.entries.map(({ accountId }) => accountId));
      first ??= next_cursor;
      if (page === 1) await hill.clock.ringBell();
      if (next_cursor === null) break;
      cursor = next_cursor;
    }
    expect(seen).toEqual(whole.points.entries.map(({ accountId }) => accountId));

    await hill.clock.ringBell();
    for (const wrong of [first, '1', '0.0', 'x.y'])
      expect((await refusal(tournament(hill, 'everybody', undefined, { cursor: wrong as string }))).code).toBe(
        'INVALID_ARGUMENT',
      );
    for (const max of [0, 1001])
      expect((await refusal(tournament(hill, 'everybody', undefined, { max }))).code).toBe('INVALID_ARGUMENT');
  });
});

describe('building them', () => {
  const hill = useHill();
  let ann: Account;
  let house: Account;
  const built = () =>
    hill.rows('select tournament_id, day, built_at, points_entries from hill.tournament_boards order by 1, 2');

  test('keeps nobody waiting: the hill’s boards are read, moves are deposited and the next bell rings meanwhile', async () => {
    ann = await anAccount(hill, { credits: 20_000 });
    house = await anAccount(hill, { credits: 20_000, house: true });
    for (const slug of ['cup', 'bowl']) {
      await aTournament(hill, { slug });
      for (const account of [ann, house]) await enter(hill, account, slug);
    }
    await hill.clock.toDay(3);
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.asAgent(house).play({ slot: 2, move: 'PEACE' });
    await hill.asAgent(house).announce({ slot: 2, intention: 'PEACE' });
    await hill.clock.toMidnight();
    await hill.asWorker().ringNextBell();

    const reader = await hill.root.connect();
    await reader.query('begin; lock table hill.tournament_standings in access exclusive mode');
    const all = hill.asWorker().buildAllBoards();
    await expect
      .poll(() =>
        hill.rows(
          "select 1 as waiting from pg_locks where relation = 'hill.tournament_standings'::regclass and not granted",
        ),
      )
      .toEqual([{ waiting: 1 }]);
    expect(await hillBoards(hill)).toMatchObject({ leaderboard: [{ account: ann.id, points: 10 }] });
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.clock.toMidnight();
    expect(await hill.asWorker().ringNextBell()).toMatchObject({ day: 4 });
    await reader.query('commit');
    reader.release();
    await all;
    await hill.asWorker().buildAllBoards();
    expect((await tournament(hill, 'bowl')).tournament.boards).toMatchObject({
      day: 4,
      points: { entries: [{ points: 20 }] },
    });
  });

  test('leaves house agents out', async () => {
    for (const slug of ['cup', 'bowl']) {
      const { boards, entries } = (await tournament(hill, slug)).tournament;
      expect([entries, boards?.points.total, boards?.efficiency.total, boards?.record.total]).toEqual([2, 1, 1, 0]);
      expect(boards?.points.entries.map(({ accountId }) => accountId)).toEqual([ann.id]);
    }
  });

  test('is done once, however many workers do it', async () => {
    const before = (await built()).length;
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.clock.toMidnight();
    await hill.asWorker().ringNextBell();
    await Promise.all(Array.from({ length: 4 }, () => hill.asWorker().buildAllBoards()));
    expect(await built()).toHaveLength(before + 2);
    expect((await tournament(hill, 'cup')).tournament).toMatchObject({
      phase: 'ended',
      boards: { day: 5, points: { total: 1 } },
    });
  });

  test('ends with the tournament: no later bell writes a row of it', async () => {
    const rows = () =>
      hill.rows('select s.*, s.xmin, s.ctid from hill.tournament_standings s order by tournament_id, day, account_id');
    const before = [await built(), await rows()];
    for (let night = 6; night <= 7; night++) {
      await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
      await hill.clock.ringBell();
    }
    expect([await built(), await rows()]).toEqual(before);
  });
});

describe('a tournament whose boards always fail', () => {
  const hill = useHill();

  test('keeps no other one without boards', async () => {
    for (const slug of ['cup', 'bowl']) await aTournament(hill, { slug });
    await hill.clock.toDay(3);
    await hill.rows(`
      create function public.fail() returns trigger language plpgsql as $$ begin raise 'ill'; end $$;
      create trigger fails before insert on hill.tournament_boards for each row
        when (new.tournament_id = 1) execute function public.fail()`);
    await hill.clock.toMidnight();
    await hill.asWorker().ringNextBell();

    // whose turn it is, is a matter of chance: the other one's never comes once in 2 ** 60 runs
    const tries = await Promise.allSettled(
      Array.from({ length: 60 }, () => call(hill.as('worker'), 'api_worker.rank_next_tournament')),
    );

    expect(tries.some(({ status }) => status === 'rejected')).toBe(true);
    expect(
      await hill.rows(
        'select t.slug, b.day from hill.tournament_boards b join hill.tournaments t on t.id = b.tournament_id',
      ),
    ).toEqual([{ slug: 'bowl', day: 3 }]);
  });
});
