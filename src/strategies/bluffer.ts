import { held, open, peace, somewhere } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Bluffer',
  way: 'announces WAR on a top place to keep others off, and plays PEACE there',
  hours: [7],
  decide: (view) => {
    const slot = held(view)[0]?.slot ?? somewhere(view, 'coveted', open(view).slice(0, 3));
    return { announcements: [{ slot, intention: 'WAR', message: 'Stay away from here.' }], moves: [peace(slot)] };
  },
} satisfies Strategy;
