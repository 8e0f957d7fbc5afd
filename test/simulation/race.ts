// Several calls at once, as one action. What the model learns of it: the answers are those of the calls one after the
// other, in some order.
import type { Random } from '../support/random.ts';
import { noteOrder, tookPlace } from './compare.ts';
import { isTool, overHttp } from './doors.ts';
import { calls, check, steps, together } from './families/index.ts';
import { type Action, someAgent } from './family.ts';
import { type Answer, Contradiction, type Model } from './model.ts';
import { type End, type Ran, race } from './scheduler.ts';
import { type Call, callAlone, count, momentIn, plain, type World } from './world.ts';

export interface RaceAction extends Action {
  readonly do: 'race';
  readonly runners: readonly { readonly action: Action; readonly end: End }[];
  /** Whose turn it is; each has two: for its call, and for its end. */
  readonly order: readonly number[];
  /** What agents call travels over HTTP, all at once, in whatever order it comes. */
  readonly overDoors?: true;
  /** The day is closed and signed before, so that its bell may ring. */
  readonly closed?: true;
}

/** What is only seen where a bell rings meanwhile. */
const besideBells = Object.fromEntries(Object.entries(calls).filter(([, { beside }]) => beside));

/** Each as often as any other, so that all of them come to that. */
function besideBell(world: World, random: Random): Action | null {
  const [name, kind] = random.pick(Object.entries(besideBells));
  const drawn = kind.draw(world, random);
  return drawn && { ...drawn, do: name };
}

/** The same from somebody else, who wants the same thing. */
const fromAnother = (action: Action, { agent, member, human }: Action): Action =>
  JSON.parse(JSON.stringify({ ...action, agent, member, human }));

export function drawRace(world: World, random: Random, one: (kinds: object) => Action, faults: boolean): RaceAction {
  const due = momentIn(world).today > world.model.lastNight + 1;
  // of one subject now and then, so that they meet
  const kinds = random.chance(0.3) ? together : calls;
  const count = 2 + random.below(3);
  const runners = Array.from({ length: count }, () => ({
    action: (due && besideBell(world, random)) || one(kinds),
    end: (faults && random.chance(0.15) ? 'killed' : 'commit') as End,
  }));
  // two of a kind often want the same thing
  const [first, second] = runners as [(typeof runners)[0], (typeof runners)[0]];
  const alike = random.chance(0.25) ? calls[first.action.do]?.draw(world, random) : null;
  // what is called by a name of its own is nobody else's
  if (alike && first.action.do in besideBells && !('name' in first.action) && random.chance(0.5))
    second.action = fromAnother(first.action, { ...alike, do: first.action.do });
  else if (alike) second.action = { ...alike, do: first.action.do };
  if (due) runners[0] = { action: { do: 'bell' }, end: runners[0]?.end ?? 'commit' };
  const closed = due && random.chance(0.8) ? ({ closed: true } as const) : {};
  const order = random.shuffle(runners.flatMap((_, i) => [i, i]));
  if (!faults || !random.chance(0.2)) return { do: 'race', runners, order, ...closed };
  return { do: 'race', runners: atTheDoors(world, random, runners), order: [], overDoors: true, ...closed };
}

/** Some of them are deposits of one account, which wait for each other in the process that they come to. */
function atTheDoors(world: World, random: Random, runners: RaceAction['runners']): RaceAction['runners'] {
  const one = someAgent(world, random);
  const of = one && world.model.agents[one]?.of;
  const agents = Object.keys(world.model.agents).filter((agent) => world.model.agents[agent]?.of === of);
  const own = random.chance(0.5) && of;
  return runners.map(({ action }) => ({
    action: own && isDeposit(action) ? { ...action, agent: random.pick(agents) } : action,
    end: 'commit',
  }));
}
const isDeposit = ({ do: name }: Action) => name === 'deposit';

/** All at once. What no agent calls is called by its own login. */
async function rush(world: World, runners: readonly { action: Action; call: Call }[]) {
  const ran = await Promise.all(
    runners.map(async ({ action, call }) => ({
      answer: isTool(action) ? await overHttp(world, action) : await callAlone(world, call),
    })),
  );
  return { ran, waits: [] as readonly string[] };
}

/**
 * What the model learns of a race: the answers are those of the calls one after the other, in some order. Whose session
 * was killed has done nothing.
 */
export async function doRace(
  world: World,
  { runners, order, overDoors, closed }: RaceAction,
  note: (world: World, action: Action, answer: Answer) => void,
): Promise<unknown> {
  if (closed) for (const step of ['close', 'sign']) await steps.worker?.step(world, { do: 'worker', step });
  const there = runners.flatMap(({ action, end }, i) => {
    const call = calls[action.do]?.call(world, action);
    return call ? [{ action, end, call, i }] : [];
  });
  const numbers = new Map(there.map(({ i }, n) => [i, n]));
  if (there.some(({ action }) => action.do === 'bell')) await noteOrder(world);
  const turns = order.flatMap((i) => numbers.get(i) ?? []);
  const { ran, waits } = await (overDoors ? rush(world, there) : race(world, there, turns));
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
      noteRace(world, there, ran, waits, overDoors ?? false);
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
  overDoors: boolean,
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
    if (overDoors && isTool(action)) reached.add('an answer over HTTP beside a bell that rang');
  }
  const accounts = there.flatMap(({ action }) =>
    isDeposit(action) ? [world.model.agents[`${action.agent}`]?.of] : [],
  );
  if (overDoors && new Set(accounts).size < accounts.length) reached.add('deposits of one account at once over HTTP');
}

function* permutations<T>(list: readonly T[]): Generator<T[]> {
  if (list.length === 0) yield [];
  for (const [i, one] of list.entries()) for (const rest of permutations(list.toSpliced(i, 1))) yield [one, ...rest];
}
