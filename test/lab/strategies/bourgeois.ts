import type { Strategy } from '../../../src/strategies/strategy.ts';

export default {
  title: 'Bourgeois',
  way: 'has the first place every other night by a convention, and fights for it then alone',
  hours: [12],
  decide: ({ me, day, war_minimum_cents }) => ({
    moves:
      (Number(me.name.split(' ').at(-1)) + day) % 2 === 0
        ? [{ slot: 1, move: 'WAR', stake_cents: war_minimum_cents }]
        : [],
  }),
} satisfies Strategy;
