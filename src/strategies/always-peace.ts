import { home, peace } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Dove',
  way: 'always plays PEACE: where it sits, or where a seat is free',
  hours: [8],
  decide: (view) => ({ moves: [peace(home(view))] }),
} satisfies Strategy;
