// The engine against the naive one, on small nights: every tenth there is, and in another run other ones.
// HILL_TEST_SMALL=1 tries each of them, HILL_TEST_SMALL=2 every other.
import { expect, test } from 'vitest';
import { useDatabase } from '../support/hill/database.ts';
import { expectAgreement } from '../support/naive/agreement.ts';
import { onePlan } from '../support/naive/one-plan.ts';
import { allSmallNights } from '../support/naive/random-nights.ts';
import { seed } from '../support/random.ts';

const db = useDatabase();
const EVERY = Number(process.env.HILL_TEST_SMALL ?? 10);
// 7 sets of holders a place, 3 choices for each of 3 accounts on each of 2 places
const ALL = 7 ** 2 * 3 ** 6;

test(`one in ${EVERY} of the nights of three accounts and two places, HILL_SEED=${seed}`, async () => {
  const first = seed % EVERY;
  function* some() {
    let place = 0;
    for (const night of allSmallNights()) if (place++ % EVERY === first) yield night;
  }
  expect(await expectAgreement(onePlan(db), some())).toBe(Math.ceil((ALL - first) / EVERY));
});
