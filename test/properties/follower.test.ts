// A player that does only what `next` says, from a new account, among the strategies of the demonstration: its points
// against theirs. HILL_TEST_FOLLOWED=60 plays so many nights, and then asks for the top tenth.
import { expect, test } from 'vitest';
import { useMcp } from '../support/doors/mcp.ts';
import { aPopulation, everybody } from '../support/hill/a-demo-season.ts';
import { anAccount, type PlayArgs, useHill } from '../support/hill/index.ts';
import { seed } from '../support/random.ts';

const week = 7;
const nights = Math.max(week, Number(process.env.HILL_TEST_FOLLOWED ?? week));

/** What the strategies do by chance hangs on the number of the day. */
const before = 1 + (seed % 1_000);
const hill = useHill({ day: before });
const mcp = useMcp(hill);

test(`${nights} nights of what next says, HILL_SEED=${seed}`, { timeout: 60_000 + nights * 10_000 }, async () => {
  const population = await aPopulation(hill);
  const follower = await anAccount(hill, { name: 'A follower', credits: 100_000 });
  await hill.clock.ringBell();

  for (let day = before + 1; day <= before + nights; day++) {
    await hill.clock.toDay(day, '00:05');
    await hill.asWorker().playHouse();
    await hill.asWorker().buildAllBoards();
    for (let moves = 0; moves < 4; moves++) {
      const { next } = await mcp.call<{ next: string }>(await mcp.token(follower), 'status');
      const [, call] = /^(?:Deposit a move|Your PEACE|No seat).*?play (\{.*?\})/.exec(next) ?? [];
      if (call === undefined) break;
      await hill.asAgent(follower).play(JSON.parse(call) as PlayArgs);
    }
    await hill.clock.at('09:00');
    await everybody(hill, mcp.baseUrl, population, day, 'announce');
    await hill.clock.at('12:00');
    await everybody(hill, mcp.baseUrl, population, day, 'play');
    await hill.clock.ringBell();
    if (day === before + week) expect(await share()).toBeLessThanOrEqual(1 / 4);
  }
  if (nights >= 60) expect(await share()).toBeLessThanOrEqual(1 / 10);

  /** Its rank by all points so far, as a share of those who play. */
  async function share(): Promise<number> {
    const [row] = await hill.rows<{ share: number }>(
      `select rank / players::float8 as share
         from (select a.id, rank() over (order by coalesce(sum(s.points), 0) desc) as rank, count(*) over () as players
                 from hill.accounts a left join hill.seats s on s.account_id = a.id where not a.house group by a.id) r
        where id = $1`,
      [follower.id],
    );
    return row?.share ?? 1;
  }
});
