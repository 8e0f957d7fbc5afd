// Several calls at once, as one action. What the model learns of it: the answers are those of the calls one after the
// other, in some order.
import type { Random } from '../support/random.ts';
import { noteOrder, tookPlace } from './compare.ts';
import { calls, check, together } from './families/index.ts';
import type { Action } from './family.ts';
import { type Answer, Contradiction, type Model } from './model.ts';
import { type End, type Ran, race } from './scheduler.ts';
import { count, momentIn, plain, type World } from './world.ts';

export interface RaceAction extends Action {
  readonly do: 'race';
  readonly runners: readonly { readonly action: Action; readonly end: End }[];
  /** Whose turn it is; each has two: for its call, and for its end. */
  readonly order: readonly number[];
}

export function drawRace(world: World, random: Random, one: (kinds: object) => Action, faults: boolean): RaceAction {
  // of one subject now and then, so that they meet
  const kinds = random.chance(0.3) ? together : calls;
  const count = 2 + random.below(3);
  const runners = Array.from({ length: count }, () => ({
    action: one(kinds),
    end: (faults && random.chance(0.15) ? 'killed' : 'commit') as End,
  }));
  // two of a kind often want the same thing
  const [first, second] = runners as [(typeof runners)[0], (typeof runners)[0]];
  const alike = random.chance(0.25) ? calls[first.action.do]?.draw(world, random) : null;
  if (alike) second.action = { ...alike, do: first.action.do };
  if (momentIn(world).today > world.model.lastNight + 1)
    runners[0] = { action: { do: 'bell' }, end: runners[0]?.end ?? 'commit' };
  const order = random.shuffle(runners.flatMap((_, i) => [i, i]));
  return { do: 'race', runners, order };
}

/**
 * What the model learns of a race: the answers are those of the calls one after the other, in some order. Whose session
 * was killed has done nothing.
 */
export async function doRace(
  world: World,
  { runners, order }: RaceAction,
  note: (world: World, action: Action, answer: Answer) => void,
): Promise<unknown> {
  const there = runners.flatMap(({ action, end }, i) => {
    const call = calls[action.do]?.call(world, action);
    return call ? [{ action, end, call, i }] : [];
  });
  const numbers = new Map(there.map(({ i }, n) => [i, n]));
  if (there.some(({ action }) => action.do === 'bell')) await noteOrder(world);
  const { ran, waits } = await race(
    world,
    there,
    order.flatMap((i) => numbers.get(i) ?? []),
  );
  const done = there.flatMap(({ action }, n) => {
    const answer = ran[n]?.answer;
    return answer ? [{ action, answer }] : [];
  });
  for (const { action, answer } of done)
    await calls[action.do]?.hear?.(
      world,
      action,
      answer,
      done.flatMap((other) => (other.action === action ? [] : [other.action])),
    );
  const moment = { ...momentIn(world), racing: true } as const;
  const before = world.model;
  const failures: string[] = [];
  for (const sequence of permutations(done)) {
    const model: Model = structuredClone(before);
    try {
      const published = sequence.map(({ action, answer }) => calls[action.do]?.learn(model, moment, action, answer));
      world.model = model;
      await check(world);
      for (const night of published) await tookPlace(world, night);
      noteRace(world, there, ran, waits);
      for (const { action, answer } of done) note(world, action, answer);
      return { answers: ran.map(({ answer }) => answer), waits };
    } catch (error) {
      if (!(error instanceof Contradiction)) throw error;
      failures.push(error.message);
    }
  }
  world.model = before;
  throw new Contradiction(
    `No order of the calls explains the answers ${plain(world, ran)} (${waits.join('; ')}):\n${[...new Set(failures)].join('\n')}`,
  );
}

function noteRace(
  world: World,
  there: readonly { action: Action; end: End }[],
  ran: readonly Ran[],
  waits: readonly string[],
): void {
  const { reached } = world;
  if (waits.length > 0) reached.add('a call that waited for another');
  for (const { action, end } of there) {
    if (end === 'killed' && action.do === 'bell') reached.add('a bell that was killed');
    if (end === 'killed' && action.do === 'deposit') reached.add('a deposit that was killed');
  }
  for (const { action, end } of there) count(world, `${action.do} in a race${end === 'killed' ? ', killed' : ''}`);
  const answered = there.filter((_, i) => ran[i]?.answer);
  const rang = there.some(({ action }, i) => {
    const answer = ran[i]?.answer;
    return action.do === 'bell' && answer && 'result' in answer && answer.result !== null;
  });
  for (const { action } of rang ? answered : []) {
    const state = calls[action.do]?.beside;
    if (state) reached.add(state);
  }
}

function* permutations<T>(list: readonly T[]): Generator<T[]> {
  if (list.length === 0) yield [];
  for (const [i, one] of list.entries()) for (const rest of permutations(list.toSpliced(i, 1))) yield [one, ...rest];
}
