import { rule } from '../db/rules.ts';
import { holds, open, peace, war } from './places.ts';
import type { Strategy } from './strategy.ts';

/** What a point is worth to it. */
const pointCents = 100;
const seats = rule('seats_per_place');

export default {
  title: 'Reckoner',
  way: 'plays what would have brought most last night, if all others do the same again',
  hours: [17],
  decide: (view) => {
    const offers = open(view).flatMap((place) => {
      const { slot, points, peace_cents } = place;
      const others = (view.nights[0]?.moves ?? []).filter((m) => m.slot === slot && m.account !== view.me.account);
      const wars = others.filter(({ move }) => move === 'WAR').length;
      const sitting = others.length - wars;
      const alone = { move: war(view, slot), worth: wars === 0 ? points * pointCents - view.war_minimum_cents : 0 };
      const seat = wars !== 1 && (sitting < seats || holds(view, place));
      const share = seat ? points / Math.min(seats, sitting + 1) : 0;
      return [{ move: peace(slot), worth: share * pointCents - (peace_cents ?? 0) }, alone];
    });
    const best = offers.sort((a, b) => b.worth - a.worth).slice(0, 1);
    return { moves: best.filter(({ worth }) => worth > 0).map(({ move }) => move) };
  },
} satisfies Strategy;
