// demo/strategies/raider.ts · takes the best places by WAR.
import type { Strategy } from '../strategy.ts';

export const raider: Strategy = {
  title: 'Raider',
  way: 'goes to war on the best place that others hold, then keeps it in peace while it is cheap',
  hour: 14,
  play(view) {
    const [prize] = view.held();
    if (prize && prize.daysHeld < 2) return [{ slot: prize.slot, move: 'PEACE', message: 'Mine now.' }];
    // two raiders on one place burn both stakes, so they do not all choose the very best
    const slot = view.pick(view.foreign().slice(0, 4), 'prize');
    return [{ slot, move: 'WAR', stake_cents: 800, message: 'Make room.' }];
  },
};
