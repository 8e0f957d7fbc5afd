import { peace, war } from './places.ts';
import type { Strategy, View } from './strategy.ts';

const sign = 'One for all.';

/** Who has given the sign today or last night, in an order that all of them know. */
const membersOf = ({ announcements, nights, me }: View): string[] => {
  const said = [...announcements, ...(nights[0]?.announcements ?? [])].filter(({ message }) => message === sign);
  return [...new Set([...said.map(({ account }) => account), me.account])].sort();
};

export default {
  title: 'Cartel',
  way: 'holds the five best places with four others who give its sign, takes turns, and goes to war on outsiders',
  hours: [3, 13],
  decide: (view) => {
    const members = membersOf(view);
    const turn = members.indexOf(view.me.account);
    // its first day, or one member too many: it asks to be let in
    const slot = turn < 0 || turn >= 5 ? 5 : 1 + ((turn + view.day) % 5);
    if (view.hour === 3) return { announcements: [{ slot, intention: 'PEACE', message: sign }] };
    const occupants = view.places.find((place) => place.slot === slot)?.occupants ?? [];
    const outsiders = occupants.filter(({ account, house }) => !house && !members.includes(account));
    return { moves: [outsiders.length > 0 && turn >= 0 ? war(view, slot) : peace(slot)] };
  },
} satisfies Strategy;
