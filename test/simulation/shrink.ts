// Makes a world in which something does not hold as small as it gets.
import { calls, steps } from './families/index.ts';
import type { Action } from './family.ts';
import { atOnce, lanes, type Played, play } from './simulate.ts';

type World = readonly Action[];
type Piece = ReadonlySet<Action>;

const without = (world: World, piece: Piece): World => world.filter((action) => !piece.has(action));

/**
 * The fewest actions with which something still does not hold. It is looked for in the answers and at the end, not
 * after each action, which takes the most time. Where something was contradicted, an error that nobody thought of is
 * another failure: without what came before, an action may have nothing to act on.
 */
export async function shrink({ actions, broke }: Played, longestMs: number): Promise<World> {
  const until = performance.now() + longestMs;
  let best = actions;
  /** Which of some worlds still fail: the first of them is the best then. */
  const failing = async (candidates: readonly World[]): Promise<number[]> => {
    const played = await Promise.all(candidates.map((candidate) => play(candidate, 'last')));
    const all = played.flatMap((one, n) => (one.failed !== undefined && one.broke === broke ? [n] : []));
    best = played[all[0] ?? -1]?.actions ?? best;
    return all;
  };
  const better = async (candidates: Iterable<World>): Promise<boolean> => {
    for (const some of atOnce(candidates)) {
      if (performance.now() > until) return false;
      if ((await failing(some)).length > 0) return true;
    }
    return false;
  };
  const leaveOut = async (pieces: Iterable<Piece>): Promise<void> => {
    for (let left = [...pieces]; performance.now() < until; ) {
      left = left.filter((piece) => best.some((action) => piece.has(action)));
      if (left.length === 0) return;
      const tried = left.slice(0, lanes);
      const found = await failing(tried.map((piece) => without(best, piece)));
      // each of them alone, so as a rule all of them
      if (found.length > 1) await failing([found.reduce((rest, n) => without(rest, tried[n] as Piece), best)]);
      left = left.slice(lanes);
    }
  };

  await better(slices(best));
  await better(ends(best));
  await leaveOut(alike(best));
  await better([nightsFor(best)]);
  for (let size = Math.ceil(best.length / 2); size > 1; size = Math.ceil(size / 2)) await leaveOut(ofSize(best, size));
  // one by one until none can be left out: another may have needed the last
  for (let before = ''; before !== JSON.stringify(best); ) {
    before = JSON.stringify(best);
    await leaveOut(ofSize(best, 1));
    await better([withCreditsFromTheStart(best)]);
    for (const rewritten of [asOneAction, withoutRaces, withOneAgentEach, withShorterLists])
      while (await better(rewritten(best)));
  }
  return best;
}

/** The last actions, few first, after what made those whom they name: a short world is soon played. */
function* ends(world: World): Generator<World> {
  const needed = ({ do: name }: Action) => (steps[name] ?? calls[name])?.needed ?? false;
  for (let last = 16; last < world.length; last *= 2)
    yield [...world.slice(0, -last).filter(needed), ...world.slice(-last)];
}

/** The plain game, which is what most needs, and what those do who are named in the last action: the fewest first. */
function* slices(world: World): Generator<World> {
  const named = (action: Action | undefined) =>
    ['agent', 'member', 'client', 'session', 'cup'].map((key) => action?.[key]);
  const last = world.at(-1);
  const names = named(last);
  const isOfGame = ({ do: name }: Action) => ['join', 'deposit', 'batch'].includes(name) || nightly.has(name);
  const isTheirs = (action: Action) => named(action).every((name) => name === undefined || names.includes(name));
  for (const kept of [
    (action: Action) => isOfGame(action) && isTheirs(action),
    isOfGame,
    isTheirs,
    (action: Action) => isOfGame(action) || isTheirs(action),
  ])
    yield world.filter((action) => action === last || kept(action));
}

function* ofSize(world: World, size: number): Generator<Piece> {
  for (let from = 0; from < world.length; from += size) yield new Set(world.slice(from, from + size));
}

