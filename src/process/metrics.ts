// process/metrics.ts · what this process counts. Counting is an addition in memory, since a read from memory takes only some microseconds; a reader of
// OpenTelemetry collects the sums. Decisions 116.
import { type Attributes, ValueType } from '@opentelemetry/api';
import { defaultResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';

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

export interface Histogram {
  /** The tally of some labels. Keep it where it is used often: finding it takes longer than counting. */
  of(labels: Labels): Tally;
}

export interface Counter {
  add(labels?: Labels, n?: number): void;
}

export class Metrics {
  readonly #began = Date.now();
  readonly #collects: (() => MetricData)[] = [];

  histogram(name: string, description: string, bounds = latencies): Histogram {
    const tallies = new Map<string, readonly [Labels, Tally]>();
    this.#collects.push(() => ({
      ...this.#data({ name, description, unit: 's' }),
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: [...tallies.values()].map(([labels, tally]) => this.#point(labels, tally.collected())),
    }));
    return { of: (labels) => found(tallies, labels, () => new Tally(bounds)) };
  }

  counter(name: string, description: string, unit = '1'): Counter {
    const sums = new Map<string, readonly [Labels, { n: number }]>();
    this.#collects.push(() => ({
      ...this.#data({ name, description, unit }),
      dataPointType: DataPointType.SUM,
      isMonotonic: true,
      dataPoints: [...sums.values()].map(([labels, { n }]) => this.#point(labels, n)),
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
      const dataPoints = listed.flatMap(([labels, value]) => (typeof value === 'number' ? [this.#point(labels, value)] : []));
      const data = this.#data({ name, description, unit });
      return monotonic
        ? { ...data, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
        : { ...data, dataPointType: DataPointType.GAUGE, dataPoints };
    });
  }

  readonly producer: MetricProducer = {
    collect: async (): Promise<CollectionResult> => ({
      errors: [],
      resourceMetrics: {
        resource: defaultResource(),
        scopeMetrics: [
          {
            scope: { name: 'hill' },
            metrics: this.#collects.map((collect) => collect()).filter(({ dataPoints }) => dataPoints.length > 0),
          },
        ],
      },
    }),
  };

  #data(about: About) {
    return { descriptor: { ...about, valueType: ValueType.DOUBLE }, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  }

  #point<T>(labels: Labels, value: T) {
    return { startTime: instant(this.#began), endTime: instant(Date.now()), attributes: labels as Attributes, value };
  }
}

const instant = (ms: number): [number, number] => [Math.trunc(ms / 1_000), (ms % 1_000) * 1_000_000];

function found<T>(all: Map<string, readonly [Labels, T]>, labels: Labels, make: () => T): T {
  const key = Object.values(labels).join('\n');
  let entry = all.get(key);
  if (!entry) {
    entry = [labels, make()];
    all.set(key, entry);
  }
  return entry[1];
}
