// What many worlds come to together: means over seeds, with the intervals in which the true ones lie.
import type { Sums, WorldFigures } from './figures.ts';

/** A mean over seeds, and how far from it the true one lies in 19 of 20 cases; null of one seed. */
export interface Mean {
  readonly mean: number;
  readonly within: number | null;
}

/** Student's t of 95 %, by degrees of freedom. */
const t95 = [
  ...[0, 12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23],
  ...[2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1, 2.09, 2.09],
];

function meanOf(samples: readonly number[]): Mean {
  const n = samples.length;
  const mean = n === 0 ? 0 : samples.reduce((sum, one) => sum + one, 0) / n;
  if (n < 2) return { mean, within: null };
  const variance = samples.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (n - 1);
  return { mean, within: (t95[n - 1] ?? 2) * Math.sqrt(variance / n) };
}

/** Of a strategy, for each account and night that it was played. */
export interface Standing {
  readonly name: string;
  readonly points: Mean;
  readonly cents: Mean;
  readonly perDollar: Mean;
  /** Of all nights, those with a seat. */
  readonly seated: Mean;
  readonly wars: Mean;
  readonly evicted: Mean;
  readonly queued: Mean;
  readonly served: Mean;
}

export interface Shares {
  readonly name: string;
  /** Of each night, over all seeds: how many accounts played it, and their points. */
  readonly accounts: number[];
  readonly points: number[];
}

/** The worlds of one label, which differ in their seeds alone. */
export class Gathered {
  readonly label: string;
  seeds = 0;
  floorMs = 0;
  readonly places: WorldFigures['places'][number][] = [];
  readonly rents: { moves: number; cents: number }[] = [];
  readonly stays: number[] = [];
  readonly words: Record<string, number> = {};
  readonly nightly = new Map<string, Shares>();
  readonly #sums = new Map<string, Sums[]>();

  constructor(label: string) {
    this.label = label;
  }

  add({ strategies, places, rents, stays, nightly, words, floorMs }: WorldFigures): void {
    this.seeds += 1;
    this.floorMs += floorMs;
    for (const [name, sums] of Object.entries(strategies))
      this.#sums.set(name, [...(this.#sums.get(name) ?? []), sums]);
    for (const [n, place] of places.entries()) this.places[n] = added(this.places[n], place);
    for (const [n, rent] of rents.entries()) this.rents[n] = added(this.rents[n], rent);
    added(this.words, words);
    for (const [n, count] of stays.entries()) this.stays[n] = (this.stays[n] ?? 0) + count;
    for (const [name, { accounts, points }] of Object.entries(nightly)) {
      const before = this.nightly.get(name) ?? { name, accounts: [], points: [] };
      for (const [n, count] of accounts.entries()) before.accounts[n] = (before.accounts[n] ?? 0) + count;
      for (const [n, sum] of points.entries()) before.points[n] = (before.points[n] ?? 0) + sum;
      this.nightly.set(name, before);
    }
  }

  /** The best first. */
  standings(): Standing[] {
    return [...this.#sums]
      .map(([name, worlds]) => {
        const each = (of: (sums: Sums) => number) => meanOf(worlds.filter(({ played }) => played > 0).map(of));
        const aNight = (what: keyof Sums) => each((sums) => sums[what] / sums.played);
        return {
          ...{ name, points: aNight('points'), cents: aNight('cents') },
          perDollar: each(({ points, cents }) => (cents === 0 ? 0 : points / (cents / 100))),
          ...{ seated: aNight('seated'), wars: aNight('war'), evicted: aNight('evicted') },
          ...{ queued: aNight('queued'), served: aNight('served') },
        };
      })
      .sort((a, b) => b.points.mean - a.points.mean);
  }
}

function added<T extends object>(before: T | undefined, more: T): T {
  if (!before) return { ...more };
  const sums = before as Record<string, number>;
  for (const [name, count] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + count;
  return before;
}

/** By label, in the order of the first world of each. */
export class Gathering {
  readonly byLabel = new Map<string, Gathered>();

  add(figures: WorldFigures): void {
    const gathered = this.byLabel.get(figures.label) ?? new Gathered(figures.label);
    gathered.add(figures);
    this.byLabel.set(figures.label, gathered);
  }
}
