// The tool explore_and_debrief: of every move of random nights that were really played, it names the rule and the key
// that decided; with that key changed in the night file, the engine gives another result. HILL_TEST_DEBRIEFED=1000
// plays so many.
import { beforeAll, expect, test } from 'vitest';
import { useMcp } from '../support/doors/mcp.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';
import type { Night, NightResult } from '../support/hill/night.ts';
import { tryToPlay } from '../support/hill/random-play.ts';
import { changeKey } from '../support/naive/change-key.ts';
import { resolveNights } from '../support/naive/resolve-nights.ts';
import { type Random, randomFrom, seed } from '../support/random.ts';

const NIGHTS = Number(process.env.HILL_TEST_DEBRIEFED ?? 20);
const ACCOUNTS = 9;

const hill = useHill();
const mcp = useMcp(hill);

interface Decision {
  seq?: number;
  about_slot?: number;
  fate: string;
  rule: string;
  sentence: string;
  tie_break: string;
  key?: string;
  key_seq?: number;
  rival_seq?: number;
  why: string;
}
interface Debrief {
  debrief: {
    night: { moves: number };
    mine: {
      account: string;
      moves: {
        slot: number;
        move: string;
        seq: number;
        decisions: Decision[];
        cost_cents: number;
        paid_from: { amount_cents: number }[];
        seat: { points: number } | null;
      }[];
      left: { about_slot: number }[];
      totals: { cost_cents: number; points: number };
    };
  };
}

let players: { account: Account; token: string }[];
/** A token lives 15 minutes of real time, which a thousand nights outlast. */
const renewTokens = async () => {
  for (const player of players) player.token = await mcp.token(player.account);
};
const random = randomFrom(seed);

beforeAll(async () => {
  players = [];
  for (let place = 0; place < ACCOUNTS; place++) {
    if (place % 3 === 0) await hill.clock.tick(); // some are of one age
    const account = await anAccount(hill, {
      credits: 100_000,
      granted: 5000,
      daily_cap_cents: 10_000_000,
      max_stake_cents: 5000,
    });
    await hill.rows(
      "insert into hill.transfers (day, at, kind, debit_code, credit_account_id, cents, reason) values (1, now(), 'topup', 'cash', $1, 900000000, 'a test')",
      [account.id],
    );
    players.push({ account, token: await mcp.token(account) });
  }
});

