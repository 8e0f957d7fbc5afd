// demo/strategies/gambler.ts · decides as if by dice.
import type { Strategy } from '../strategy.ts';

export const gambler: Strategy = {
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
