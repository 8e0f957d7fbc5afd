// Signing up changes no rule, cap or budget: the same hill played twice, once with tournaments that half of it enters,
// comes to the same. Rules 8.1, 8.3.
import { expect, test } from 'vitest';
import { type Account, anAccount, type Hill, unsalted, useHill } from '../../support/hill/index.ts';
import { playADay } from '../../support/hill/random-play.ts';
import { aCode, aTournament, enter } from '../../support/hill/tournaments.ts';
import { randomFrom, seed } from '../../support/random.ts';

const plain = useHill();
const contested = useHill();

/** Eight nights of a dozen accounts; the same deposits at the same instants whenever the seed is the same. */
async function play(hill: Hill, between: (day: number, accounts: readonly Account[]) => Promise<void>) {
  const random = randomFrom(seed);
  const players: { account: Account; eagerness: number }[] = [];
  for (let i = 0; i < 12; i++) {
    await hill.clock.tick();
    const account = await anAccount(hill, {
      name: `Player ${i}`,
      credits: 4000,
      granted: i % 3 === 0 ? 900 : [],
      daily_cap_cents: 2500,
    });
    players.push({ account, eagerness: 0.8 });
  }
  const accounts = players.map(({ account }) => account);
  const told: unknown[] = [];
  for (let night = 1; night <= 8; night++) {
    await between(night, accounts);
    told.push(unsalted(await playADay(hill, random, players, [1, 2, 3])));
    told.push(
      await Promise.all(
        accounts.map(async (account) => {
          const { account_id, ...state } = await hill.asHuman(account).ownState();
          return state;
        }),
      ),
    );
    const { milliseconds, ...figures } = await hill.clock.ringBell();
    told.push(figures);
  }
  const of = (table: string, columns: string, order: string) =>
    hill.rows(
      `select ${columns}, a.slug from hill.${table} t join hill.accounts a on a.id = t.account_id order by ${order}`,
    );
  return {
    told,
    seats: await of('seats', 't.day, t.slot, t.seat, t.days_held, t.via, t.points', 't.day, t.slot, t.seat'),
    settlements: await of(
      'settlements',
      't.day, t.granted_cents, t.paid_cents, t.peace_count, t.war_count, t.peace_tonight, t.war_tonight',
      't.day, a.slug',
    ),
    results: await hill.rows('select * from hill.place_results order by day, slot'),
    moves: await of('moves', 't.day, t.slot, t.move, t.at, t.stake_cents, t.cost_cents, t.ended', 't.day, t.seq'),
    board: await of(
      'leaderboard',
      't.day, t.rank, t.points, t.reputation, t.paid_cents, t.consumed_cents',
      't.day, t.rank',
    ),
    mandates: await of('mandates', 't.daily_cap_cents, t.max_stake_cents', 'a.slug'),
  };
}

test(`a night resolves identically with and without entrants (HILL_SEED=${seed})`, async () => {
  const without = await play(plain, async () => {});
  const within = await play(contested, async (day, accounts) => {
    if (day === 1) await aTournament(contested, { slug: 'cup' });
    if (day === 3)
      await aTournament(contested, { slug: 'bowl', opens_day: 3, sign_ups_close_day: 4, starts_day: 5, ends_day: 7 });
    // half of them in each, never all: whatever favoured entrants would show on each night from the first on
    if (day <= 2)
      for (const account of accounts.filter((_, i) => i % 4 === day % 4)) await enter(contested, account, 'cup');
    if (day === 3 || day === 4)
      for (const account of accounts.filter((_, i) => i % 4 === day - 2)) await enter(contested, account, 'bowl');
    if (day === 6) await aCode(contested, 'bowl', { shown: true });
  });

  expect((await contested.rows('select from hill.tournament_entries')).length).toBe(12);
  expect(
    (await contested.rows('select from hill.accounts where id not in (select account_id from hill.tournament_entries)'))
      .length,
  ).toBe(6);
  expect(
    (await contested.rows('select from hill.tournament_standings where points_rank is not null')).length,
  ).toBeGreaterThan(5);
  expect(without.moves.length).toBeGreaterThan(50);
  expect(new Set(without.results.map(({ outcome }) => outcome)).size).toBe(4);
  expect(within).toEqual(without);
});
