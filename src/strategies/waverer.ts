import { chance } from './chance.ts';
import { foreign, peace, roomy, somewhere, threatened, war } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Waverer',
  way: 'prepares WAR, passes where others have announced it, and plays PEACE elsewhere',
  hours: [19],
  decide: (view) => {
    const target = somewhere(view, 'target', foreign(view));
    const elsewhere = roomy(view).filter(({ slot }) => slot !== target);
    const speaks = chance(view, 'speak') < 0.5;
    const dares = !threatened(view, target) && chance(view, 'heart') < 0.4;
    return {
      announcements: speaks ? [{ slot: target, intention: 'PASS', message: 'Not my fight.' }] : [],
      moves: [
        war(view, target),
        ...(dares ? [] : [{ slot: target, move: 'PASS' as const }, peace(somewhere(view, 'elsewhere', elsewhere))]),
      ],
    };
  },
} satisfies Strategy;
