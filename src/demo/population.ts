// demo/population.ts · who plays in a demonstration.
import { avenger } from './strategies/avenger.ts';
import { bluffer } from './strategies/bluffer.ts';
import { copycat } from './strategies/copycat.ts';
import { diplomat } from './strategies/diplomat.ts';
import { gambler } from './strategies/gambler.ts';
import { ghost } from './strategies/ghost.ts';
import { liar } from './strategies/liar.ts';
import { opportunist } from './strategies/opportunist.ts';
import { pacifist } from './strategies/pacifist.ts';
import { raider } from './strategies/raider.ts';
import { settler } from './strategies/settler.ts';
import { tenant } from './strategies/tenant.ts';
import { waverer } from './strategies/waverer.ts';
import type { Strategy } from './strategy.ts';

export interface Part {
  readonly name: string;
  readonly strategy: Strategy;
}

const cast: readonly (readonly [Strategy, ...string[]])[] = [
  [tenant, 'Tara', 'Tom'],
  [settler, 'Sven', 'Sela', 'Sam'],
  [bluffer, 'Bea', 'Bruno'],
  [diplomat, 'Dora', 'Dan', 'Dina'],
  [pacifist, 'Pia', 'Paul'],
  [copycat, 'Cleo', 'Carl'],
  [avenger, 'Ada', 'Axel'],
  [raider, 'Rhea', 'Rolf', 'Rita'],
  [gambler, 'Gus', 'Greta', 'Gil'],
  [opportunist, 'Ora', 'Otto'],
  [waverer, 'Wim', 'Wanda'],
  [liar, 'Lea', 'Leo'],
  [ghost, 'Gero'],
];

/** In the order in which they deposit. */
export const population: readonly Part[] = cast
  .flatMap(([strategy, ...names]) => names.map((name) => ({ name: `${strategy.title} ${name}`, strategy })))
  .sort((a, b) => a.strategy.hour - b.strategy.hour);

export const strategies: readonly Strategy[] = cast.map(([strategy]) => strategy);
