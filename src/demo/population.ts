// Who plays in a demonstration, and how.
import type { Strategy, View } from './strategy.ts';

/** Comes back with WAR after an eviction. */
const avenger: Strategy = {
  title: 'Avenger',
  way: 'plays PEACE until it is evicted, and then comes back with WAR',
  hour: 12,
  announce: (view) =>
    view
      .evictedFrom()
      .slice(0, 1)
      .map((slot) => ({ slot, intention: 'WAR', message: 'I shall be back.' })),
  play(view) {
    const [lost] = view.evictedFrom();
    if (lost) return [{ slot: lost, move: 'WAR', stake_cents: 900, message: 'As I said.' }];
    const home = view.held()[0]?.slot ?? view.pick(view.roomy(), 'home');
    return [{ slot: home, move: 'PEACE' }];
  },
};

const coveted = (view: View): number => view.held()[0]?.slot ?? view.pick([1, 2, 3], 'coveted');

/** Announces WAR, plays PEACE. */
const bluffer: Strategy = {
  title: 'Bluffer',
  way: 'announces WAR on a top place to keep others off, and plays PEACE there',
  hour: 7,
  announce: (view) => [{ slot: coveted(view), intention: 'WAR', message: 'Stay away from here.' }],
  play: (view) => [{ slot: coveted(view), move: 'PEACE' }],
};

/** Repeats the leader's last night. */
const copycat: Strategy = {
  title: 'Copycat',
  way: 'does what the leader of the board did last night',
  hour: 11,
  async play(view) {
    const { entries } = await view.api.leaderboard();
    const leader = entries.find(({ accountId }) => accountId !== view.own.account_id);
    const { moves } = await view.api.day(view.day - 1);
    const seen = moves.filter(({ occupant }) => occupant.accountId === leader?.accountId).slice(0, 1);
    if (seen.length === 0) return [{ slot: view.pick(view.roomy(), 'slot'), move: 'PEACE' }];
    return seen.map(({ slot, move }) => (move === 'WAR' ? { slot, move, stake_cents: 800 } : { slot, move }));
  },
};

const sharedPlace = (view: View): number => view.held()[0]?.slot ?? view.pick(view.roomy(), 'goal');

/** Announces PEACE, and plays it. */
const diplomat: Strategy = {
  title: 'Diplomat',
  way: 'announces PEACE on a place, and keeps its word',
  hour: 9,
  announce: (view) => [{ slot: sharedPlace(view), intention: 'PEACE', message: 'Let us share this place.' }],
  play: (view) => [{ slot: sharedPlace(view), move: 'PEACE', message: 'As announced.' }],
};

/** Decides as if by dice. */
const gambler: Strategy = {
  title: 'Gambler',
  way: 'decides as if by dice: WAR, PEACE, or a day off',
  hour: 16,
  play(view) {
    const slot = view.pick(
      view.places((slot) => slot <= 6),
      'slot',
    );
    const cast = view.chance('die');
    if (cast < 0.3) return [{ slot, move: 'WAR', stake_cents: 800 + 10 * Math.floor(view.chance('stake') * 20) }];
    if (cast > 0.85) return [];
    return [{ slot, move: 'PEACE' }];
  },
};

const goal = (view: View): number => view.pick(view.roomy(), 'goal');
const stays = (view: View): boolean => view.chance('stay') < 0.5;

/** Announces PEACE, and often does not come. */
const ghost: Strategy = {
  title: 'Ghost',
  way: 'announces PEACE, and about every second day plays nothing',
  hour: 21,
  announce: (view) => [{ slot: goal(view), intention: 'PEACE' }],
  play: (view) => (stays(view) ? [] : [{ slot: goal(view), move: 'PEACE' }]),
};

const victim = (view: View): number => view.pick(view.foreign().slice(0, 5), 'victim');

/** Announces PEACE, and often plays WAR. */
const liar: Strategy = {
  title: 'Liar',
  way: 'announces PEACE where others sit, and about every second day plays WAR',
  hour: 20,
  announce: (view) => [{ slot: victim(view), intention: 'PEACE', message: 'I come in peace.' }],
  play: (view) =>
    view.chance('lie') < 0.5
      ? [{ slot: victim(view), move: 'WAR', stake_cents: 800 + 50 * Math.floor(view.chance('stake') * 5) }]
      : [{ slot: victim(view), move: 'PEACE' }],
};

/** Looks for empty places. */
const opportunist: Strategy = {
  title: 'Opportunist',
  way: 'goes where nobody sat last night and nobody has announced WAR today',
  hour: 18,
  play(view) {
    const danger = view.announced('WAR');
    const free = view.places((slot) => view.occupants(slot) === 0 && !danger.includes(slot));
    const rest = view.roomy().filter((slot) => !danger.includes(slot));
    const first = free[0] ?? view.pick(rest, 'first');
    const second =
      free[1] ??
      view.pick(
        rest.filter((slot) => slot !== first),
        'second',
      );
    return [first, second].map((slot) => ({ slot, move: 'PEACE' }));
  },
};

