import { daysHeld, foreign, held, peace, somewhere, war } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Raider',
  way: 'goes to war on the best place that others hold, then keeps it while it is cheap',
  hours: [14],
  decide: (view) => {
    const [prize] = held(view);
    if (prize && daysHeld(view, prize) < 2) return { moves: [{ ...peace(prize.slot), message: 'Mine now.' }] };
    // two raiders on one place burn both stakes, so they do not all choose the very best
    const slot = somewhere(view, 'prize', foreign(view).slice(0, 4));
    return { moves: [{ ...war(view, slot), message: 'Make room.' }] };
  },
} satisfies Strategy;
