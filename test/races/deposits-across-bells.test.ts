// 64 clients of a web process deposit without pause while the clock runs through several midnights, two workers ring,
// and a third builds the boards. Every deposit that was accepted is in exactly the night of its receipt, and the money
// adds up. Rules 2.3, 3.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { deposits } from '../../src/db/deposits.ts';
import { playMany, workerDoor } from '../support/hill/doors.ts';
import {
  type Account,
  anAccount,
  anotherAgent,
  balanced,
  books,
  type Receipt,
  refusalOf,
  useHill,
} from '../support/hill/index.ts';
import { aRandomMove } from '../support/hill/random-play.ts';
import { everythingPlayed, naiveBoards } from '../support/naive/naive-boards.ts';
import { randomFrom, seed } from '../support/random.ts';

const clients = 64;
const bells = 6;
/** What a client may be told; anything else, a deadlock for one, is a fault. */
const expected = ['NO_MOVES_LEFT', 'TOO_MANY_PLACES', 'OVER_DAILY_CAP', 'INSUFFICIENT_CREDITS'];

describe(`${clients} clients across ${bells} bells (HILL_SEED=${seed})`, () => {
  const hill = useHill();
  const accepted: { account: Account; receipt: Receipt }[] = [];
  const told = new Map<string, number>();
  const batched = new Map<string, number>();

  test('deposit, are refused while it rings, and go on', async () => {
    const web = hill.pool(hill.url('web'));
    // as two web processes
    const ways = [deposits(web, 2), deposits(hill.pool(hill.url('web')), 1)] as const;
    const accounts = await Promise.all(
      Array.from({ length: clients / 2 }, () =>
        anAccount(hill, { credits: 60_000, granted: [900, 1100], daily_cap_cents: 4000 }),
      ),
    );
    // two agents of each account, so that they race for its moves, its places and its cap as well
    const agents = [...accounts, ...(await Promise.all(accounts.map((account) => anotherAgent(hill, account))))];
    const worker = workerDoor(hill.pool(hill.url('worker'), 6));
    await worker.setClock(null, 20_000);

    const states = new Map(
      (await hill.rows<{ state: string; code: string }>('select state, code from engine.errors()')).map(
        ({ state, code }) => [state, code],
      ),
    );

    let rung = 0;
    let over = false;
    const until = Date.now() + 15_000;
    const client = async (account: Account, i: number) => {
      const random = randomFrom(seed + i);
      const way = ways[i % 2] as (typeof ways)[number];
      while (!over) {
        try {
          accepted.push({
            account,
            receipt: await way(account.id, account.token, aRandomMove(random, [1, 2, 3, 4, 7])),
          });
        } catch (error) {
          const { code } = refusalOf(error);
          told.set(code, (told.get(code) ?? 0) + 1);
          if (code === 'BELL_RINGING') await sleep(2);
          // it was sent before the bell, when the account was busy, and again after it: for the day before
          else if (code === 'DAY_PASSED') continue;
          else if (!expected.includes(code)) throw error;
          else await sleep(10); // the day is over for this account, or nearly
        }
      }
    };
    // Batches that share their accounts, in any order, with each other and with the clients that come alone.
    const batches = async (i: number) => {
      const random = randomFrom(seed + 1000 + i);
      while (!over) {
        const together = random.shuffle(agents).slice(0, 1 + random.below(16));
        const answers = await playMany(
          web,
          together.map(({ token }) => ({ token, ...aRandomMove(random, [1, 2, 3, 4, 7]) })),
        );
        for (const [n, answer] of answers.entries()) {
          if ('day' in answer) accepted.push({ account: together[n] as Account, receipt: answer });
          const code =
            'busy' in answer ? 'busy' : 'refused' in answer ? (states.get(answer.refused.state) as string) : 'accepted';
          if (![...expected, 'busy', 'accepted', 'BELL_RINGING'].includes(code)) throw new Error(code);
          batched.set(code, (batched.get(code) ?? 0) + 1);
        }
        await sleep(2);
      }
    };
    const ringer = async () => {
      while (!over) {
        if (await worker.ringNextBell()) rung += 1;
        over ||= (rung >= bells && accepted.length > 1000) || Date.now() > until;
        await sleep(5);
      }
    };
    const builder = async () => {
      while (!over) await worker.buildBoards().then(() => sleep(1));
    };
    const clock = async () => {
      const random = randomFrom(seed - 1);
      while (!over) {
        await sleep(200 + random.below(500));
        // to a few simulated seconds, some real microseconds, before midnight, or right onto it
        const { next_bell_at, now } = await worker.readClock();
        const at = new Date(Date.parse(next_bell_at) - random.pick([0, 1, 2000])).toISOString();
        if (at > now) await worker.setClock(at).catch((error: { code: string }) => expect(error.code).toBe('ZHARG'));
      }
    };
    await Promise.all([
      ...agents.slice(8).map(client),
      ...Array.from({ length: 4 }, (_, i) => batches(i)),
      ringer(),
      ringer(),
      builder(),
      clock(),
    ]);

    expect(rung).toBeGreaterThanOrEqual(bells);
    expect(accepted.length).toBeGreaterThan(200);
    expect(told.get('BELL_RINGING')).toBeGreaterThan(0);
    expect(batched.get('accepted')).toBeGreaterThan(0);
    expect(batched.get('busy')).toBeGreaterThan(0);
    while (await worker.ringNextBell()); // what became due meanwhile
    await worker.buildBoards();
  });

  test('leave each accepted deposit in exactly the night of its receipt, and nothing else', async () => {
    const stored = await hill.rows<{
      account: string;
      day: number;
      slot: number;
      move: string;
      at: string;
      own: boolean;
    }>(`
      select m.account_id as account, m.day, m.slot, m.move, engine.iso(m.at) as at, engine.day_of(m.at, s.day_one) = m.day as own
        from (select day, account_id, slot, move, at from hill.moves union all select day, account_id, slot, move, at from hill.sealed_moves) m, hill.settings s`);
    const name = (account: string, { day, slot, move, at }: { day: number; slot: number; move: string; at: string }) =>
      `${account} day ${day} place ${slot} ${move} ${at}`;
    // a repeat has the receipt of the first; a PASS of nothing deposits nothing
    const promised = new Set(
      accepted
        .filter(({ receipt }) => receipt.deposited_at)
        .map(({ account, receipt }) => name(account.id, { ...receipt, at: receipt.deposited_at })),
    );

    expect(stored.filter(({ own }) => !own)).toEqual([]);
    expect(stored.map((deposit) => name(deposit.account, deposit)).sort()).toEqual([...promised].sort());
  });

  test('never exceed four moves and two places of an account and a day, nor its cap', async () => {
    const [worst] = await hill.rows(`
      select max(moves)::int as moves, max(live)::int as live, max(cents)::int as cents
        from (select count(*) as moves, count(*) filter (where ended is null) as live, sum(cost_cents) filter (where ended is null) as cents
                from hill.moves group by day, account_id) a`);

    expect(worst).toMatchObject({ moves: 4, live: 2 });
    expect(worst?.cents).toBeLessThanOrEqual(4000);
  });

  test('leave books that balance, and nights that their stored input gives again', async () => {
    expect(await books(hill.root)).toEqual(balanced);
    const [{ nights, wrong } = { nights: 0, wrong: null }] = await hill.rows<{
      nights: number;
      wrong: number[] | null;
    }>(`
      select count(*) as nights, array_agg(n.day) filter (where engine.resolution_json(x.night, x.resolution) <> engine.resolve_night(engine.night_json(x.night))
                                                             or n.moves <> (select count(*) from hill.moves m where m.day = n.day and m.ended is null)) as wrong
        from hill.nights n cross join lateral (select engine.stored_night(n.day) as night, engine.resolve_places(engine.stored_night(n.day)) as resolution) x`);
    expect(nights).toBeGreaterThanOrEqual(bells);
    expect(wrong).toBeNull();
  });

  test('leave boards that are those of their nights, although bells rang while they were built', async () => {
    const played = await everythingPlayed(hill);
    const days = await hill.rows<{ day: number }>('select distinct day from hill.leaderboard');

    expect(days.length).toBeGreaterThan(0);
    for (const { day } of days)
      expect(
        await hill.rows(
          'select rank, account_id as account, points::float, reputation::float from hill.leaderboard where day = $1 order by rank',
          [day],
        ),
        `after night ${day}`,
      ).toEqual(naiveBoards(played, day).leaderboard);
  });
});
