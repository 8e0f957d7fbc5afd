import { daysHeld, foreign, held, peace, roomy, somewhere } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Sniper of rents',
  way: 'comes where a holder pays a dear rent and will soon leave, and never pays a rent that has grown',
  hours: [0],
  decide: (view) => {
    const dear = foreign(view).filter(({ occupants }) => occupants.some(({ days_held }) => days_held >= 3));
    const fresh = held(view).filter((place) => daysHeld(view, place) === 0);
    const goal = dear.find((place) => roomy(view).includes(place)) ?? dear[0] ?? fresh[0];
    return { moves: [peace(goal?.slot ?? somewhere(view, 'goal', roomy(view)))] };
  },
} satisfies Strategy;
