// Holds the engine against the naive one, many nights at a time, and makes a disagreement small enough to read.
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { type Night, stringifyExactly } from '../hill/night.ts';
import { resolveNaively } from './naive-engine.ts';
import { resolveNights, resolveOrRefuse } from './resolve-nights.ts';

const BATCH = 200;
const CONNECTIONS = 2;

/**
 * Resolves all nights both ways; throws with the smallest night on which the two differ. Returns how many nights there
 * were.
 */
export async function expectAgreement(pool: pg.Pool, nights: Iterable<Night>): Promise<number> {
  const source = nights[Symbol.iterator]();
  let count = 0;

  const work = async () => {
    for (let batch = take(source, BATCH); batch.length > 0; batch = take(source, BATCH)) {
      count += batch.length;
      if (await allAgree(pool, batch)) continue;
      for (const night of batch) {
        if (await differs(pool, night))
          throw new Error(await describe(pool, await smallest(night, (smaller) => differs(pool, smaller))));
      }
      throw new Error(
        'a batch of nights differs, but none of them alone: the result of a night depends on the nights beside it',
      );
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return count;
}

async function allAgree(pool: pg.Pool, batch: Night[]): Promise<boolean> {
  try {
    const results = await resolveNights(pool, batch);
    return (
      results.length === batch.length &&
      batch.every((night, place) => isDeepStrictEqual(results[place], resolveNaively(night)))
    );
  } catch {
    return false; // one of them was refused: found, and said, when they are tried one by one
  }
}

async function differs(pool: pg.Pool, night: Night): Promise<boolean> {
  return !isDeepStrictEqual(await resolveOrRefuse(pool, night), resolveNaively(night));
}

/**
 * Leaves out moves, holders and idle accounts, first by the half and in the end one by one, as long as the night still
 * fails.
 */
async function smallest(night: Night, fails: (night: Night) => Promise<boolean>): Promise<Night> {
  let best = night;
  for (let shrunk = true; shrunk; ) {
    const before = best;
    best = { ...best, moves: await fewest(best.moves, (moves) => fails({ ...best, moves })) };
    best = { ...best, holders: await fewest(best.holders, (holders) => fails({ ...best, holders })) };
    const moving = new Set(best.moves.map((move) => move.account));
    const movers = best.accounts.filter(({ account }) => moving.has(account));
    const idle = best.accounts.filter(({ account }) => !moving.has(account));
    const kept = await fewest(idle, (fewer) => fails({ ...best, accounts: [...movers, ...fewer] }));
    if (kept.length < idle.length) best = { ...best, accounts: [...movers, ...kept] };
    shrunk = best.moves.length < before.moves.length || best.holders.length < before.holders.length;
  }
  return best;
}

async function fewest<T>(list: T[], fails: (list: T[]) => Promise<boolean>): Promise<T[]> {
  let best = list;
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.length; ) {
      const fewer = best.toSpliced(from, size);
      if (await fails(fewer)) best = fewer;
      else from += size;
    }
  }
  return best;
}

async function describe(pool: pg.Pool, night: Night): Promise<string> {
  return [
    'The engine and the naive engine differ. Smallest night:',
    stringifyExactly(night),
    'engine:',
    stringifyExactly(await resolveOrRefuse(pool, night)),
    'naive engine:',
    stringifyExactly(resolveNaively(night)),
  ].join('\n');
}

function take<T>(source: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const next = source.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}
