// A night file is anybody's text: whatever stands in it, there is a right result or a clean refusal.
// HILL_TEST_REFUSED=20000 tries so many.
import { expect, test } from 'vitest';
import { useDatabase } from '../support/hill/database.ts';
import { type Night, parseExactly, stringifyExactly } from '../support/hill/night.ts';
import { whyMalformed } from '../support/naive/malformed-night.ts';
import { resolveNaively } from '../support/naive/naive-engine.ts';
import { onePlan } from '../support/naive/one-plan.ts';
import { randomNight } from '../support/naive/random-nights.ts';
import { REFUSED, resolveOrRefuse } from '../support/naive/resolve-nights.ts';
import { type Random, randomFrom, seed } from '../support/random.ts';

const db = useDatabase();
const COUNT = Number(process.env.HILL_TEST_REFUSED ?? 500);
const BATCH = 50;

const JUNK = [
  ...[
    null,
    true,
    false,
    '',
    'x',
    'NaN',
    'now',
    'today',
    'infinity',
    '-infinity',
    'epoch',
    '3',
    'WAR',
    'PEACE',
    'PASS',
    "'; drop schema engine --",
  ],
  ...[
    -1,
    0,
    0.5,
    1,
    1.5,
    2,
    3,
    10,
    11,
    799,
    800,
    1e300,
    -1e300,
    1e-300,
    2 ** 31 - 2,
    2 ** 31 - 1,
    2 ** 31,
    2n ** 63n - 1n,
    2n ** 63n,
    -(2n ** 64n),
  ],
  ...[
    '2026-03-01T10:00:00Z',
    '2026-03-01T10:00:00',
    '2026-13-01T10:00:00Z',
    '2026-03-01',
    '2026-03-01T10:00:00.0000001Z',
    '🐝',
  ],
  ...[[], {}, [1], [[]], { account: 'x' }],
];

/**
 * A copy of a night with one value, anywhere in it, left out or replaced by junk, or by what stands elsewhere in the
 * night.
 */
function spoil(night: Night, random: Random): unknown {
  const root = { night: parseExactly(stringifyExactly(night)) };
  let parent: Record<string, unknown> = root;
  let key = 'night';
  while (random.chance(0.85)) {
    const value = parent[key];
    if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) break;
    parent = value as Record<string, unknown>;
    key = random.pick(Object.keys(value));
  }
  if (random.chance(0.15) && key !== 'night') leaveOut(parent, key);
  else if (random.chance(0.15)) parent[key] = random.pick(Object.values(parent));
  else parent[key] = random.pick(JUNK);
  return root.night;
}

function leaveOut(parent: Record<string, unknown>, key: string): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}

test(`spoiled nights, HILL_SEED=${seed}`, async () => {
  const pool = onePlan(db);
  let refused = 0;
  for (let from = 0; from < COUNT; from += BATCH) {
    const nights = Array.from({ length: BATCH }, (_, place) => {
      const nightSeed = seed + from + place;
      return spoil(randomNight(nightSeed), randomFrom(nightSeed));
    });
    const outcomes = await Promise.all(nights.map((night) => resolveOrRefuse(pool, night)));
    for (const [place, night] of nights.entries()) {
      const why = whyMalformed(night);
      const expected = why === null ? resolveNaively(night as Night) : REFUSED;
      expect(outcomes[place], `${why ?? 'well formed'}: ${stringifyExactly(night)}`).toEqual(expected);
      if (why !== null) refused++;
    }
  }
  // Both kinds must occur, or the test has lost its point.
  expect(refused / COUNT).toBeGreaterThan(0.5);
  expect(refused / COUNT).toBeLessThan(0.95);
});
