// demo/strategies/diplomat.ts · announces PEACE, and plays it.
import type { Strategy, View } from '../strategy.ts';

const goal = (view: View): number => view.held()[0]?.slot ?? view.pick(view.roomy(), 'goal');

export const diplomat: Strategy = {
  title: 'Diplomat',
  way: 'announces PEACE on a place, and keeps its word',
  hour: 9,
  announce: (view) => [{ slot: goal(view), intention: 'PEACE', message: 'Let us share this place.' }],
  play: (view) => [{ slot: goal(view), move: 'PEACE', message: 'As announced.' }],
};
