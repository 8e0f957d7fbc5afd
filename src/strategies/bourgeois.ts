import { held, home, peace, war } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Bourgeois',
  way: 'defends what it holds with WAR, and gives way to others elsewhere',
  hours: [15],
  decide: (view) => {
    const [own] = held(view);
    return { moves: [own ? war(view, own.slot) : peace(home(view))] };
  },
} satisfies Strategy;
