import { chance } from './chance.ts';
import { peace, roomy, somewhere } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Ghost',
  way: 'announces PEACE, and about every second day plays nothing',
  hours: [21],
  decide: (view) => {
    const slot = somewhere(view, 'goal', roomy(view));
    return {
      announcements: [{ slot, intention: 'PEACE' }],
      moves: chance(view, 'stay') < 0.5 ? [] : [peace(slot)],
    };
  },
} satisfies Strategy;
