import { daysHeld, held, holds, open, peace, somewhere } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Tenant',
  way: 'wants the best places, and leaves each when its rent has grown for three nights',
  hours: [5],
  decide: (view) => {
    const kept = held(view).filter((place) => daysHeld(view, place) < 3);
    const wanted = open(view).filter((place) => place.slot <= 5 && !holds(view, place));
    const first = kept[0]?.slot ?? somewhere(view, 'first', wanted);
    const others = wanted.filter(({ slot }) => slot !== first);
    return { moves: [peace(first), peace(kept[1]?.slot ?? somewhere(view, 'second', others))] };
  },
} satisfies Strategy;
