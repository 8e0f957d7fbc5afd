import { foreign, threatened, war } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Sniper',
  way: 'waits until the last hour, and goes to war on the best place where nobody has announced WAR',
  hours: [23],
  decide: (view) => ({
    moves: foreign(view)
      .filter(({ slot }) => !threatened(view, slot))
      .slice(0, 1)
      .map(({ slot }) => war(view, slot)),
  }),
} satisfies Strategy;
