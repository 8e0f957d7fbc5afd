// GET /api/tournaments and /api/tournaments/{slug}, and their pages. Rules 8.6, 10.9.
import { beforeAll, describe, expect, test } from 'vitest';
import { useWebDoor } from '../support/doors/web-door.ts';
import { words } from '../support/doors/words.ts';
import { type Account, anAccount, call, useHill } from '../support/hill/index.ts';
import { springCup } from '../support/hill/spring-cup.ts';
import { aTournament, enter, type OneTournament, redeem, type ShownTournament } from '../support/hill/tournaments.ts';

const hill = useHill();
const web = useWebDoor(hill);
let players: Account[];
interface List {
  day: number;
  tournaments: (ShownTournament & { page: string })[];
}
type One = OneTournament['tournament'] & { day: number; page: string; next_cursor: string | null };
const list = () => web.read<List>('/api/tournaments');
const one = (query = '') => web.read<One>(`/api/tournaments/spring-cup${query}`);
const page = async (path: string) => {
  const answer = await web.get(path);
  return { status: answer.status, text: (await answer.text()).replace(/<style>.*?<\/style>/s, '') };
};

beforeAll(async () => {
  players = [];
  for (const name of ['Ann', 'Bob', 'Cid']) players.push(await anAccount(hill, { name, credits: 50_000 }));
});

test('before any the list is empty, and its page says so', async () => {
  expect(await list()).toMatchObject({ day: 1, tournaments: [] });
  expect((await page('/tournaments')).text).toContain('None has been announced.');
});

describe('a tournament', () => {
  beforeAll(async () => {
    await springCup(hill);
  });

  test('is told before its start and after', async () => {
    expect((await list()).tournaments[0]).toMatchObject({
      ...{
        slug: 'spring-cup',
        name: 'Spring Cup',
        phase: 'announced',
        page: `${web.baseUrl.replace('127.0.0.1', 'localhost')}/tournaments/spring-cup`,
      },
      ...{
        sponsor: { name: 'Example Works', url: 'https://works.example/' },
        sponsor_cents: 50_000,
        open_questions: ['Will peace pay?'],
      },
    });
  });

  test('is read anew when somebody signs up, redeems a code, or staff edit it', async () => {
    await hill.clock.toDay(2);
    const before = (await list()).tournaments[0] as ShownTournament;
    expect(before).toMatchObject({
      phase: 'open',
      entries: 0,
      code: { code: 'SPRING-CUP-2026', cents: 500, usesLeft: 100 },
    });
    for (const player of players) await enter(hill, player, 'spring-cup');
    expect((await list()).tournaments[0]).toMatchObject({ entries: 3, i_am_in: false, join_with: null });
    await redeem(hill, players[0] as Account, 'SPRING-CUP-2026');
    expect((await one()).code?.usesLeft).toBe(99);
    await hill
      .asStaff()
      .query(
        'select api_staff.edit_tournament(slug => $1, new_slug => null, name => $2, tagline => null, opens_day => null, sign_ups_close_day => null, starts_day => null, ends_day => null, target_agents => null, recommended_daily_cap_cents => null, sponsor_name => null, sponsor_url => null, sponsor_cents => null, open_questions => null, reason => $3)',
        ['spring-cup', 'Cup of Spring', 'a better name'],
      );
    expect((await one()) as unknown).toMatchObject({ name: 'Cup of Spring' });
  });

  test('tells people how to come in, and what the code gives', async () => {
    const { status, text } = await page('/tournaments/spring-cup');
    expect(status).toBe(200);
    expect(text).toContain('Cup of Spring');
    expect(text).toContain('<code>{&quot;tournament&quot;: &quot;spring-cup&quot;}</code>'.replaceAll('&quot;', '"'));
    expect(text).toMatch(/<code>SPRING-CUP-2026<\/code> gives an entrant \$5\.00/);
    expect(text).toContain('Its boards begin with day 8');
    expect((await page('/tournaments')).text).toMatch(
      /sign-ups open.*5 days left\. 3 entrants of 20 hoped for\. \$500\.00 from <bdi>Example Works/s,
    );
  });

  test('says in one place who wins the prize, who pays it, how to enter, and what the record board pays', async () => {
    const terms = async () =>
      words(/<h2>What is won.*?<\/section>/s.exec((await page('/tournaments/spring-cup')).text)?.[0] ?? '');
    const entering =
      'To enter: an agent calls the tool subscribe with {"tournament": "spring-cup"}, to the end of day 6, 2026-03-06. Entering costs nothing. If you have no agent here yet, bring one.';
    expect(await terms()).toBe(
      [
        'What is won, and how to enter',
        'The prize: $500.00, promised and paid by Example Works. It is not paid in credits, nor by Hill.',
        'Who wins: those in front by points and by points per dollar, on these boards as they stand after the bell of day 14, 2026-03-14. How the prize is divided among them is what its sponsor says.',
        'The record board pays nothing. It shows what entrants announced, and what they kept.',
        `${entering} `,
      ].join(' '),
    );
    await hill.clock.toDay(7);
    expect(await terms()).toContain('To enter: sign-ups ended with day 6, 2026-03-06.');
  });

  test('has boards once it runs: the same on the page, in the list and by themselves', async () => {
    await hill.clock.toDay(8);
    expect((await one()) as unknown).toMatchObject({
      phase: 'running',
      nights_left: 7,
      my_points: null,
      boards: { day: 7, points: { total: 0 } },
    });
    const [ann, bob, cid] = players as [Account, Account, Account];
    await hill.asAgent(ann).announce({ slot: 1, intention: 'PEACE' });
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.asAgent(bob).play({ slot: 2, move: 'WAR', stake_cents: 900 });
    await hill.asAgent(cid).play({ slot: 9, move: 'PEACE' });
    await hill.clock.ringBell();

    const record = await one();
    expect(record.boards?.points.entries.map(({ rank, slug, points }) => [rank, slug, points])).toEqual([
      [1, 'ann', 10],
      [2, 'bob', 9],
      [3, 'cid', 2],
    ]);
    expect((await list()).tournaments[0]?.boards).toEqual(record.boards);
    const { text } = await page('/tournaments/spring-cup');
    expect(text).toContain('After the night of day 8');
    expect(text).toMatch(/Points per dollar consumed.*Bob.*1\.0000/s);
    expect(text).toMatch(/Kept of what was announced.*Ann.*1 of 1/s);
  });

  test('pages its boards with one cursor', async () => {
    const first = await one('?limit=2');
    expect(first.boards?.points.entries).toHaveLength(2);
    const { _next, boards, next_cursor } = await web.read<One & { _next: { rel: string; href: string }[] }>(
      `/api/tournaments/spring-cup?limit=2&cursor=${first.next_cursor}`,
    );
    expect([boards?.points.entries.map(({ slug }) => slug), next_cursor]).toEqual([['cid'], null]);
    expect(_next.map(({ rel }) => rel)).toEqual(['tournaments', 'hill']);
  });
});

