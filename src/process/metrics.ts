// What this process counts. Counting is an addition in memory, since a read from memory takes only some microseconds; a
// reader of OpenTelemetry collects the sums. Decisions 116.
export type Labels = Readonly<Record<string, string>>;
export type Readings = number | null | undefined | readonly (readonly [Labels, number | null | undefined])[];

/** From a read from memory to a call that takes too long. */
const latencies = [0.000_1, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** A night takes from milliseconds to minutes. */
export const longTimes = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Values of one histogram with the same labels. */
export class Tally {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[] = latencies) {
    this.#bounds = bounds;
    this.#counts = new Array(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let i = 0;
    while (i < this.#bounds.length && value > (this.#bounds[i] as number)) i += 1;
    this.#counts[i] = (this.#counts[i] as number) + 1;
    this.#sum += value;
  }

  get count(): number {
    return this.#counts.reduce((all, n) => all + n, 0);
  }

  /** The upper bound of the bucket in which this share of the values ends. */
  quantile(share: number): number {
    let left = this.count * share;
    const i = this.#counts.findIndex((n) => {
      left -= n;
      return left <= 0;
    });
    return this.#bounds[i] ?? Number.POSITIVE_INFINITY;
  }

  collected() {
    return { buckets: { boundaries: [...this.#bounds], counts: [...this.#counts] }, sum: this.#sum, count: this.count };
  }
}

interface About {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
}

/** One metric as it stands. */
export type Collected = About &
  (
    | { readonly kind: 'histogram'; readonly points: readonly (readonly [Labels, ReturnType<Tally['collected']>])[] }
    | { readonly kind: 'sum' | 'gauge'; readonly points: readonly (readonly [Labels, number])[] }
  );

export interface Histogram {
  /** The tally of some labels. Keep it where it is used often: finding it takes longer than counting. */
  of(labels: Labels): Tally;
}

export interface Counter {
  add(labels?: Labels, n?: number): void;
}

export class Metrics {
  readonly #collects: (() => Collected)[] = [];

  histogram(name: string, description: string, bounds = latencies): Histogram {
    const tallies = new Map<string, readonly [Labels, Tally]>();
    this.#collects.push(() => ({
      ...{ name, description, unit: 's', kind: 'histogram' },
      points: [...tallies.values()].map(([labels, tally]) => [labels, tally.collected()]),
    }));
    return { of: (labels) => found(tallies, labels, () => new Tally(bounds)) };
  }

  counter(name: string, description: string, unit = '1'): Counter {
    const sums = new Map<string, readonly [Labels, { n: number }]>();
    this.#collects.push(() => ({
      ...{ name, description, unit, kind: 'sum' },
      points: [...sums.values()].map(([labels, { n }]) => [labels, n]),
    }));
    return {
      add(labels = {}, n = 1) {
        found(sums, labels, () => ({ n: 0 })).n += n;
      },
    };
  }

  /** `read` is called when somebody collects; what is null or undefined is left out. */
  gauge(name: string, description: string, unit: string, read: () => Readings, monotonic = false): void {
    this.#collects.push(() => {
      const readings = read();
      const listed = typeof readings === 'object' && readings !== null ? readings : [[{}, readings] as const];
      const points = listed.flatMap(([labels, value]): [Labels, number][] =>
        typeof value === 'number' ? [[labels, value]] : [],
      );
      return { name, description, unit, kind: monotonic ? 'sum' : 'gauge', points };
    });
  }

  /** All that have a value. */
  collect(): Collected[] {
    return this.#collects.map((collect) => collect()).filter(({ points }) => points.length > 0);
  }
}

function found<T>(all: Map<string, readonly [Labels, T]>, labels: Labels, make: () => T): T {
  const key = Object.values(labels).join('\n');
  let entry = all.get(key);
  if (!entry) {
    entry = [labels, make()];
    all.set(key, entry);
  }
  return entry[1];
}
