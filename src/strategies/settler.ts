import { daysHeld, held, peace, roomy, somewhere } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Settler',
  way: 'takes a quiet place low on the hill and stays for six nights',
  hours: [6],
  decide: (view) => {
    const own = held(view).find((place) => place.slot >= 5 && daysHeld(view, place) < 6);
    const low = roomy(view).filter(({ slot }) => slot >= 5);
    const message = own ? 'Still here.' : 'A quiet place will do.';
    return { moves: [{ ...peace(own?.slot ?? somewhere(view, 'home', low)), message }] };
  },
} satisfies Strategy;