/** All of one kind, and all that name one agent, member, place or other thing: the most first. */
function alike(world: World): Piece[] {
  const keys = new Set(world.flatMap((action) => Object.keys(action)));
  return [...keys]
    .flatMap((key) => [...Map.groupBy(world, (action) => action[key])])
    .filter(([value, piece]) => value !== undefined && piece.length > 1)
    .map(([, piece]) => new Set(piece))
    .sort((one, other) => other.size - one.size);
}

const nightly = new Set(['pass', 'worker', 'workers', 'night']);
const night: Action = { do: 'night' };

/** A night for what passes the time and works, wherever two such actions stand beside each other. */
const nightsFor = (world: World): World =>
  world.flatMap((action, i) => {
    if (!nightly.has(action.do)) return [action];
    if (nightly.has(world[i - 1]?.do ?? '')) return [];
    return [nightly.has(world[i + 1]?.do ?? '') ? night : action];
  });

/** Who joins has so much, and so wide a mandate, that nothing has to be added. */
const withCreditsFromTheStart = (world: World): World =>
  world.flatMap((action) => {
    if (['topUp', 'grant', 'mandate'].includes(action.do)) return [];
    if (action.do !== 'join') return [action];
    const limits = { dailyCap: 6_000, maxStake: 1_500 };
    return [{ do: 'join', who: listOf(action.who).map((one) => ({ ...one, paid: 50_000, limits })) }];
  });

/**
 * One for two: what passes the time and works is a night, a night is several, a join is that of all, deposits are a
 * batch, also where something else was done between them.
 */
function* asOneAction(world: World): Generator<World> {
  for (const [i, action] of world.entries()) {
    const next = world[i + 1];
    if (action.do === 'night' && next?.do === 'night')
      yield world.toSpliced(i, 2, { do: 'night', times: timesOf(action) + timesOf(next) });
    else if (nightly.has(action.do) && nightly.has(next?.do ?? '')) yield world.toSpliced(i, 2, night);
    const join = world.findIndex(({ do: name }, n) => n > i && name === 'join');
    if (action.do === 'join' && join > 0)
      yield world.toSpliced(join, 1).with(i, { do: 'join', who: [...listOf(action.who), ...listOf(world[join]?.who)] });
    const deposits = depositsOf(action);
    const other = world.findIndex((each, n) => n > i && depositsOf(each) !== null);
    if (!deposits || other < 0) continue;
    const together = { do: 'batch', deposits: [...deposits, ...(depositsOf(world[other]) ?? [])] };
    yield world.toSpliced(other, 1).with(i, together);
    if (other > i + 1) yield world.with(other, together).toSpliced(i, 1);
  }
}

/** The calls of a race one after the other. */
function* withoutRaces(world: World): Generator<World> {
  for (const [i, { do: name, runners }] of world.entries())
    if (name === 'race')
      yield world.toSpliced(i, 1, ...listOf(runners).map(({ action }: { action?: Action }) => action as Action));
}

/** Somebody's first agent does what the second did. */
function* withOneAgentEach(world: World): Generator<World> {
  for (const second of world.filter(({ do: name }) => name === 'second')) {
    const others = world.filter((action) => action !== second);
    yield JSON.parse(JSON.stringify(others).replaceAll(`"${second.name}"`, `"${second.member}"`));
  }
}

const timesOf = ({ times }: Action) => (times as number | undefined) ?? 1;
const listOf = (value: unknown) => value as readonly object[];
function depositsOf(action: Action | undefined): readonly object[] | null {
  if (action?.do === 'batch') return listOf(action.deposits);
  if (action?.do !== 'deposit') return null;
  const { do: _, ...deposit } = action;
  return [deposit];
}

/** Each list in the arguments of an action, without one of its elements. */
function* withShorterLists(world: World): Generator<World> {
  for (const [i, action] of world.entries())
    for (const [name, list] of Object.entries(action)) {
      if (!Array.isArray(list) || list.length < 2 || name === 'order') continue;
      for (const n of list.keys()) {
        const shorter = { ...action, [name]: list.toSpliced(n, 1) };
        yield world.with(i, name === 'runners' ? { ...shorter, order: withoutTurnsOf(n, action.order) } : shorter);
      }
    }
}

const withoutTurnsOf = (runner: number, order: unknown) =>
  (order as readonly number[]).filter((n) => n !== runner).map((n) => (n > runner ? n - 1 : n));
