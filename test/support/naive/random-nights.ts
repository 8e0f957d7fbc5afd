// Nights rich in collisions: few accounts, places, instants and reputations, so that every rule meets every other.
import type { Night, NightAccount, NightHolder, NightMove } from '../hill/night.ts';
import { type Random, randomFrom } from '../random.ts';

const PLACES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const REPUTATIONS = [0, 0.25, 0.333333, 0.333334, 0.5, 0.9, 1];
const SINCE = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.000001Z',
  '2026-01-02T00:00:00Z',
  '2026-01-02T01:00:00+01:00',
  '2026-02-01T12:00:00Z',
];
const TIMES = ['00:00:00', '10:00:00', '10:00:00.000001', '10:00:00.000002', '10:00:01', '23:59:59.999999'];
const DAYS_HELD = [0, 0, 1, 1, 2, 3, 5, 9, 30, 100, 172, 222, 223, 270, 271];
const STAKES = [800, 800, 801, 1500, 100_000, 2 ** 40, 9_007_199_254_740_993n];
// Sorted by code point they stand otherwise than by locale, by UTF-16 or by length.
const NAMES = [
  'ann',
  'Ann',
  'an-na',
  'anna',
  'b',
  'B2',
  'b10',
  'b9',
  'éva',
  'zoe',
  'Zoe',
  'ﬁn',
  '🐝',
  'with space',
  "o'neil",
  '_',
  '~',
  '0',
  '00',
  'ß',
];

/** How a night is drawn. Each night has its own, so that quiet nights, wars and crowds all occur. */
type Temper = {
  accounts: number;
  places: number[];
  moves: number;
  war: number;
  holders: number;
  instants: string[];
  reputations: number[];
};

/** The night of a seed: the same seed gives the same night on every machine. */
export function randomNight(seed: number): Night {
  const random = randomFrom(seed);
  return drawNight(random, random.chance(0.01) ? aCrowd(random) : aFew(random));
}

/**
 * A night in which whoever can be served stands behind a crowd of better reputation that went to war on the burned
 * places. An engine that looks only at the head of the queue has to look further.
 */
export function crowdedNight(seed: number, accounts: number): Night {
  const random = randomFrom(seed);
  const stragglers = random.pick([0, 0.01, 0.1, 0.5]);
  // With one standing for all, only the deposits order the crowd, and no part of it can be left aside.
  const reputations = random.pick([[0.5], [0.5, 0.9, 1]]);
  const since = random.pick([SINCE.slice(0, 1), SINCE]);
  const night: Night = { day: 1, open_slots: PLACES, accounts: [], holders: [], moves: [] };
  const play = (account: string, slot: number, move: 'PEACE' | 'WAR') =>
    night.moves.push({
      seq: night.moves.length,
      account,
      slot,
      move,
      stake_cents: move === 'WAR' ? 800 : 0,
      at: `2026-03-01T${random.pick(TIMES)}Z`,
    });

  for (let place = 0; place < accounts; place++) {
    const account = `n${place}`;
    night.accounts.push({ account, reputation: random.pick(reputations), since: random.pick(since), house: false });
    if (!random.chance(stragglers)) play(account, 4, 'WAR');
    if (!random.chance(stragglers)) play(account, 6, 'WAR');
    if (random.chance(0.3)) play(account, 8, 'PEACE');
  }
  for (const account of ['last', 'last but one', 'last but two']) {
    night.accounts.push({ account, reputation: 0, since: random.pick(SINCE), house: false });
    play(account, 8, 'PEACE');
  }
  night.accounts.push({ account: 'spoiler', reputation: 0, since: '2026-01-01T00:00:00Z', house: false });
  play('spoiler', 8, 'WAR');
  // The deposits must not be in the order in which the file lists their accounts.
  return { ...night, accounts: random.shuffle(night.accounts) };
}

function aFew(random: Random): Temper {
  return {
    accounts: 1 + random.below(8),
    places: random.shuffle(PLACES).slice(0, random.chance(0.1) ? 10 : 1 + random.below(5)),
    moves: random.pick([0.1, 0.4, 0.7, 0.95]),
    war: random.pick([0, 0.1, 0.3, 0.5, 0.8]),
    holders: random.pick([0, 0.3, 0.7, 1]),
    instants: random.shuffle(TIMES).slice(0, random.pick([1, 2, 6])),
    reputations: random.shuffle(REPUTATIONS).slice(0, random.pick([1, 2, 7])),
  };
}

