import { peace, roomy, somewhere, war } from './places.ts';
import type { Strategy } from './strategy.ts';

export default {
  title: 'Copycat',
  way: 'does what the leader of the board did last night',
  hours: [11],
  decide: (view) => {
    const leader = view.leaders.find(({ account }) => account !== view.me.account);
    const seen = view.nights[0]?.moves.find(({ account }) => account === leader?.account);
    if (!seen) return { moves: [peace(somewhere(view, 'slot', roomy(view)))] };
    return { moves: [seen.move === 'WAR' ? war(view, seen.slot) : peace(seen.slot)] };
  },
} satisfies Strategy;
