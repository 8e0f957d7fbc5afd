// test/properties/naive-agrees-small.test.ts · the engine against the naive one, on every small night there is.
import { expect, test } from 'vitest';
import { useDatabase } from '../support/hill/database.ts';
import { expectAgreement } from '../support/naive/agreement.ts';
import { onePlan } from '../support/naive/one-plan.ts';
import { allSmallNights } from '../support/naive/random-nights.ts';

const db = useDatabase();

test('every night of three accounts and two places', { timeout: 600_000 }, async () => {
  // 7 sets of holders a place, 3 choices for each of 3 accounts on each of 2 places
  expect(await expectAgreement(onePlan(db), allSmallNights())).toBe(7 ** 2 * 3 ** 6);
});
