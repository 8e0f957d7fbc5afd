// demo/strategies/bluffer.ts · announces WAR, plays PEACE.
import type { Strategy, View } from '../strategy.ts';

const coveted = (view: View): number => view.held()[0]?.slot ?? view.pick([1, 2, 3], 'coveted');

export const bluffer: Strategy = {
  title: 'Bluffer',
  way: 'announces WAR on a top place to keep others off, and plays PEACE there',
  hour: 7,
  announce: (view) => [{ slot: coveted(view), intention: 'WAR', message: 'Stay away from here.' }],
  play: (view) => [{ slot: coveted(view), move: 'PEACE' }],
};
