import { foreign, somewhere, war } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Hawk',
  way: 'goes to war every night, on one of the four best places that others hold',
  hours: [14],
  // two on one place burn both stakes, so they do not all choose the very best
  decide: (view) => ({ moves: [war(view, somewhere(view, 'prize', foreign(view).slice(0, 4)))] }),
} satisfies Strategy;
