// demo/strategies/liar.ts · announces PEACE, and often plays WAR.
import type { Strategy, View } from '../strategy.ts';

const victim = (view: View): number => view.pick(view.foreign().slice(0, 5), 'victim');

export const liar: Strategy = {
  title: 'Liar',
  way: 'announces PEACE where others sit, and about every second day plays WAR',
  hour: 20,
  announce: (view) => [{ slot: victim(view), intention: 'PEACE', message: 'I come in peace.' }],
  play: (view) =>
    view.chance('lie') < 0.5
      ? [{ slot: victim(view), move: 'WAR', stake_cents: 800 + 50 * Math.floor(view.chance('stake') * 5) }]
      : [{ slot: victim(view), move: 'PEACE' }],
};
