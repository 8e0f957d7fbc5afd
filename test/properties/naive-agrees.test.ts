// The engine against the naive one, on random nights. HILL_SEED=… repeats a run; HILL_TEST_RANDOM=20000 tries so many.
import { expect, test } from 'vitest';
import { useDatabase } from '../support/hill/database.ts';
import type { Night } from '../support/hill/night.ts';
import { expectAgreement } from '../support/naive/agreement.ts';
import { onePlan } from '../support/naive/one-plan.ts';
import { crowdedNight, randomNight } from '../support/naive/random-nights.ts';
import { seed } from '../support/random.ts';

const db = useDatabase();
const RANDOM = Number(process.env.HILL_TEST_RANDOM ?? 5_000);

function* nightsFrom(make: (seed: number) => Night, count: number): Generator<Night> {
  for (let place = 0; place < count; place++) yield make(seed + place);
}

test(`${RANDOM} random nights, HILL_SEED=${seed}`, async () => {
  expect(await expectAgreement(onePlan(db), nightsFrom(randomNight, RANDOM))).toBe(RANDOM);
});

test.each([
  [60, 20],
  [70, 40],
  [300, 30],
  [1200, 6],
])(`nights whose queue stands behind %i warriors, %i of them, HILL_SEED=${seed}`, async (warriors, count) => {
  expect(
    await expectAgreement(
      db.owner,
      nightsFrom((nightSeed) => crowdedNight(nightSeed, warriors), count),
    ),
  ).toBe(count);
});
