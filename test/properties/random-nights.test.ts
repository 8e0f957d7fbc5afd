// Are the random nights worth running? A generator that never meets a rule tests nothing.
import { describe, expect, test } from 'vitest';
import type { Night, NightResult, QueueEntry } from '../support/hill/night.ts';
import { whyMalformed } from '../support/naive/malformed-night.ts';
import { resolveNaively } from '../support/naive/naive-engine.ts';
import { randomNight } from '../support/naive/random-nights.ts';

const COUNT = 4000;
const nights = Array.from({ length: COUNT }, (_, seed) => randomNight(seed));
const results = nights.map(resolveNaively);

/** Whether somebody was served on a place ahead of a better entry of which `why` is true. */
function passedOver(result: NightResult, why: (entry: QueueEntry, slot: number) => boolean): boolean {
  return result.queue.some(
    ({ served_slot: slot }, place) => slot !== null && result.queue.slice(0, place).some((entry) => why(entry, slot)),
  );
}

const occurs: [string, share: number, (night: Night, result: NightResult) => boolean][] = [
  ['no move at all', 0.02, (night) => night.moves.length === 0],
  ['more than 40 moves', 0.01, (night) => night.moves.length > 40],
  ['more than 200 moves', 0.002, (night) => night.moves.length > 200],
  ['closed places', 0.2, (night) => night.open_slots.length < 10],
  ['a burned place', 0.3, (_, result) => result.slots.some((slot) => slot.outcome === 'BURN')],
  ['several burned places', 0.1, (_, result) => result.slots.filter((slot) => slot.outcome === 'BURN').length > 1],
  ['a queue', 0.3, (_, result) => result.queue.length > 0],
  ['somebody served', 0.05, (_, result) => result.queue.some((entry) => entry.served_slot !== null)],
  [
    'a warrior passed over',
    0.02,
    (night, result) =>
      passedOver(result, (entry, slot) =>
        night.moves.some((move) => move.account === entry.account && move.slot === slot && move.move === 'WAR'),
      ),
  ],
  [
    'a sitter passed over',
    0.01,
    (_, result) =>
      passedOver(result, (entry, slot) => {
        const sits = result.slots[slot - 1]?.occupants.some((occupant) => occupant.account === entry.account);
        return entry.served_slot !== slot && sits === true;
      }),
  ],
  [
    'a holder that lost its seat',
    0.1,
    (night, result) => night.holders.some((holder) => result.slots[holder.slot - 1]?.evicted.includes(holder.account)),
  ],
  [
    'a holder that plays nothing',
    0.2,
    (night) =>
      night.holders.some(
        (holder) => !night.moves.some((move) => move.account === holder.account && move.slot === holder.slot),
      ),
  ],
  [
    'equal instants on one place',
    0.2,
    (night) => night.moves.some((a) => night.moves.some((b) => a !== b && a.slot === b.slot && a.at === b.at)),
  ],
  ['cents beyond 2^53', 0.1, (_, result) => result.charges.some((charge) => typeof charge.cents === 'bigint')],
];

describe('random nights', () => {
  test('are well formed', () => {
    expect(nights.map(whyMalformed).filter((reason) => reason !== null)).toEqual([]);
  });

  test('are made again by their seed', () => {
    expect(randomNight(7)).toEqual(randomNight(7));
    expect(randomNight(7)).not.toEqual(randomNight(8));
  });

  test.each(occurs)('show %s, in a share of at least %f', (_, share, shows) => {
    const shown = nights.filter((night, place) => shows(night, results[place] as NightResult)).length;
    expect(shown / COUNT).toBeGreaterThanOrEqual(share);
  });
});
