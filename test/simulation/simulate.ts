// Plays a world: draws its actions from a seed, or takes those that are given, and checks everything after each.
import { type Random, randomFrom } from '../support/random.ts';
import { compareNight, tookPlace } from './compare.ts';
import { calls, check, steps } from './families/index.ts';
import { stayYoung } from './families/people.ts';
import type { Action, CallKind, StepKind } from './family.ts';
import { checkLog, notePromise } from './log.ts';
import { type Answer, Contradiction, type Deposit } from './model.ts';
import { doRace, drawRace, type RaceAction } from './race.ts';
import type { State } from './states.ts';
import { aTemper, aWorld, callAlone, count, momentIn, plain, setNow, type World } from './world.ts';

/** How a world is drawn. Without faults nobody is killed and nothing is deployed. */
export interface Seed {
  readonly seed: number;
  readonly nights: number;
  readonly faults: boolean;
}

export interface Played {
  readonly actions: readonly Action[];
  /** Each action with its answer, without what is drawn at random: two runs of a world have the same. */
  readonly trace: readonly string[];
  readonly tried: ReadonlyMap<string, number>;
  /** See states.ts. */
  readonly reached: ReadonlySet<State>;
  readonly nights: number;
  /** What did not hold, after the last of the actions. */
  readonly failed?: string;
  /** It is no contradiction, but an error that nobody thought of. */
  readonly broke?: boolean;
}

/** How many worlds are played at once: each waits half of its time. */
export const lanes = 4;

export function* atOnce<T>(all: Iterable<T>): Generator<T[]> {
  let some: T[] = [];
  for (const one of all) {
    some.push(one);
    if (some.length < lanes) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

type Kind = CallKind<Action> | StepKind<Action>;
const faultless = Object.fromEntries(Object.entries({ ...steps, ...calls }).filter(([, { fault }]) => !fault));

function drawOne(world: World, random: Random, kinds: object): Action {
  const all = Object.entries(kinds as Record<string, Kind>);
  const oddsOf = ([name, kind]: [string, Kind]) => kind.odds * world.temper.odds(name);
  const odds = all.reduce((sum, one) => sum + oddsOf(one), 0);
  for (;;) {
    let roll = (random.below(1_000_000) / 1_000_000) * odds;
    const [name, kind] = all.find((one) => {
      roll -= oddsOf(one);
      return roll < 0;
    }) as [string, Kind];
    const drawn = kind.draw(world, random);
    if (drawn) return { ...drawn, do: name };
  }
}

/** A night takes some 25 actions. Where much else is done, midnight comes all the same. */
const [long, tooLong] = [120, 600];

function draw(world: World, random: Random, faults: boolean, since: number): Action {
  const { today } = momentIn(world);
  const due = today > world.model.lastNight + 1;
  if (since > long && !due) return { do: 'pass', from: 'bell', ms: 0 };
  if (due && world.agents.size > 0 && random.chance(0.12))
    return drawRace(world, random, (kinds) => drawOne(world, random, kinds), faults);
  if (due && faults && random.chance(0.15)) return { ...steps.workers?.draw(world, random), do: 'workers' };
  if (due && random.chance(0.6)) return { ...steps.worker?.draw(world, random), do: 'worker' };
  if (world.agents.size > 0 && random.chance(0.1))
    return drawRace(world, random, (kinds) => drawOne(world, random, kinds), faults);
  return drawOne(world, random, faults ? { ...steps, ...calls } : faultless);
}

async function act(world: World, action: Action): Promise<unknown> {
  // each at an instant of its own, so that nothing is ordered by chance
  await setNow(world, world.now + 1);
  await stayYoung(world);
  count(world, action.do);
  if (action.do === 'race') return doRace(world, action as RaceAction, note);
  const step = steps[action.do];
  if (step) return step.step(world, action);
  const kind = calls[action.do] as CallKind<Action>;
  const call = kind.call(world, action);
  if (!call) return 'nobody';
  const answer = await callAlone(world, call);
  await kind.hear?.(world, action, answer, []);
  await tookPlace(world, kind.learn(world.model, momentIn(world), action, answer));
  note(world, action, answer);
  return answer;
}

/** What a receipt promises, and the rare states of calls that are made alone. */
function note(world: World, action: Action, answer: Answer): void {
  const { log, reached, model } = world;
  if ('refused' in answer) count(world, `${action.do}: ${answer.refused}`);
  const batch = (action.deposits ?? [action]) as readonly Deposit[];
  const answers = ('result' in answer && action.do === 'batch' ? answer.result : [answer]) as readonly object[];
  for (const one of answers) notePromise(log, 'result' in one ? one : { result: one });
  if ('refused' in answer && answer.refused === 'DAY_PASSED') reached.add('a deposit for a day that was over');
  if (action.do === 'deposit') noteToken(world, action as unknown as Deposit, answer);
  const refused = answers.filter((one) => 'refused' in one).length;
  const cut = batch.filter(({ agent }) => model.agents[agent]?.cut).length;
  if (action.do === 'batch' && cut > 0 && refused > cut)
    reached.add('a batch of which one was refused and one was of an agent that is cut');
}

function noteToken({ model, reached }: World, { agent }: Deposit, answer: Answer): void {
  const { cut = true, token } = model.agents[agent] ?? {};
  if (cut || token === undefined || token === 'none') return;
  if (!('refused' in answer)) reached.add('a deposit with a token of 15 minutes');
  else if (answer.refused === 'INVALID_TOKEN') reached.add('a deposit with a token that had ended');
}

/**
 * A world from a seed until so many nights are published, or the one that the actions make. `checks`: after each
 * action, or after the last one alone, which takes a third of the time. `signal`: the world ends early.
 */
export async function play(
  from: Seed | readonly Action[],
  checks: 'each' | 'last' = 'each',
  signal?: AbortSignal,
): Promise<Played> {
  const random = randomFrom('seed' in from ? from.seed : 0);
  const world = await aWorld(aTemper(random));
  const actions: Action[] = [];
  let [nights, rung] = [0, 0];
  const more = () => ('seed' in from ? world.model.lastNight < from.nights : actions.length < from.length);
  const played = () => ({
    actions,
    trace: world.trace,
    tried: world.tried,
    reached: world.reached,
    nights: world.nights.size,
  });
  try {
    const once = async (action: Action) => {
      actions.push(action);
      world.trace.push(`${JSON.stringify(action)} ${plain(world, await act(world, action))}`);
    };
    while (more() && !signal?.aborted) {
      await once(
        'seed' in from ? draw(world, random, from.faults, actions.length - rung) : (from[actions.length] as Action),
      );
      if (checks === 'each' || !more()) await check(world);
      if (world.nights.size !== nights) [nights, rung] = [world.nights.size, actions.length];
      // a smaller one may have none
      if ('seed' in from && actions.length - rung > tooLong)
        throw new Contradiction(`No night was published in ${tooLong} actions`);
    }
    if ('seed' in from && from.faults) await once({ do: 'calm' });
    for (const night of world.nights.values()) await compareNight(world, night);
    await checkLog(world);
    return played();
  } catch (error) {
    // whatever else was thrown, nobody thought of: it is found, too
    const broke = !(error instanceof Contradiction);
    return { ...played(), failed: broke ? String((error as Error).stack) : error.message, broke };
  } finally {
    await world.end();
  }
}
