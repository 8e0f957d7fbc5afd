import { open, peace, roomy, somewhere, threatened } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Opportunist',
  way: 'goes where nobody sat last night and nobody has announced WAR today',
  hours: [18],
  decide: (view) => {
    const safe = open(view).filter(({ slot }) => !threatened(view, slot));
    const free = safe.filter(({ occupants }) => occupants.length === 0);
    const rest = roomy(view).filter((place) => safe.includes(place));
    const first = free[0]?.slot ?? somewhere(view, 'first', rest);
    const others = rest.filter(({ slot }) => slot !== first);
    return { moves: [peace(first), peace(free[1]?.slot ?? somewhere(view, 'second', others))] };
  },
} satisfies Strategy;
