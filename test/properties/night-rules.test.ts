// Sentences that hold of every night, each checked on random ones without a second engine.
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/hill/database.ts';
import {
  type Night,
  type NightMove,
  type NightResult,
  type SlotResult,
  stringifyExactly,
} from '../support/hill/night.ts';
import { randomNight } from '../support/naive/random-nights.ts';
import { resolveNights } from '../support/naive/resolve-nights.ts';
import { seed } from '../support/random.ts';

const db = useDatabase();
const COUNT = 2000;

const nights = Array.from({ length: COUNT }, (_, place) => randomNight(seed + place));
const results: NightResult[] = [];

beforeAll(async () => {
  for (let from = 0; from < COUNT; from += 200)
    results.push(...(await resolveNights(db.owner, nights.slice(from, from + 200))));
});

const movesOn = (night: Night, slot: number, move: NightMove['move']) =>
  night.moves.filter((candidate) => candidate.slot === slot && candidate.move === move);
const sits = (place: SlotResult, account: string) => place.occupants.some((occupant) => occupant.account === account);
const key = (of: { account: string; slot: number }) => `${of.slot} ${of.account}`;
const sum = (cents: (number | bigint)[]) => cents.reduce<bigint>((total, each) => total + BigInt(each), 0n);
const unique = (list: unknown[]) => new Set(list).size === list.length;

