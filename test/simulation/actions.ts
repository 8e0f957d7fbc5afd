// What an action is, and what is known of each kind of them.
import type { Random } from '../support/random.ts';
import type { Answer, Model, Moment, Published } from './model.ts';
import type { Call, World } from './world.ts';

/** One thing that is done in a world, as data. */
export interface Action {
  readonly do: string;
  readonly [argument: string]: unknown;
}

/** One call, which can also be made in a race. */
export interface CallKind<A> {
  readonly odds: number;
  /** Null where nobody is there for it. */
  draw(world: World, random: Random): A | null;
  /** Null where whom it names is not there: a world that is played in part has fewer. */
  call(world: World, action: A): Call | null;
  /** Throws a Contradiction for an answer that the model does not allow. Gives the night that it published. */
  learn(model: Model, moment: Moment, action: A, answer: Answer): Published | undefined;
}

/** Several calls, which are made alone. */
export interface StepKind<A> {
  readonly odds: number;
  draw(world: World, random: Random): A | null;
  step(world: World, action: A): Promise<unknown>;
}

/** Who is cut or has left is named now and then, too. */
export const someAgent = ({ model: { agents } }: World, random: Random) => {
  const names = Object.keys(agents);
  const living = names.filter((name) => !agents[name]?.cut);
  return pick(random, random.chance(0.05) ? names : living);
};
export const someMember = ({ model: { members } }: World, random: Random) => {
  const names = Object.keys(members);
  const living = names.filter((name) => !members[name]?.closed);
  return pick(random, random.chance(0.05) ? names : living);
};
const pick = <T>(random: Random, from: readonly T[]): T | null => (from.length > 0 ? random.pick(from) : null);
export const keysOf = (world: World, name: string) => world.agents.get(name);
