// Players that do only what `next` says, from new accounts, among the strategies of the demonstration: their points
// against those of the others. HILL_TEST_FOLLOWED=60 plays so many nights, then asks for the top tenth, and plays four
// such players in one field, who come in another order each night.
import { describe, expect, test } from 'vitest';
import { useMcp } from '../support/doors/mcp.ts';
import { aPopulation, everybody } from '../support/hill/a-demo-season.ts';
import { type Account, anAccount, type PlayArgs, useHill } from '../support/hill/index.ts';
import { randomFrom, seed } from '../support/random.ts';

const week = 7;
const nights = Math.max(week, Number(process.env.HILL_TEST_FOLLOWED ?? week));
const isLong = nights >= 60;

/** What the strategies do by chance hangs on the number of the day. The bells of all days before it ring. */
const before = 1 + (seed % 20);

describe.each(isLong ? [1, 4] : [1])('%s of them', (several) => {
  const hill = useHill({ day: before });
  const mcp = useMcp(hill);

  test(`${nights} nights of what next says, HILL_SEED=${seed}`, async () => {
    const random = randomFrom(seed);
    const population = await aPopulation(hill);
    const followers: Account[] = [];
    for (let i = 1; i <= several; i++)
      followers.push(await anAccount(hill, { name: `Follower ${i}`, credits: 100_000 }));
    await hill.clock.ringBell();

    for (let day = before + 1; day <= before + nights; day++) {
      await hill.clock.toDay(day, '00:05');
      await hill.asWorker().playHouse();
      await hill.asWorker().buildAllBoards();
      for (const follower of random.shuffle(followers)) await follow(follower);
      await hill.clock.at('09:00');
      await everybody(hill, mcp.baseUrl, population, day, 'announce');
      await hill.clock.at('12:00');
      await everybody(hill, mcp.baseUrl, population, day, 'play');
      await hill.clock.ringBell();
      if (several === 1 && day === before + week) expect(await worst()).toBeLessThanOrEqual(1 / 4);
    }
    if (isLong) expect(await worst()).toBeLessThanOrEqual(several === 1 ? 1 / 10 : 1 / 2);

    async function follow(follower: Account) {
      for (let moves = 0; moves < 4; moves++) {
        const { next } = await mcp.call<{ next: string }>(await mcp.token(follower), 'status');
        const [, call] = /^(?:Deposit a move|Your PEACE|No seat).*?play (\{.*?\})/.exec(next) ?? [];
        if (call === undefined) return;
        await hill.asAgent(follower).play(JSON.parse(call) as PlayArgs);
      }
    }

    /** The worst rank of them by all points so far, as a share of those who play. */
    async function worst(): Promise<number> {
      const [row] = await hill.rows<{ share: number }>(
        `select max(rank / players::float8) as share
           from (select a.id, rank() over (order by coalesce(sum(s.points), 0) desc) as rank, count(*) over () as players
                   from hill.accounts a left join hill.seats s on s.account_id = a.id where not a.house group by a.id) r
          where id = any ($1::uuid[])`,
        [followers.map(({ id }) => id)],
      );
      return row?.share ?? 1;
    }
  });
});
