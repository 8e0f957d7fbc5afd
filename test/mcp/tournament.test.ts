// A tournament as an agent goes through it, by what it was served and nothing else: it finds it, enters it as
// how_to_read says, redeems the code that is shown, plays, and finds itself on the boards, with the figures that the
// public reads. Rules 8.3, 8.4, 8.5, 10.7; protocol 9.4.
import { expect, test } from 'vitest';
import { useMcp } from '../support/doors/mcp.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';
import { springCup } from '../support/hill/spring-cup.ts';
import type { ShownTournament } from '../support/hill/tournaments.ts';

const hill = useHill({ day: 2 });
const mcp = useMcp(hill);

interface Listed {
  tournaments:
    | Pick<ShownTournament, 'slug' | 'phase' | 'i_am_in' | 'join_with' | 'how_to_read' | 'nights_left' | 'my_points'>[]
    | null;
  tournament: { slug: string; i_am_in: boolean } | null;
}
interface Board {
  day: number;
  entries: { rank: number; slug: string; points: number }[];
  me: { rank: number | null; points?: number };
}
const publicly = async (): Promise<ShownTournament> => {
  const list = (await (await fetch(`${mcp.baseUrl}/api/tournaments`)).json()) as { tournaments: ShownTournament[] };
  return list.tournaments[0] as ShownTournament;
};

test('from the list to the boards', async () => {
  await hill.clock.toDay(2);
  await springCup(hill);
  const ann = await anAccount(hill, { name: 'Ann', credits: 0 });
  const bob = await anAccount(hill, { name: 'Bob', credits: 5000 });
  const token = async (account: Account) => mcp.token(account);

  const { code, how_to_read } = await publicly();
  expect(how_to_read).toContain('subscribe with {"tournament": "spring-cup"}');
  // before it is in, the code is refused, with what to do first
  expect(await mcp.refusal(await token(ann), 'fund', { code: code?.code })).toMatchObject({
    code: 'ENTRANTS_ONLY',
    tournament: 'spring-cup',
  });

  for (const account of [ann, bob]) {
    const { tournaments } = await mcp.call<Listed>(await token(account), 'subscribe', { to: 'tournament' });
    const [open] = (tournaments ?? []).filter(({ phase }) => phase === 'open');
    expect(open).toMatchObject({ slug: 'spring-cup', i_am_in: false });
    expect(open?.join_with).toBeNull();
    const [, args = ''] = /call the tool subscribe with (\{.*?\})/.exec(open?.how_to_read ?? '') ?? [];
    expect((await mcp.call<Listed>(await token(account), 'subscribe', JSON.parse(args))).tournament).toMatchObject({
      slug: 'spring-cup',
      i_am_in: true,
    });
  }
  const fuel = await mcp.call<{ granted_cents: number; redeemed: { granted_cents: number } }>(
    await token(ann),
    'fund',
    {
      code: code?.code,
    },
  );
  expect(fuel).toMatchObject({ granted_cents: 500, redeemed: { granted_cents: 500 } });
  expect(await mcp.refusal(await token(ann), 'fund', { code: code?.code })).toMatchObject({
    code: 'CODE_REDEEMED',
    granted_cents: 500,
  });
  expect(await mcp.refusal(await token(bob), 'fund', { code: 'NO-SUCH-CODE' })).toMatchObject({ code: 'UNKNOWN_CODE' });
  expect(await publicly()).toMatchObject({ entries: 2, i_am_in: false, my_points: null });

  await hill.clock.toDay(7);
  const late = await anAccount(hill, { name: 'Late' });
  const unknown = { code: 'NOT_FOUND', argument: 'tournament', tournaments: ['spring-cup'] };
  expect(await mcp.refusal(await token(late), 'subscribe', { tournament: 'winter-cup' })).toMatchObject(unknown);
  expect(
    await mcp.refusal(await token(late), 'leaderboard', { board: 'tournament', tournament: 'winter-cup' }),
  ).toMatchObject(unknown);
  expect(await mcp.refusal(await token(late), 'subscribe', { tournament: 'spring-cup' })).toMatchObject({
    code: 'TOURNAMENT_CLOSED',
    starts_day: 8,
  });

  await hill.clock.toDay(8);
  await mcp.call(await token(ann), 'play', { slot: 3, move: 'PEACE', day: 8 });
  await mcp.call(await token(bob), 'play', { slot: 1, move: 'PEACE', day: 8 });
  await hill.clock.ringBell();

  const mine = async (account: Account) =>
    (await mcp.call<Listed>(await token(account), 'subscribe', { to: 'tournament' })).tournaments?.[0];
  expect(await mine(ann)).toMatchObject({ phase: 'running', i_am_in: true, my_points: 8, nights: 7, nights_left: 6 });
  expect(await mine(late)).toMatchObject({ phase: 'running', i_am_in: false, my_points: null, nights_left: 6 });
  const board = await mcp.call<Board>(await token(ann), 'leaderboard', {
    board: 'tournament',
    tournament: 'spring-cup',
  });
  expect(board).toMatchObject({
    day: 8,
    entries: [
      { rank: 1, slug: 'bob', points: 10 },
      { rank: 2, slug: 'ann', points: 8 },
    ],
    me: { rank: 2, points: 8 },
  });
  expect(
    (await mcp.call<Board>(await token(late), 'leaderboard', { board: 'tournament', tournament: 'spring-cup' })).me
      .rank,
  ).toBeNull();
  expect(
    (await publicly()).boards?.points.entries.map(({ rank, slug, points }) => ({ rank, slug, points })),
  ).toMatchObject(board.entries.map(({ rank, slug, points }) => ({ rank, slug, points })));
});
