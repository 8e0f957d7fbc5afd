import { chance } from './chance.ts';
import { attackers, strikeBack } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Forgiver',
  way: 'answers a WAR of last night with WAR, and forgives every third',
  hours: [12],
  decide: (view) => {
    const enemies = view.nights.slice(0, 1).flatMap((night) => attackers(view, night));
    return strikeBack(view, chance(view, 'forgive') < 1 / 3 ? [] : enemies);
  },
} satisfies Strategy;
