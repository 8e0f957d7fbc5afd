// Who plays in a demonstration, and how.
import { strategies } from '../strategies/index.ts';
import type { Strategy } from '../strategies/strategy.ts';

export interface Part {
  readonly name: string;
  readonly strategy: Strategy;
}

const cast: readonly (readonly [keyof typeof strategies, ...string[]])[] = [
  ['tenant', 'Tara', 'Tom'],
  ['settler', 'Sven', 'Sela', 'Sam'],
  ['bluffer', 'Bea', 'Bruno'],
  ['diplomat', 'Dora', 'Dan', 'Dina'],
  ['queue-camper', 'Pia', 'Paul'],
  ['copycat', 'Cleo', 'Carl'],
  ['tit-for-tat', 'Ada', 'Axel'],
  ['raider', 'Rhea', 'Rolf', 'Rita'],
  ['random', 'Gus', 'Greta', 'Gil'],
  ['opportunist', 'Ora', 'Otto'],
  ['waverer', 'Wim', 'Wanda'],
  ['liar', 'Lea', 'Leo'],
  ['ghost', 'Gero'],
];

/** In the order in which they deposit. */
export const population: readonly Part[] = cast
  .flatMap(([way, ...names]) =>
    names.map((name): Part => ({ name: `${strategies[way].title} ${name}`, strategy: strategies[way] })),
  )
  .sort(({ strategy: a }, { strategy: b }) => (a.hours[0] ?? 0) - (b.hours[0] ?? 0));

/** The strategies that they play by. */
export const played: readonly Strategy[] = cast.map(([way]) => strategies[way]);