const rules: [string, (night: Night, result: NightResult) => boolean][] = [
  ['ten places, in order', (_, { slots }) => slots.map((place) => place.slot).join() === '1,2,3,4,5,6,7,8,9,10'],
  ['at most 2 occupants of a place', (_, { slots }) => slots.every((place) => place.occupants.length <= 2)],
  [
    'one seat per account per place',
    (_, { slots }) => slots.every((place) => unique(place.occupants.map((occupant) => occupant.account))),
  ],
  [
    'the outcome follows from the counts, and the counts from the moves',
    (night, { slots }) =>
      slots.every((place) => {
        const peace = movesOn(night, place.slot, 'PEACE').length;
        const war = movesOn(night, place.slot, 'WAR').length;
        const outcome = war > 1 ? 'BURN' : war === 1 ? 'WAR' : peace > 0 ? 'PEACE' : 'VACANT';
        return place.peace_count === peace && place.war_count === war && place.outcome === outcome;
      }),
  ],
  [
    'a vacant place is empty',
    (_, { slots }) => slots.every((place) => place.outcome !== 'VACANT' || place.occupants.length === 0),
  ],
  [
    'a warrior sits alone, where it is the only one, and nowhere else by war',
    (night, { slots }) =>
      slots.every((place) => {
        const warriors = movesOn(night, place.slot, 'WAR').map((move) => move.account);
        if (place.outcome === 'WAR') return place.occupants.length === 1 && place.occupants[0]?.account === warriors[0];
        return warriors.every((account) => !sits(place, account));
      }),
  ],
  [
    'nobody sits without a move of that night',
    (night, { slots }) =>
      slots.every((place) =>
        place.occupants.every(({ account }) => night.moves.some((move) => move.account === account)),
      ),
  ],
  [
    'every PEACE is seated where it was played or queues, and not both',
    (night, { slots, queue }) => {
      const seated = slots.flatMap((place) =>
        place.occupants
          .filter(({ via }) => via === 'holder' || via === 'peace')
          .map(({ account }) => key({ slot: place.slot, account })),
      );
      const queued = queue.map((entry) => key({ slot: entry.from_slot, account: entry.account }));
      const played = night.moves.filter((move) => move.move === 'PEACE').map(key);
      return [...seated, ...queued].sort().join() === played.sort().join();
    },
  ],
  [
    'a holder at peace keeps its place unless one WAR takes it',
    (night, { slots }) =>
      night.holders.every((holder) => {
        const place = slots[holder.slot - 1] as SlotResult;
        const atPeace = movesOn(night, holder.slot, 'PEACE').some((move) => move.account === holder.account);
        return !atPeace || place.outcome === 'WAR' || sits(place, holder.account);
      }),
  ],
  [
    'an entry is served once, and each seat by the queue is an entry',
    (_, { slots, queue }) => {
      const seats = slots.flatMap((place) =>
        place.occupants.filter(({ via }) => via === 'queue').map(({ account }) => key({ slot: place.slot, account })),
      );
      const served = queue.flatMap((entry) =>
        entry.served_slot === null ? [] : [key({ slot: entry.served_slot, account: entry.account })],
      );
      return unique(queue.map((entry) => String(entry.seq))) && seats.sort().join() === served.sort().join();
    },
  ],
  [
    'the queue is served on burned places only',
    (_, { slots, queue }) =>
      queue.every((entry) => entry.served_slot === null || slots[entry.served_slot - 1]?.outcome === 'BURN'),
  ],
  [
    'nobody whom the queue could seat waits beside a free seat of a burned place',
    (night, { slots, queue }) =>
      slots.every((place) => {
        if (place.outcome !== 'BURN' || place.occupants.length === 2) return true;
        const warriors = movesOn(night, place.slot, 'WAR').map((move) => move.account);
        return queue.every(
          (entry) => entry.served_slot !== null || sits(place, entry.account) || warriors.includes(entry.account),
        );
      }),
  ],
  [
    'days_held is one more for who kept the place, 0 for who took it',
    (night, { slots }) =>
      slots.every((place) =>
        place.occupants.every(({ account, days_held, via }) => {
          const held = night.holders.find((holder) => holder.account === account && holder.slot === place.slot);
          return BigInt(days_held) === (held && via !== 'queue' ? BigInt(held.days_held) + 1n : 0n);
        }),
      ),
  ],
  [
    'the points of an occupied place sum to 11 - slot',
    (_, { slots }) =>
      slots.every(({ slot, occupants }) => {
        const points = occupants.reduce((total, occupant) => total + occupant.points, 0);
        return (
          points === (occupants.length === 0 ? 0 : 11 - slot) &&
          occupants.every((occupant) => occupant.points === occupants[0]?.points)
        );
      }),
  ],
  [
    'every live move is charged once, by place and seq: WAR its stake, PEACE at least 300',
    (night, { charges }) => {
      const moves = night.moves.toSorted((a, b) => a.slot - b.slot || Number(a.seq) - Number(b.seq));
      return (
        charges.length === moves.length &&
        moves.every((move, place) => {
          const charge = charges[place];
          if (charge?.account !== move.account || charge.slot !== move.slot || charge.move !== move.move) return false;
          return move.move === 'WAR' ? charge.cents === move.stake_cents : charge.cents >= 300;
        })
      );
    },
  ],
  [
    'who did not hold the place pays 300 for PEACE, whatever became of it',
    (night, { charges }) =>
      charges.every(
        (charge) =>
          charge.move === 'WAR' ||
          charge.cents === 300 ||
          night.holders.some((holder) => holder.account === charge.account && holder.slot === charge.slot),
      ),
  ],
  [
    'what burned on a place is the sum of its burned charges, and only stakes of burned places burn',
    (_, { slots, charges }) =>
      slots.every((place) => {
        const here = charges.filter((charge) => charge.slot === place.slot);
        const burned = here.filter((charge) => charge.burned);
        const due = place.outcome === 'BURN' ? here.filter((charge) => charge.move === 'WAR') : [];
        return (
          burned.map(key).join() === due.map(key).join() &&
          BigInt(place.burned_cents) === sum(burned.map((charge) => charge.cents))
        );
      }),
  ],
  [
    'the evicted moved there, do not sit there, and stand sorted without repeats',
    (night, { slots }) =>
      slots.every((place) => {
        const moved = night.moves.filter((move) => move.slot === place.slot).map((move) => move.account);
        const sorted = place.evicted.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        return (
          unique(place.evicted) &&
          place.evicted.join() === sorted.join() &&
          place.evicted.every((account) => moved.includes(account) && !sits(place, account))
        );
      }),
  ],
];

describe(`of every night, HILL_SEED=${seed}`, () => {
  test.each(rules)('%s', (_, holds) => {
    const broken = nights.find((night, place) => !holds(night, results[place] as NightResult));
    expect(broken && stringifyExactly(broken)).toBeUndefined();
  });
});
