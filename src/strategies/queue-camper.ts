import { held, open, peace, somewhere } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Pacifist',
  way: 'plays PEACE where there was war last night, and waits in the queue with its good name',
  hours: [10],
  decide: (view) => {
    const own = held(view)[0]?.slot;
    const warred = view.nights[0]?.moves.filter(({ move }) => move === 'WAR').map(({ slot }) => slot) ?? [];
    const troubled = open(view).filter(({ slot }) => warred.includes(slot) && slot !== own);
    const slots = [own ?? somewhere(view, 'home', open(view)), somewhere(view, 'troubled', troubled)];
    return { moves: [...new Set(slots)].map((slot) => ({ ...peace(slot), message: 'Peace.' })) };
  },
} satisfies Strategy;
