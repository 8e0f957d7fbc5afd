// demo/strategies/ghost.ts · announces PEACE, and often does not come.
import type { Strategy, View } from '../strategy.ts';

const goal = (view: View): number => view.pick(view.roomy(), 'goal');
const stays = (view: View): boolean => view.chance('stay') < 0.5;

export const ghost: Strategy = {
  title: 'Ghost',
  way: 'announces PEACE, and about every second day plays nothing',
  hour: 21,
  announce: (view) => [{ slot: goal(view), intention: 'PEACE' }],
  play: (view) => (stays(view) ? [] : [{ slot: goal(view), move: 'PEACE' }]),
};