/** A day's deposits on a few places, many at one instant. */
async function playADay(random: Random): Promise<void> {
  const slots = random.shuffle([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).slice(0, random.pick([2, 3, 3, 5]));
  const war = random.pick([0.05, 0.3, 0.5, 0.7]);
  for (const { account } of random.shuffle(players)) {
    if (random.chance(0.1)) continue;
    if (random.chance(0.3)) await hill.clock.tick(random.below(1000) + 1);
    for (let moves = 1 + random.below(3); moves > 0; moves--)
      await tryToPlay(
        hill,
        account,
        random.chance(war)
          ? { slot: random.pick(slots), move: 'WAR', stake_cents: 800 + random.below(3) }
          : { slot: random.pick(slots), move: 'PEACE' },
      );
  }
}

const tieBreaks: Record<string, string> = {
  reputation: 'reputation',
  since: 'seniority',
  at: 'deposit_time',
  seq: 'sequence_number',
  holders: 'holder',
  move: 'none',
};

test(`each move of ${NIGHTS} nights is explained by a key that decides (HILL_SEED=${seed})`, async () => {
  const met = new Map<string, number>();
  let moves = 0;
  let keysChanged = 0;
  for (let night = 1; night <= NIGHTS; night++) {
    if (night % 100 === 0) await renewTokens();
    await playADay(random);
    await hill.clock.ringBell();
    const [{ file } = { file: {} as Night }] = await hill.rows<{ file: Night }>(
      'select engine.night_json(engine.stored_night($1)) as file',
      [night],
    );
    const asker = random.pick(players).token;
    const ask = async (file: Night) =>
      (await mcp.call<{ result: NightResult }>(asker, 'ask_the_bell', { night: file, full: true })).result;
    const [{ published } = { published: {} as NightResult }] = await hill.rows<{ published: NightResult }>(
      'select engine.resolution_json(engine.stored_night($1), engine.published_resolution($1)) as published',
      [night],
    );
    expect(await ask(file), `the what-if of night ${night} is what was published`).toEqual(published);

    let seen = 0;
    const changed = new Map<string, { night: Night; about: string }>();
    const debriefs = await Promise.all(
      players.map(async ({ token, account }) => {
        const ask = async (args: object) =>
          (await mcp.call<Debrief>(token, 'explore_and_debrief', { mode: 'debrief', day: night, ...args })).debrief
            .mine;
        const slots = file.moves.flatMap((move) => (move.account === account.id ? [move.slot] : []));
        const whole = await Promise.all(slots.map((slot) => ask({ slot })));
        return { totals: (await ask({})).totals, moves: whole.flatMap(({ moves }) => moves) };
      }),
    );
    for (const [place, mine] of debriefs.entries()) {
      expect(mine.moves.map(({ seq }) => seq).sort()).toEqual(
        file.moves.flatMap(({ account, seq }) => (account === players[place]?.account.id ? [seq] : [])).sort(),
      );
      expect(mine.totals.cost_cents).toBe(mine.moves.reduce((sum, { cost_cents }) => sum + cost_cents, 0));
      expect(mine.totals.points).toBeCloseTo(mine.moves.reduce((sum, { seat }) => sum + (seat?.points ?? 0), 0));
      for (const { decisions, cost_cents, paid_from } of mine.moves) {
        seen += 1;
        // on its own place, and what found no seat there in the queue
        expect(decisions.length).toBeGreaterThan(['queued', 'evicted'].includes(decisions[0]?.fate ?? '') ? 1 : 0);
        expect(paid_from.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(cost_cents);
        for (const {
          fate,
          rule,
          key = null,
          key_seq = null,
          rival_seq = null,
          tie_break,
          sentence,
          why,
        } of decisions) {
          expect(tie_break).toBe(key === null ? 'none' : tieBreaks[key]);
          expect(sentence).toMatch(/Rules 4\.[245]/);
          expect(why).toMatch(/^\S.*\S$/);
          const about = `${fate} by ${rule}: ${key}`;
          met.set(about, (met.get(about) ?? 0) + 1);
          if (key === null || key_seq === null) expect(rule).toBe('nothing_to_serve');
          // One change may stand behind several decisions.
          else
            changed.set(`${key} ${[key_seq, rival_seq].sort()}`, {
              night: changeKey(file, { key, key_seq, rival_seq }),
              about,
            });
        }
      }
    }
    const changes = [...changed.values()];
    const results = await resolveNights(
      hill.owner,
      changes.map((change) => change.night),
    );
    for (const [place, { about }] of changes.entries())
      expect(results[place], `night ${night}, ${about}`).not.toEqual(published);
    const one = random.below(changes.length);
    if (changes[one]) expect(await ask(changes[one].night), 'the tool and the engine are one').toEqual(results[one]);
    keysChanged += changes.length;
    expect(seen).toBe(file.moves.length);
    moves += seen;
  }
  const keys = [...new Set([...met.keys()].map((about) => about.split(': ')[1]))];
  if (process.env.HILL_TEST_DEBRIEFED)
    console.log(
      `${NIGHTS} nights, ${moves} moves, ${keysChanged} keys changed\n${[...met]
        .sort()
        .map(([about, count]) => `${about} ${count}`)
        .join('\n')}`,
    );
  // Those beneath are seldom reached: seniority and the number of the deposit.
  expect(keys).toEqual(expect.arrayContaining(['at', 'holders', 'move', 'null', 'reputation']));
});
