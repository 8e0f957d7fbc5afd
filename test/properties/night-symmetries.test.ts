// Changes to a night that must change nothing, or only what they name.
import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/hill/database.ts';
import { type Night, type NightResult, stringifyExactly } from '../support/hill/night.ts';
import { onePlan } from '../support/naive/one-plan.ts';
import { randomNight } from '../support/naive/random-nights.ts';
import { resolveNights } from '../support/naive/resolve-nights.ts';
import { randomFrom, seed } from '../support/random.ts';

const db = useDatabase();
const COUNT = 600;
const BATCH = 200;

type Change = {
  change: (night: Night, seed: number) => Night;
  /** What the result becomes under the change. */
  becomes?: (result: NightResult) => NightResult;
  /** What of a result is compared. */
  view?: (result: NightResult) => unknown;
};

let pool: pg.Pool;
beforeAll(() => {
  pool = onePlan(db);
});
/** Every change is made to the same nights, which are resolved as they are once. */
const unchanged = new Map<number, Promise<NightResult[]>>();

async function expectSymmetry({
  change,
  becomes = (result) => result,
  view = (result) => result,
}: Change): Promise<void> {
  for (let from = 0; from < COUNT; from += BATCH) {
    const seeds = Array.from({ length: BATCH }, (_, place) => seed + from + place);
    const nights = seeds.map(randomNight);
    const changed = nights.map((night, place) => change(night, seeds[place] as number));
    if (!unchanged.has(from)) unchanged.set(from, resolveNights(pool, nights));
    const [before, after] = await Promise.all([
      unchanged.get(from) as Promise<NightResult[]>,
      resolveNights(pool, changed),
    ]);
    for (const [place, night] of nights.entries()) {
      const both = `${stringifyExactly(night)}\n${stringifyExactly(changed[place])}`;
      expect(view(after[place] as NightResult), both).toEqual(view(becomes(before[place] as NightResult)));
    }
  }
}

/** Another name for each account, in another order. */
function newName(account: string): string {
  return `${[...account].reverse().join('')}'`;
}

const rename = <T extends { account: string }>(list: T[]): T[] =>
  list.map((each) => ({ ...each, account: newName(each.account) }));

describe(`what decides nothing, HILL_SEED=${seed}`, () => {
  test('the order in which the file lists accounts, holders, moves and places', async () => {
    await expectSymmetry({
      change: (night, nightSeed) => {
        const random = randomFrom(nightSeed);
        return {
          ...night,
          open_slots: random.shuffle(night.open_slots),
          accounts: random.shuffle(night.accounts),
          holders: random.shuffle(night.holders),
          moves: random.shuffle(night.moves),
        };
      },
    });
  });

  test('the names of accounts, save for the order in which the evicted are listed', async () => {
    await expectSymmetry({
      change: (night) => ({
        ...night,
        accounts: rename(night.accounts),
        holders: rename(night.holders),
        moves: rename(night.moves),
      }),
      becomes: (result) => ({
        ...result,
        slots: result.slots.map((place) => ({
          ...place,
          occupants: rename(place.occupants),
          evicted: place.evicted.map(newName).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
        })),
        queue: rename(result.queue),
        charges: rename(result.charges),
      }),
    });
  });

  test('the stakes, save for what is paid and what burns', async () => {
    await expectSymmetry({
      change: (night) => ({
        ...night,
        moves: night.moves.map((move) =>
          move.move === 'WAR' ? { ...move, stake_cents: 800 + ((Number(move.seq) * 7919) % 5000) } : move,
        ),
      }),
      view: ({ slots, queue }) => ({ slots: slots.map(({ burned_cents, ...place }) => place), queue }),
    });
  });

  test('house marks, bystanders, and places that open where nobody is', async () => {
    await expectSymmetry({
      change: (night) => ({
        ...night,
        open_slots: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        accounts: [
          ...night.accounts.map((account) => ({ ...account, house: !account.house })),
          { account: 'a bystander', reputation: 1, since: '2000-01-01T00:00:00Z', house: false },
        ],
      }),
    });
  });

  test('the day and the date: all deposits a week later, all accounts a year older', async () => {
    await expectSymmetry({
      change: (night) => ({
        ...night,
        day: 1,
        accounts: night.accounts.map((account) => ({ ...account, since: account.since.replace('2026-', '2025-') })),
        moves: night.moves.map((move) => ({ ...move, at: move.at.replace('-03-01T', '-03-08T') })),
      }),
      becomes: (result) => ({ ...result, day: 1 }),
    });
  });
});
