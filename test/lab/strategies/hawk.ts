import type { Strategy } from '../../../src/strategies/strategy.ts';

export default {
  title: 'Hawk',
  way: 'wants the first place alone',
  hours: [12],
  decide: ({ war_minimum_cents }) => ({ moves: [{ slot: 1, move: 'WAR', stake_cents: war_minimum_cents }] }),
} satisfies Strategy;
