import { attackers, strikeBack } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Grudger',
  way: 'plays PEACE, and goes to war on whoever went to war on it, for two weeks',
  hours: [12],
  decide: (view) =>
    strikeBack(
      view,
      view.nights.flatMap((night) => attackers(view, night)),
    ),
} satisfies Strategy;
