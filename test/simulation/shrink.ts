// Makes a world in which something does not hold as small as it gets.
import { calls, steps } from './families/index.ts';
import type { Action } from './family.ts';
import { play } from './simulate.ts';

type World = readonly Action[];

/**
 * The fewest actions with which something still does not hold. It is looked for in the answers and at the end, not
 * after each action, which takes the most time.
 */
export async function shrink(actions: World, longestMs = 300_000): Promise<World> {
  const until = performance.now() + longestMs;
  let best = actions;
  /** The first of the worlds that still fails, if there is one. */
  const better = async (candidates: Iterable<World>): Promise<boolean> => {
    for (const candidate of candidates) {
      if (performance.now() > until) return false;
      const played = await play(candidate, 'last');
      if (!played.failed) continue;
      best = played.actions;
      return true;
    }
    return false;
  };
  const leaveOut = async (pieces: Iterable<ReadonlySet<Action>>): Promise<void> => {
    for (const piece of pieces) {
      const fewer = best.filter((action) => !piece.has(action));
      if (fewer.length < best.length) await better([fewer]);
    }
  };

  await better(ends(best));
  await leaveOut(alike(best));
  await better([nightsFor(best)]);
  for (let size = best.length; size > 1; size = Math.ceil(size / 2)) await leaveOut(ofSize(best, size));
  // one by one until none can be left out: another may have needed the last
  for (let before = -1; before !== best.length; ) {
    before = best.length;
    await leaveOut(ofSize(best, 1));
    while ((await better(asOneAction(best))) || (await better(withShorterLists(best))));
  }
  return best;
}

/** The last actions, few first, after what made those whom they name: a short world is soon played. */
function* ends(world: World): Generator<World> {
  const needed = ({ do: name }: Action) => (steps[name] ?? calls[name])?.needed ?? false;
  for (let last = 16; last < world.length; last *= 2)
    yield [...world.slice(0, -last).filter(needed), ...world.slice(-last)];
}

function* ofSize(world: World, size: number): Generator<ReadonlySet<Action>> {
  for (let from = 0; from < world.length; from += size) yield new Set(world.slice(from, from + size));
}

/** All of one kind, and all that name one agent, member, place or other thing. */
function* alike(world: World): Generator<ReadonlySet<Action>> {
  for (const key of new Set(world.flatMap((action) => Object.keys(action)))) {
    const pieces = Map.groupBy(world, (action) => action[key]);
    pieces.delete(undefined);
    for (const piece of pieces.values()) if (piece.length > 1) yield new Set(piece);
  }
}

const nightly = new Set(['pass', 'worker', 'night']);
const night: Action = { do: 'night' };

/** A night for what passes the time and works, wherever two such actions stand beside each other. */
const nightsFor = (world: World): World =>
  world.flatMap((action, i) => {
    if (!nightly.has(action.do)) return [action];
    if (nightly.has(world[i - 1]?.do ?? '')) return [];
    return [nightly.has(world[i + 1]?.do ?? '') ? night : action];
  });

/** One for two of a kind: a night for what passes the time and works, one join of several, one batch of deposits. */
function* asOneAction(world: World): Generator<World> {
  for (const [i, action] of world.entries()) {
    const [next, there] = [world[i + 1], (name: string) => nightly.has(name)];
    if (there(action.do) && there(next?.do ?? '')) yield world.toSpliced(i, 2, night);
    const other = world.findIndex(({ do: name }, n) => n > i && name === 'join');
    if (action.do === 'join' && other > 0)
      yield world
        .toSpliced(other, 1)
        .with(i, { do: 'join', who: [...listOf(action.who), ...listOf(world[other]?.who)] });
    const [one, two] = [depositsOf(action), depositsOf(next)];
    if (one && two) yield world.toSpliced(i, 2, { do: 'batch', deposits: [...one, ...two] });
  }
}

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
    for (const [name, list] of Object.entries(action))
      if (Array.isArray(list) && list.length > 1 && action.do !== 'race')
        for (const n of list.keys()) yield world.with(i, { ...action, [name]: list.toSpliced(n, 1) });
}