/** Plays PEACE where there was war. */
const pacifist: Strategy = {
  title: 'Pacifist',
  way: 'plays PEACE where there was war last night, and waits in the queue with its good name',
  hour: 10,
  play(view) {
    const home = view.held()[0];
    const troubled = view.places((slot) => (view.lastNight(slot)?.warCount ?? 0) > 0 && slot !== home?.slot);
    const slots = [
      home?.slot ??
        view.pick(
          view.places(() => true),
          'home',
        ),
      view.pick(troubled, 'troubled'),
    ];
    return [...new Set(slots)].map((slot) => ({ slot, move: 'PEACE', message: 'Peace.' }));
  },
};

/** Takes the best places by WAR. */
const raider: Strategy = {
  title: 'Raider',
  way: 'goes to war on the best place that others hold, then keeps it while it is cheap',
  hour: 14,
  play(view) {
    const [prize] = view.held();
    if (prize && prize.daysHeld < 2) return [{ slot: prize.slot, move: 'PEACE', message: 'Mine now.' }];
    // two raiders on one place burn both stakes, so they do not all choose the very best
    const slot = view.pick(view.foreign().slice(0, 4), 'prize');
    return [{ slot, move: 'WAR', stake_cents: 800, message: 'Make room.' }];
  },
};

/** Stays on a quiet place. */
const settler: Strategy = {
  title: 'Settler',
  way: 'takes a quiet place low on the hill and stays for six nights',
  hour: 6,
  play(view) {
    const home = view.held().find(({ slot, daysHeld }) => slot >= 5 && daysHeld < 6);
    const slot =
      home?.slot ??
      view.pick(
        view.roomy().filter((slot) => slot >= 5),
        'home',
      );
    return [{ slot, move: 'PEACE', message: home ? 'Still here.' : 'A quiet place will do.' }];
  },
};

/** Takes the best places, and leaves when they get expensive. */
const tenant: Strategy = {
  title: 'Tenant',
  way: 'wants the best places, and leaves each when its rent has grown for three nights',
  hour: 5,
  play(view) {
    const kept = view.held().filter(({ daysHeld }) => daysHeld < 3);
    const left = view.held().map(({ slot }) => slot);
    const wanted = view.places((slot) => slot <= 5 && !left.includes(slot));
    const first = kept[0]?.slot ?? view.pick(wanted, 'first');
    const second =
      kept[1]?.slot ??
      view.pick(
        wanted.filter((slot) => slot !== first),
        'second',
      );
    return [
      { slot: first, move: 'PEACE' },
      { slot: second, move: 'PEACE' },
    ];
  },
};

/** Prepares WAR, and mostly gives it up. */
const waverer: Strategy = {
  title: 'Waverer',
  way: 'prepares WAR, passes where others have announced it, and plays PEACE elsewhere',
  hour: 19,
  announce: (view) =>
    view.chance('speak') < 0.5
      ? [{ slot: view.pick(view.foreign(), 'target'), intention: 'PASS', message: 'Not my fight.' }]
      : [],
  play(view) {
    const target = view.pick(view.foreign(), 'target');
    const elsewhere = view.pick(
      view.roomy().filter((slot) => slot !== target),
      'elsewhere',
    );
    const resolve = !view.announced('WAR').includes(target) && view.chance('heart') < 0.4;
    if (resolve) return [{ slot: target, move: 'WAR', stake_cents: 850 }];
    return [
      { slot: target, move: 'WAR', stake_cents: 800 },
      { slot: target, move: 'PASS' },
      { slot: elsewhere, move: 'PEACE' },
    ];
  },
};

export interface Part {
  readonly name: string;
  readonly strategy: Strategy;
}

const cast: readonly (readonly [Strategy, ...string[]])[] = [
  [tenant, 'Tara', 'Tom'],
  [settler, 'Sven', 'Sela', 'Sam'],
  [bluffer, 'Bea', 'Bruno'],
  [diplomat, 'Dora', 'Dan', 'Dina'],
  [pacifist, 'Pia', 'Paul'],
  [copycat, 'Cleo', 'Carl'],
  [avenger, 'Ada', 'Axel'],
  [raider, 'Rhea', 'Rolf', 'Rita'],
  [gambler, 'Gus', 'Greta', 'Gil'],
  [opportunist, 'Ora', 'Otto'],
  [waverer, 'Wim', 'Wanda'],
  [liar, 'Lea', 'Leo'],
  [ghost, 'Gero'],
];

/** In the order in which they deposit. */
export const population: readonly Part[] = cast
  .flatMap(([strategy, ...names]) => names.map((name) => ({ name: `${strategy.title} ${name}`, strategy })))
  .sort((a, b) => a.strategy.hour - b.strategy.hour);

export const strategies: readonly Strategy[] = cast.map(([strategy]) => strategy);
