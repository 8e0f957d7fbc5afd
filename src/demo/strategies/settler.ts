// demo/strategies/settler.ts · stays on a quiet place.
import type { Strategy } from '../strategy.ts';

export const settler: Strategy = {
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
