import { chance } from './chance.ts';
import { peace } from './places.ts';
import type { Strategy, View } from './strategy.ts';

/** The same throws on each day. */
const forLife = ({ me }: View) => ({ me, day: 0 });

export default {
  title: 'Twin',
  way: 'changes between two places every night, as a partner does in turn, so that neither pays a rent that has grown',
  hours: [1],
  decide: (view) => {
    const first = 1 + 2 * Math.floor(chance(forLife(view), 'pair') * 3);
    const turn = chance(forLife(view), 'turn') < 0.5 ? 0 : 1;
    return { moves: [peace(first + ((view.day + turn) % 2))] };
  },
} satisfies Strategy;
