// What an action is, and what is known of each kind of them. A family has those of one subject.
import type { Random } from '../support/random.ts';
import { barredByToken, secretOf } from './identity.ts';
import { type Answer, Contradiction, type Model, type Moment, type Published } from './model.ts';
import type { State } from './states.ts';
import type { Call, World } from './world.ts';

/** One thing that is done in a world, as data. */
export interface Action {
  readonly do: string;
  readonly [argument: string]: unknown;
}

interface Kind {
  readonly odds: number;
  /** Without it there is nobody for others to name, or nothing to pay with: a world that is made small keeps it. */
  readonly needed?: true;
  /** What comes of it is not the same each time: nothing of it is drawn in a world without faults. */
  readonly fault?: true;
}

/** One call, which can also be made in a race. */
export interface CallKind<A> extends Kind {
  /** What is reached where a bell rang beside it. */
  readonly beside?: State;
  /** Null where nobody is there for it. */
  draw(world: World, random: Random): A | null;
  /** Null where whom it names is not there: a world that is played in part has fewer. */
  call(world: World, action: A): Call | null;
  /** Keeps the ids that an answer gives, before anything is learned of it. `beside`: what it was raced with. */
  hear?(world: World, action: A, answer: Answer, beside: readonly Action[]): Promise<void>;
  /** Throws a Contradiction for an answer that the model does not allow. Gives the night that it published. */
  learn(model: Model, moment: Moment, action: A, answer: Answer): Published | undefined;
}

/** Several calls, which are made alone. */
export interface StepKind<A> extends Kind {
  draw(world: World, random: Random): A | null;
  step(world: World, action: A): Promise<unknown>;
}

export interface Family {
  readonly calls?: Readonly<Record<string, CallKind<object>>>;
  readonly steps?: Readonly<Record<string, StepKind<object>>>;
  /** What has to hold of its subject after each action. */
  check?(world: World): Promise<void>;
}

export interface OfAgent {
  readonly agent: string;
}
export interface OfMember {
  readonly member: string;
}

/** Who is cut or has left, or whose token has ended, is named now and then, too. */
export const someAgent = ({ model, now }: World, random: Random) => {
  const names = Object.keys(model.agents);
  const living = names.filter((name) => !barredByToken(model, name, now).INVALID_TOKEN);
  return pick(random, random.chance(0.05) ? names : living);
};
/** One that no other of its kind is likely to have. */
export const newName = (kind: string, random: Random) => `${kind}-${1_000_000 + random.below(9_000_000)}`;
export const someMember = ({ model: { members } }: World, random: Random) => {
  const names = Object.keys(members);
  const living = names.filter((name) => !members[name]?.closed);
  return pick(random, random.chance(0.05) ? names : living);
};
const pick = <T>(random: Random, from: readonly T[]): T | null => (from.length > 0 ? random.pick(from) : null);
export const keysOf = ({ agents, model }: World, name: string) => {
  const [keys, token] = [agents.get(name), model.agents[name]?.token];
  return keys && token !== undefined ? { ...keys, token: secretOf(token) } : keys;
};

export const unexpected = (about: string, answer: Answer): never => {
  throw new Contradiction(`${about}: ${JSON.stringify(answer)}`);
};
/** Refused for one of these reasons, or not at all. */
export const refusedFor = (answer: Answer, about: string, reasons: Readonly<Record<string, boolean>>): boolean => {
  const holds = Object.keys(reasons).filter((code) => reasons[code]);
  if (!('refused' in answer)) return holds.length > 0 ? unexpected(`${about}, although ${holds}`, answer) : false;
  return holds.includes(answer.refused) ? true : unexpected(`${about}, but ${holds}`, answer);
};
