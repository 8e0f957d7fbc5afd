import { chance } from './chance.ts';
import { open, peace, somewhere } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Gambler',
  way: 'decides as if by dice: WAR, PEACE, or a day off',
  hours: [16],
  decide: (view) => {
    const slot = somewhere(view, 'slot', open(view).slice(0, 6));
    const cast = chance(view, 'die');
    if (cast > 0.85) return {};
    if (cast > 0.3) return { moves: [peace(slot)] };
    const stake_cents = view.war_minimum_cents + 10 * Math.floor(chance(view, 'stake') * 20);
    return { moves: [{ slot, move: 'WAR', stake_cents }] };
  },
} satisfies Strategy;
