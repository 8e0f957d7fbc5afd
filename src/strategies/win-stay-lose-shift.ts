import { held, peace, roomy, somewhere, war } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Gardener',
  way: 'repeats the moves that brought it a seat, and goes elsewhere after a night without one',
  hours: [10],
  decide: (view) => {
    const last = view.me.nights.filter(({ day }) => day === view.nights[0]?.day);
    const won = last.filter(({ slot }) => held(view).some((place) => place.slot === slot));
    if (won.length > 0) return { moves: won.map(({ slot, move }) => (move === 'WAR' ? war(view, slot) : peace(slot))) };
    const lost = last.map(({ slot }) => slot);
    return {
      moves: [
        peace(
          somewhere(
            view,
            'elsewhere',
            roomy(view).filter(({ slot }) => !lost.includes(slot)),
          ),
        ),
      ],
    };
  },
} satisfies Strategy;
