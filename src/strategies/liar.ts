import { chance } from './chance.ts';
import { foreign, peace, somewhere, war } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Liar',
  way: 'announces PEACE where others sit, and about every second day plays WAR',
  hours: [20],
  decide: (view) => {
    const slot = somewhere(view, 'victim', foreign(view).slice(0, 5));
    return {
      announcements: [{ slot, intention: 'PEACE', message: 'I come in peace.' }],
      moves: [chance(view, 'lie') < 0.5 ? war(view, slot) : peace(slot)],
    };
  },
} satisfies Strategy;
