import type { Strategy } from '../../../src/strategies/strategy.ts';

export default {
  title: 'Dove',
  way: 'shares the first place',
  hours: [12],
  decide: () => ({ announcements: [{ slot: 1, intention: 'PEACE' }], moves: [{ slot: 1, move: 'PEACE' }] }),
} satisfies Strategy;
