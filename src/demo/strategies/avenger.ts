// demo/strategies/avenger.ts · comes back with WAR after an eviction.
import type { Strategy } from '../strategy.ts';

export const avenger: Strategy = {
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
