import { attackers, strikeBack } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Avenger',
  way: 'plays PEACE, and answers a WAR of last night with one WAR',
  hours: [12],
  decide: (view) =>
    strikeBack(
      view,
      view.nights.slice(0, 1).flatMap((night) => attackers(view, night)),
    ),
} satisfies Strategy;
