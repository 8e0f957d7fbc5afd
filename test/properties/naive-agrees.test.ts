// test/properties/naive-agrees.test.ts · the engine against the naive one, on random nights. HILL_SEED=… repeats a run.
import { expect, test } from 'vitest';
import { useDatabase } from '../support/hill/database.ts';
import type { Night } from '../support/hill/night.ts';
import { expectAgreement } from '../support/naive/agreement.ts';
import { onePlan } from '../support/naive/one-plan.ts';
import { crowdedNight, randomNight } from '../support/naive/random-nights.ts';
import { seed } from '../support/random.ts';

const db = useDatabase();

function* nightsFrom(make: (seed: number) => Night, count: number): Generator<Night> {
  for (let place = 0; place < count; place++) yield make(seed + place);
}

test(`20,000 random nights, HILL_SEED=${seed}`, { timeout: 600_000 }, async () => {
  expect(await expectAgreement(onePlan(db), nightsFrom(randomNight, 20_000))).toBe(20_000);
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
