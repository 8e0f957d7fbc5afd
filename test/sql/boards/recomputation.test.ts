// The boards, kept night by night, against boards computed anew from all that was ever published; and reputations
// against a count of all moves. Fifty nights, so that every window has edges that move. HILL_SEED repeats a run.
import { describe, expect, test } from 'vitest';
import { type Account, anAccount, closeAccount, grant, useHill } from '../../support/hill/index.ts';
import { playADay } from '../../support/hill/random-play.ts';
import {
  everythingPlayed,
  hillBoards,
  naiveBoards,
  type Played,
  reputation,
} from '../../support/naive/naive-boards.ts';
import { randomFrom, seed } from '../../support/random.ts';

const nights = 50;

describe(`fifty nights (HILL_SEED=${seed})`, () => {
  const hill = useHill();
  const random = randomFrom(seed);
  const players: { account: Account; eagerness: number }[] = [];
  let played: Played = { accounts: [], seats: [], moves: [], payments: [] };

  test('agree with boards and reputations computed anew, each night', async () => {
    // some play every day, some once in a while, some stop for good, thirty nights and more before the end; many came
    // at the same instant
    for (let i = 0; i < 16; i++) {
      if (random.chance(0.5)) await hill.clock.tick();
      const account = await anAccount(hill, {
        credits: 2000 + 100 * random.below(900),
        granted: random.chance(0.5) ? [500 + random.below(3000)] : [],
        daily_cap_cents: 5000,
      });
      players.push({ account, eagerness: random.pick([0.05, 0.2, 0.5, 0.9]) });
    }
    for (let night = 1; night <= nights; night++) {
      if (night === 20) for (const player of players.slice(0, 5)) player.eagerness = 0;
      if (night === 30)
        players.push({ account: await anAccount(hill, { credits: 50_000, daily_cap_cents: 5000 }), eagerness: 0.7 });
      if (night === 25)
        for (const player of players.slice(5, 7)) {
          await closeAccount(hill, player.account);
          player.eagerness = 0;
        }
      if (night % 9 === 0) await grant(hill, random.pick(players.slice(7)).account, 700);
      await playADay(hill, random, players, [1, 2, 3, 5, 8, 10]);
      if (night % 10 === 5) {
        await hill.clock.toLastMinute();
        await hill.asWorker().playHouse();
      }
      // now and then two nights go by before the boards are built
      if (night % 7 === 3) {
        await hill.clock.toMidnight();
        await hill.asWorker().ringNextBell();
        continue;
      }
      await hill.clock.ringBell();
      played = await everythingPlayed(hill);

      expect(await hillBoards(hill), `night ${night}`).toEqual(naiveBoards(played, night));
      const anew = `select * from engine.rank_accounts(0, ${night})`; // from no earlier board
      const kept = `select rank, account_id, points, reputation, paid_cents, consumed_cents from hill.leaderboard where day = ${night}`;
      expect(await hill.rows(`(${anew} except ${kept}) union all (${kept} except ${anew})`), `night ${night}`).toEqual(
        [],
      );

      const reputations = await hill.rows<{ id: string; kept: number; counted: number }>(
        `select w.account_id as id, engine.reputation_tonight(w.peace_ring, w.war_ring, w.ring_day, engine.last_night())::float as kept,
                r.reputation::float as counted
           from hill.wallets w
           join engine.reputations(array(select account_id from hill.wallets), engine.last_night() + 1) r on r.account = w.account_id
          order by 1`,
      );
      expect(reputations, `reputations after night ${night}`).toEqual(
        reputations.map(({ id }) => {
          const anew = reputation(played, id, night);
          return { id, kept: anew, counted: anew };
        }),
      );
    }
  });

  test('have met what the comparison is for', () => {
    const boards = naiveBoards(played, nights);
    expect(boards.leaderboard.length).toBeGreaterThan(5);
    expect(boards.efficiency.length).toBeGreaterThan(3);
    expect(boards.wall).toHaveLength(5);
    // somebody moved once, and not in the last thirty nights; a house account did
    const recent = new Set(played.moves.filter(({ day }) => day > nights - 30).map(({ account }) => account));
    expect(played.moves.some(({ account }) => !recent.has(account))).toBe(true);
    expect(played.accounts.some(({ id, house }) => house && recent.has(id))).toBe(true);
  });

  test('left the counts that each night used with it: the moves of the 30 nights before, tonight not among them', async () => {
    const stored = await hill.rows<{ day: number; account: string; peace: number; war: number }>(
      'select day, account_id as account, peace_count as peace, war_count as war from hill.settlements order by day, account_id',
    );
    const counted = stored.map(({ day, account }) => {
      const before = played.moves.filter((move) => move.account === account && move.day >= day - 30 && move.day < day);
      return {
        day,
        account,
        peace: before.filter(({ move }) => move === 'PEACE').length,
        war: before.filter(({ move }) => move === 'WAR').length,
      };
    });

    expect(stored).toEqual(counted);
    expect(stored.some(({ day, peace }) => day > 31 && peace > 10)).toBe(true);
  });

  test('are the same when they are built for many nights at once', async () => {
    const before = await hillBoards(hill);
    await hill.asRoot((client) =>
      client.query(`
        set session_replication_role = replica;
        truncate hill.boards, hill.leaderboard;
        do $$ declare v record; begin
          for v in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'hill.leaderboard'::regclass loop
            execute format('drop table hill.%I', v.relname);
          end loop;
        end $$`),
    );

    expect(await hill.asWorker().buildBoards()).toBe(nights);
    expect(await hillBoards(hill)).toEqual(before);
    expect(await hill.asWorker().buildBoards(), 'and there is nothing left to build').toBeNull();
  });
});
