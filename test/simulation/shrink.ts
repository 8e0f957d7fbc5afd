// Makes a world in which something does not hold as small as it gets.
import type { Action } from './actions.ts';
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
  const better = async (candidates: (world: World) => Iterable<World>): Promise<boolean> => {
    for (const candidate of candidates(best)) {
      if (performance.now() > until) return false;
      const played = await play(candidate, 'last');
      if (!played.failed) continue;
      best = played.actions;
      return true;
    }
    return false;
  };
  await leaveOut(() => best, better);
  // what one action does instead of several may make others needless
  while ((await better(asOneAction)) || (await better(withShorterLists)))
    if (best.length > 1) await leaveOut(() => best, better);
  return best;
}

/** Pieces, by halves, and in the end one by one until none can be left out: another may have needed the last. */
async function leaveOut(
  best: () => World,
  better: (candidates: (world: World) => Iterable<World>) => Promise<boolean>,
): Promise<void> {
  for (let size = Math.ceil(best().length / 2); ; size = Math.ceil(size / 2)) {
    let found = false;
    for (let from = 0; from < best().length; )
      if (await better((world) => [world.toSpliced(from, size)])) found = true;
      else from += size;
    if (size === 1 && !found) return;
  }
}

const nightly = new Set(['pass', 'worker', 'night']);

/** A night for what passes the time and works, and one join or batch for two that stand beside each other. */
function* asOneAction(world: World): Generator<World> {
  for (const [i, { do: name, ...first }] of world.entries()) {
    let till = i;
    while (nightly.has(world[till]?.do ?? '')) till += 1;
    if (till > i + 1) yield world.toSpliced(i, till - i, { do: 'night' });
    const next = world.findIndex((other, n) => n > i && other.do === name);
    const { who } = first as { who?: readonly object[] };
    if (name === 'join' && next > 0)
      yield world
        .toSpliced(next, 1)
        .with(i, { do: name, who: [...(who ?? []), ...((world[next] as { who?: [] }).who ?? [])] });
  }
  yield* batches(world);
}

const depositsOf = (action: Action | undefined): readonly object[] | null => {
  if (action?.do === 'batch') return action.deposits as readonly object[];
  if (action?.do !== 'deposit') return null;
  const { do: _, ...deposit } = action;
  return [deposit];
};

function* batches(world: World): Generator<World> {
  for (const [i, action] of world.entries()) {
    const [one, other] = [depositsOf(action), depositsOf(world[i + 1])];
    if (one && other) yield world.toSpliced(i, 2, { do: 'batch', deposits: [...one, ...other] });
  }
}

/** Each list in the arguments of an action, without one of its elements. */
function* withShorterLists(world: World): Generator<World> {
  for (const [i, action] of world.entries())
    for (const [name, list] of Object.entries(action))
      if (Array.isArray(list) && list.length > 1 && action.do !== 'race')
        for (const n of list.keys()) yield world.with(i, { ...action, [name]: list.toSpliced(n, 1) });
}
