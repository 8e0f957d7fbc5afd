// A small seeded generator (mulberry32), so that a failing night can be made again from its seed.

export type Random = {
  /** An integer from 0 to below − 1. */
  below(below: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
};

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: <T>(from: readonly T[]) => from[below(from.length)] as T,
    shuffle: <T>(list: readonly T[]) => {
      const shuffled = [...list];
      for (let i = shuffled.length - 1; i > 0; i--) {
        const j = below(i + 1);
        [shuffled[i], shuffled[j]] = [shuffled[j] as T, shuffled[i] as T];
      }
      return shuffled;
    },
  };
}

/** HILL_SEED repeats a run that failed; without it every run sees new nights. */
export const seed = Number(process.env.HILL_SEED ?? Date.now() % 2 ** 31);
