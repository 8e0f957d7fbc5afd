// Tournaments, phase by phase: who can sign up when, what is shown to whom, and that the days come from the clock and
// the nights. Rules 8.2, 8.3.
import { beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../support/hill/doors.ts';
import { type Account, anAccount, anotherAgent, refusal, useHill } from '../../support/hill/index.ts';
import { aCode, aTournament, enter, tournament } from '../../support/hill/tournaments.ts';

describe('a tournament over its days', () => {
  const hill = useHill();
  let slug: string;
  let ann: Account;
  let bob: Account;
  beforeAll(async () => {
    slug = await aTournament(hill, { opens_day: 2, sign_ups_close_day: 3, starts_day: 5, ends_day: 6 });
    ann = await anAccount(hill, { name: 'Ann', credits: 20_000 });
    bob = await anAccount(hill, { name: 'Bob', credits: 20_000 });
  });
  const shown = async (as?: Account) => (await tournament(hill, slug, as)).tournament;

  test('is announced until it opens: nobody signs up yet', async () => {
    expect(await shown()).toMatchObject({
      ...{
        phase: 'announced',
        nights: 2,
        entries: 0,
        days_to_sign_up: 3,
        opens_day: 2,
        starts_day: 5,
        ends_day: 6,
        sign_ups_close_day: 3,
      },
      ...{
        starts_at: '2026-03-05',
        ends_at: '2026-03-06',
        target_agents: 20,
        recommended_daily_cap_cents: 1000,
        tagline: 'Three nights',
      },
      ...{ sponsor: null, sponsor_cents: 0, mode: null, open_questions: [], code: null },
      ...{ i_am_in: false, nights_left: null, my_points: null, join_with: null, boards: null },
    });
    expect(await refusal(enter(hill, ann, slug))).toMatchObject({
      code: 'TOURNAMENT_NOT_OPEN',
      detail: { today: 1, phase: 'announced', opens_day: 2, sign_ups_close_day: 3, starts_day: 5 },
    });
  });

  test('is open from its day on, and told to those who can come in', async () => {
    await hill.clock.toDay(2, '00:00');
    expect(await shown(ann)).toMatchObject({
      ...{ phase: 'open', i_am_in: false, days_to_sign_up: 2 },
      join_with: null,
    });
    const { tournament: entered, signed_up_at } = await enter(hill, ann, slug);
    expect(signed_up_at).toBe('2026-03-02T00:00:00.000000Z');
    expect(entered).toMatchObject({ i_am_in: true, entries: 1, my_points: null, join_with: null, boards: null });
    expect(await shown(), 'the public is in nothing').toMatchObject({
      phase: 'open',
      i_am_in: false,
      entries: 1,
      join_with: null,
    });
  });

  test('signs an account up once, whichever of its agents asks again', async () => {
    const first = (await enter(hill, ann, slug)).signed_up_at;
    const second = await anotherAgent(hill, ann);
    expect((await enter(hill, second, slug)).signed_up_at).toBe(first);
    expect((await shown()).entries).toBe(1);
  });

  test('takes nobody who is suspended, and knows no other slug', async () => {
    const sue = await anAccount(hill, { suspended: true });
    expect((await refusal(enter(hill, sue, slug))).code).toBe('ACCOUNT_SUSPENDED');
    expect(await refusal(enter(hill, ann, 'winter-cup'))).toMatchObject({
      code: 'NOT_FOUND',
      detail: { tournaments: [slug] },
    });
  });

  test('is open to the last instant of its last day', async () => {
    await hill.clock.toDay(3, '23:59:59.999999');
    await enter(hill, bob, slug);
    expect(await shown()).toMatchObject({ phase: 'open', days_to_sign_up: 1, entries: 2 });
  });

  test('has as many entries as came in, also at one instant', async () => {
    const many = await Promise.all(Array.from({ length: 8 }, () => anAccount(hill)));
    await Promise.all([...many, ...many].map((account) => enter(hill, account, slug)));
    const [counted] = await hill.rows<{ entries: number }>(
      'select count(*)::integer as entries from hill.tournament_entries',
    );
    expect([(await shown()).entries, counted?.entries]).toEqual([10, 10]);
  });

  test('is closed then, for those who are not in', async () => {
    await hill.clock.toDay(4, '00:00');
    const cid = await anAccount(hill);
    expect(await shown(cid)).toMatchObject({
      phase: 'closed',
      days_to_sign_up: 0,
      join_with: null,
      nights_left: null,
      boards: null,
    });
    expect(await refusal(enter(hill, cid, slug))).toMatchObject({
      code: 'TOURNAMENT_CLOSED',
      detail: { phase: 'closed', today: 4 },
    });
    expect((await enter(hill, bob, slug)).signed_up_at, 'who is in is told so').toBe('2026-03-03T23:59:59.999999Z');
  });

  test('runs on its days; its boards count its nights only', async () => {
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' }); // the night before it: not counted
    await hill.clock.toDay(5);
    expect(await shown(ann)).toMatchObject({
      ...{
        phase: 'running',
        nights_left: 2,
        my_points: 0,
        i_am_in: true,
        join_with: { tool: 'subscribe', arguments: { tournament: slug }, until_day: 3 },
      },
      boards: { day: 4, points: { total: 0, entries: [], mine: null }, efficiency: { total: 0 }, record: { total: 0 } },
    });
    const cid = await anAccount(hill, { credits: 5000 }); // no entrant
    await hill.asAgent(ann).announce({ slot: 2, intention: 'PEACE' });
    await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' });
    await hill.asAgent(bob).play({ slot: 3, move: 'WAR', stake_cents: 800 });
    await hill.asAgent(cid).play({ slot: 1, move: 'PEACE' });
    await hill.clock.ringBell();

    const boards = (await shown(bob)).boards;
    expect(boards).toMatchObject({
      day: 5,
      points: {
        total: 2,
        entries: [
          { rank: 1, slug: 'ann', points: 9 },
          { rank: 2, slug: 'bob', points: 8 },
        ],
        mine: { rank: 2, points: 8 },
      },
      efficiency: {
        total: 1,
        entries: [{ rank: 1, slug: 'bob', consumed_cents: 800, points_per_dollar: 1 }],
        mine: { rank: 1 },
      },
      record: {
        total: 1,
        entries: [{ rank: 1, slug: 'ann', announced: 1, kept: 1, betrayed: 0, bluffed: 0, ghosted: 0 }],
        mine: null,
      },
    });
    expect(await shown(bob)).toMatchObject({ my_points: 8, nights_left: 1 });
    expect(await shown(), 'the public sees the same boards, and no own entries').toMatchObject({
      my_points: null,
      i_am_in: false,
      nights_left: 1,
    });
    expect((await shown()).boards?.points).not.toHaveProperty('mine');
  });

  test('is over when the bell of its last day is resolved, not at midnight', async () => {
    await hill.asAgent(bob).play({ slot: 3, move: 'PEACE' });
    await hill.clock.toMidnight();
    expect(await shown(), 'the same whoever asks').toMatchObject({
      ...{
        phase: 'running',
        nights_left: 1,
        join_with: { tool: 'subscribe', arguments: { tournament: slug }, until_day: 3 },
      },
    });
    await hill.clock.ringBell();
    expect(await shown(bob)).toMatchObject({
      phase: 'ended',
      nights_left: 0,
      my_points: 16,
      join_with: { until_day: 3 },
      boards: { day: 6 },
    });
  });

  test('keeps its boards for good', async () => {
    const before = (await shown()).boards;
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.clock.toDay(50);
    expect((await shown()).boards).toEqual(before);
  });
});

describe('the list', () => {
  const hill = useHill();

  test('has what is not over first, by start; then the latest to end', async () => {
    expect(await call(hill.asPublic(), 'api_public.tournaments')).toEqual({ day: 1, tournaments: [] });
    await aTournament(hill, { slug: 'late', starts_day: 20, ends_day: 21 });
    await aTournament(hill, { slug: 'first', starts_day: 3, ends_day: 3 });
    await aTournament(hill, { slug: 'second', starts_day: 3, ends_day: 4 });
    await aTournament(hill, { slug: 'long', starts_day: 4, ends_day: 30 });
    await hill.clock.toDay(6);
    const { day, tournaments } = await call<{ day: number; tournaments: { slug: string; phase: string }[] }>(
      hill.asPublic(),
      'api_public.tournaments',
    );
    expect([day, tournaments.map(({ slug, phase }) => `${slug} ${phase}`)]).toEqual([
      6,
      ['long running', 'late closed', 'second ended', 'first ended'],
    ]);
  });

  test('shows the code that everybody may know, with what is left of it', async () => {
    const slug = await aTournament(hill, {
      slug: 'with-codes',
      opens_day: 6,
      sign_ups_close_day: 8,
      starts_day: 9,
      ends_day: 9,
    });
    await aCode(hill, slug, { code: 'FOR-FRIENDS-ONLY' });
    expect((await tournament(hill, slug)).tournament.code).toBeNull();
    await aCode(hill, slug, { code: 'for-everybody', cents: 700, uses: 3, shown: true, expires_day: 8 });
    expect((await tournament(hill, slug)).tournament.code).toEqual({
      ...{ code: 'FOR-EVERYBODY', cents: 700, usesLeft: 3, expiresAt: '2026-03-09T00:00:00.000000Z' },
    });
    await hill.clock.toDay(9, '00:00');
    expect((await tournament(hill, slug)).tournament.code).toBeNull();
  });
});
