// Makes a world in which something does not hold as small as it gets.
import type { Action } from './actions.ts';
import { play } from './simulate.ts';

/**
 * The fewest of the actions with which something still does not hold: pieces are left out, by halves and in the end one
 * by one. It is looked for in the answers and at the end, not after each action, which takes the most time.
 */
export async function shrink(actions: readonly Action[], longestMs = 300_000): Promise<readonly Action[]> {
  const until = performance.now() + longestMs;
  let best = actions;
  for (let size = Math.ceil(best.length / 2); size >= 1; ) {
    const before = best.length;
    for (let from = 0; from < best.length && performance.now() < until; ) {
      const fewer = await play(best.toSpliced(from, size), 'last');
      if (fewer.failed) best = fewer.actions;
      else from += size;
    }
    // one by one until none can be left out, since the last may have been what another one needed
    if (size > 1) size = Math.ceil(size / 2);
    else if (best.length === before || performance.now() > until) size = 0;
  }
  return best;
}
