// demo/strategies/tenant.ts · takes the best places, and leaves when they get expensive.
import type { Strategy } from '../strategy.ts';

export const tenant: Strategy = {
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
