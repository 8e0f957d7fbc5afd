// Worlds from a seed, with faults, checked after every action: see README.md. `npm run simulate` plays them for as long
// as it is told to.
import fs from 'node:fs';
import { expect, test } from 'vitest';
import { seed } from '../support/random.ts';
import type { Action } from './family.ts';
import { shrink } from './shrink.ts';
import { atOnce, lanes, type Played, play } from './simulate.ts';
import { type State, states } from './states.ts';

const nights = Number(process.env.HILL_SIMULATE_NIGHTS ?? 10);
const faults = process.env.HILL_SIMULATE_FAULTS !== 'no';
/** In nights. Some things take months; most are found in many worlds rather than in long ones, and played sooner. */
const lengths = [15, 30, 15, 15, 120, 15];
/** How long the fewest actions are looked for. */
const patienceMs = 1_000 * Number(process.env.HILL_SIMULATE_PATIENCE ?? 300);
/** So many that each rare state must have been met. */
const all = 2_000;

/** How often a world that failed is played again. */
const repeats = 10;

/** What failed, with the fewest actions that fail, as a world to be kept. */
async function report(name: string, began: number, found: Played): Promise<never> {
  const { actions, failed } = found;
  console.log(`${name}: ${failed}\n${actions.length} actions; looking for the fewest`);
  const seconds = Math.round((performance.now() - began) / 1_000);
  const until = performance.now() + patienceMs / 2;
  const outcomes: boolean[] = [];
  for (const some of atOnce(Array.from({ length: repeats }, () => actions)))
    if (performance.now() < until)
      outcomes.push(
        ...(await Promise.all(some.map((one) => play(one, 'last')))).map(({ failed }) => failed !== undefined),
      );
  const { actions: fewest, failed: still, trace } = await play(await shrink(found, patienceMs));
  const all = Math.round((performance.now() - began) / 1_000);
  throw new Error(
    [
      `${fewest.length} actions, found by ${name} after ${seconds} s, fails ${outcomes.filter((failed) => failed).length} of ${outcomes.length} times, ${all} s in all: ${still ?? `${failed} (not when played again)`}`,
      ...trace,
      'As a world to be kept:',
      `[\n${fewest.map((action) => JSON.stringify(action)).join(',\n')}\n]`,
    ].join('\n'),
  );
}

const inOrder = (counts: ReadonlyMap<string, number>) =>
  [...counts].sort().map(([what, times]) => `${String(times).padStart(8)} ${what}`);

test(`${nights} nights, HILL_SEED=${seed}`, async () => {
  const began = performance.now();
  const reached = new Map<State, number>();
  const tried = new Map<string, number>();
  let [actions, begun, done, next] = [0, 0, 0, seed];
  const finds: { readonly size: number; readonly tell: () => Promise<never> }[] = [];
  const found = new AbortController();
  const lane = async () => {
    // a long run goes on after a find, so that it says how many there are in so many nights
    while (begun < nights && (nights >= all || finds.length === 0)) {
      const one = next++;
      const length = Math.min(lengths[one % lengths.length] as number, nights - begun);
      begun += length;
      const played = await play({ seed: one, nights: length, faults }, 'each', found.signal);
      begun += played.nights - length;
      if (played.failed) {
        const name = `npm run simulate -- --seed ${one} --nights ${length}`;
        console.log(`Found by ${name}: ${played.failed}`);
        finds.push({ size: played.actions.length, tell: () => report(name, began, played) });
        if (nights < all) found.abort();
      }
      actions += played.actions.length;
      done += played.nights;
      for (const state of played.reached) if (!reached.has(state)) reached.set(state, one);
      for (const [what, times] of played.tried) tried.set(what, (tried.get(what) ?? 0) + times);
      const anHour = Math.round((3_600_000 * done) / (performance.now() - began));
      const missing = states.filter((state) => !reached.has(state));
      const few = missing.length > 0 && missing.length <= 3 ? ` (not yet: ${missing.join('; ')})` : '';
      console.log(
        `${done} nights, ${actions} actions, ${anHour} nights an hour; ${reached.size} of ${states.length} rare states${few}; seed ${one}`,
      );
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if (nights >= all)
    console.log(['Done, and refused:', ...inOrder(tried), 'Reached, with the seed:', ...inOrder(reached)].join('\n'));
  await finds.sort((one, other) => one.size - other.size)[0]?.tell();
  if (nights < all || !faults) return;
  expect([...reached.keys()].sort()).toEqual([...states].sort());
});

test.each([102, 110])('20 nights of seed %i, the same in each run of the tests', async (one) => {
  expect((await play({ seed: one, nights: 20, faults: true })).failed).toBeUndefined();
});

test('a world without faults is the same when it is played again', async () => {
  const from = { seed: 7, nights: 4, faults: false };
  const [one, other] = [await play(from), await play(from)];

  expect(one.failed).toBeUndefined();
  expect(other.trace).toEqual(one.trace);
  const again = await play(one.actions);
  expect(again.trace).toEqual(one.trace);
});

const worlds = new URL('worlds/', import.meta.url);
const kept = fs.existsSync(worlds) ? fs.readdirSync(worlds) : [];
test.each(kept)('what once failed: %s', async (name) => {
  const actions: Action[] = JSON.parse(fs.readFileSync(new URL(name, worlds), 'utf8'));

  expect((await play(actions)).failed).toBeUndefined();
});
