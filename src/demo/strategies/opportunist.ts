// demo/strategies/opportunist.ts · looks for empty places.
import type { Strategy } from '../strategy.ts';

export const opportunist: Strategy = {
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
