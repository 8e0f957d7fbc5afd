import { held, peace, roomy, somewhere } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Newcomer',
  way: 'earns a name with PEACE on low places and with words that it keeps, and then claims a good place',
  hours: [9],
  decide: (view) => {
    const known = view.me.nights.length >= 10;
    const own = held(view).find(({ slot }) => !known || slot <= 3);
    const rooms = known ? roomy(view).slice(0, 2) : roomy(view).slice(-4);
    const slot = own?.slot ?? somewhere(view, 'goal', rooms);
    return { announcements: [{ slot, intention: 'PEACE', message: 'I am new here.' }], moves: [peace(slot)] };
  },
} satisfies Strategy;
