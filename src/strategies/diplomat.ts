import { home, peace } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Diplomat',
  way: 'announces PEACE on a place, and keeps its word',
  hours: [9],
  decide: (view) => {
    const slot = home(view);
    return {
      announcements: [{ slot, intention: 'PEACE', message: 'Let us share this place.' }],
      moves: [{ ...peace(slot), message: 'As announced.' }],
    };
  },
} satisfies Strategy;