function aCrowd(random: Random): Temper {
  return {
    ...aFew(random),
    accounts: 50 + random.below(40),
    places: PLACES,
    moves: random.pick([0.3, 0.5]),
    war: random.pick([0.02, 0.1, 0.4]),
  };
}

function drawNight(random: Random, temper: Temper): Night {
  const names = random.shuffle(NAMES);
  const accounts: NightAccount[] = Array.from({ length: temper.accounts }, (_, place) => ({
    account: names[place] ?? `n${place}`,
    reputation: random.pick(temper.reputations),
    since: random.pick(SINCE),
    house: random.chance(0.1),
  }));

  const moves: NightMove[] = [];
  for (const slot of temper.places) {
    // Beside the night's temper a place may have its own, or places that burn would be rare among quiet ones.
    const war = random.chance(0.3) ? 0.6 : temper.war;
    for (const { account } of accounts) {
      if (!random.chance(temper.moves)) continue;
      const at = `2026-03-01T${random.pick(temper.instants)}Z`;
      if (random.chance(war)) moves.push({ seq: 0, account, slot, move: 'WAR', stake_cents: random.pick(STAKES), at });
      else if (random.chance(0.2)) moves.push({ seq: 0, account, slot, move: 'PEACE', at });
      else moves.push({ seq: 0, account, slot, move: 'PEACE', stake_cents: 0, at });
    }
  }
  // Sequence numbers tell neither the order of the list nor that of the instants.
  const numbers = random.shuffle(moves.map((_, place) => place * 7 + 3));
  for (const [place, move] of moves.entries()) move.seq = numbers[place] ?? 0;

  const holders: NightHolder[] = [];
  for (const slot of temper.places) {
    for (const { account } of random.shuffle(accounts).slice(0, 2)) {
      if (!random.chance(temper.holders)) continue;
      const payer = moves.some((move) => move.account === account && move.slot === slot && move.move === 'PEACE');
      // A price beyond 64 bits would refuse the night; who does not pay it may have held for ever.
      holders.push({ slot, account, days_held: payer || random.chance(0.9) ? random.pick(DAYS_HELD) : 100_000 });
    }
  }

  // Accounts that neither move nor hold are allowed, and so are holders that the accounts do not name.
  const moving = new Set(moves.map((move) => move.account));
  return {
    day: 1 + random.below(500),
    open_slots: random.shuffle(random.chance(0.5) ? PLACES : temper.places),
    accounts: random.shuffle(accounts.filter(({ account }) => moving.has(account) || random.chance(0.5))),
    holders: random.shuffle(holders),
    moves: random.shuffle(moves),
  };
}

const SMALL_ACCOUNTS: NightAccount[] = [
  // The order of reputation is neither that of names, nor of seniority, nor of deposits.
  { account: 'a', reputation: 0.5, since: '2026-01-02T00:00:00Z', house: false },
  { account: 'b', reputation: 1, since: '2026-01-03T00:00:00Z', house: false },
  { account: 'c', reputation: 0.5, since: '2026-01-01T00:00:00Z', house: false },
];

/**
 * Every night of three accounts on two places: any holders, at most two a place, and no move, PEACE or WAR of each
 * account on each place.
 */
export function* allSmallNights(): Generator<Night> {
  const slots = [3, 7];
  for (const first of holderSets()) {
    for (const second of holderSets()) {
      const holders = [
        ...first.map((account) => ({ slot: 3, account, days_held: 1 })),
        ...second.map((account) => ({ slot: 7, account, days_held: 4 })),
      ];
      for (let choice = 0; choice < 3 ** 6; choice++) {
        const moves: NightMove[] = [];
        for (let place = 0; place < 6; place++) {
          const kind = Math.floor(choice / 3 ** place) % 3;
          if (kind === 0) continue;
          const { account } = SMALL_ACCOUNTS[place % 3] as NightAccount;
          const slot = place < 3 ? 3 : 7;
          // All deposits of place 3 are later than those of place 7, and two of three share an instant.
          const at = `2026-03-01T10:00:0${(slot === 3 ? 5 : 1) + (place % 3 === 0 ? 1 : 0)}Z`;
          const seq = place + 1;
          if (kind === 1) moves.push({ seq, account, slot, move: 'PEACE', stake_cents: 0, at });
          else moves.push({ seq, account, slot, move: 'WAR', stake_cents: 800 + place, at });
        }
        yield { day: 2, open_slots: slots, accounts: SMALL_ACCOUNTS, holders, moves };
      }
    }
  }
}

function holderSets(): string[][] {
  return [[], ['a'], ['b'], ['c'], ['a', 'b'], ['a', 'c'], ['b', 'c']];
}
