import type { Strategy } from './strategy.ts';

export default {
  title: 'Listener',
  way: 'does what the tool status advises, three times a day',
  hours: [1, 2, 3],
  decide: ({ advice }) => ({ moves: advice }),
} satisfies Strategy;