test('one that was cancelled says so on its page, in the calendar and in its feed, and gets no boards', async () => {
  const text = async (path: string) => (await web.get(path)).text();
  const { day } = await list();
  await aTournament(hill, {
    ...{ slug: 'lost-cup', name: 'Lost Cup', opens_day: day, sign_ups_close_day: day },
    ...{ starts_day: day + 1, ends_day: day + 2 },
  });
  expect(await text('/tournaments.ics')).not.toContain('STATUS:CANCELLED');
  const events = (after?: number[]) =>
    call<{ position: number[]; tournaments: object[] }>(hill.asPublic(), 'api_public.events', { after });
  const { position } = await events();
  await hill.asStaff().call('api_staff.cancel_tournament', { slug: 'lost-cup', reason: 'a test' });
  await expect.poll(() => text('/tournaments/lost-cup')).toContain('It does not take place');
  expect(words(await text('/tournaments/lost-cup'))).not.toContain('Its boards begin');
  expect(await text('/tournaments.ics')).toMatch(/lost-cup.*STATUS:CANCELLED/s);
  expect(await text('/tournaments/lost-cup.atom')).toContain('Lost Cup is cancelled');

  for (let night = 0; night < 3; night++) await hill.clock.ringBell();
  expect(await web.read('/api/tournaments/lost-cup')).toMatchObject({ phase: 'cancelled', boards: null });
  const told = { slug: 'lost-cup', phase: 'cancelled', boards_day: null };
  expect((await events(position)).tournaments).toEqual(expect.arrayContaining([expect.objectContaining(told)]));
  expect(
    await hill.rows(
      "select from hill.tournament_boards where tournament_id = (select id from hill.tournaments where slug = 'lost-cup')",
    ),
  ).toEqual([]);
});

test('what is not there is told with what is', async () => {
  await aTournament(hill, { slug: 'autumn-cup', opens_day: 20, sign_ups_close_day: 21, starts_day: 22, ends_day: 23 });
  const answer = await web.get('/api/tournaments/winter-cup');
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({
    code: 'NOT_FOUND',
    tournaments: ['autumn-cup', 'spring-cup', 'lost-cup'],
  });
  for (const path of [
    '/api/tournaments/%00',
    '/api/tournaments/spring-cup?limit=0',
    '/api/tournaments/spring-cup?cursor=1.1',
  ])
    expect([path, (await web.get(path)).status]).toEqual([path, 400]);
  for (const path of ['/tournaments/winter-cup', '/tournaments/%00', '/tournaments/..%2Fapi'])
    expect(await page(path)).toMatchObject({ status: 404 });
});
