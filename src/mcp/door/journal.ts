// What is logged and measured of calls: the tool, the outcome, the duration. Never an argument, never the caller. Rules
// 9.2; decisions 116.
import type { Failure } from '../../db/errors.ts';
import type { Logger } from '../../process/log.ts';
import { type Metrics, Tally } from '../../process/metrics.ts';
import { outsideRequests } from '../../process/request.ts';

/**
 * A line for each call would tell when a move was deposited, or refused. These are logged as sums, and measured by the
 * day, without outcomes.
 */
const sealed: ReadonlySet<string> = new Set(['play']);
export const isSealed = (tool: string): boolean => sealed.has(tool);
/** The public count of sealed moves is refreshed as often. */
const quarterHourMs = 15 * 60_000;
/** Latencies of fewer calls would say too much of one of them. */
const fewest = 20;

export class Journal {
  readonly #log: Logger;
  readonly #latencies: ReturnType<Metrics['histogram']>;
  /** Of sealed tools, since the log was last written. */
  readonly #sums = new Map<string, { calls: number; ms: number; longest: number }>();
  #today = new Tally();
  #yesterday: Tally | undefined;

  constructor(log: Logger, metrics: Metrics) {
    this.#log = log;
    this.#latencies = metrics.histogram(
      'hill_tool_duration_seconds',
      'Time of a call, by tool and outcome; all tools but play.',
    );
    metrics.gauge(
      'hill_play_duration_seconds',
      `Time of calls of play on the day before, as the upper bound of a bucket; from ${fewest} calls of this process on.`,
      's',
      () =>
        this.#yesterday &&
        (['0.5', '0.99'] as const).map(
          (quantile) => [{ quantile }, this.#yesterday?.quantile(Number(quantile))] as const,
        ),
    );
  }

  called(tool: string, outcome: string, ms: number): void {
    if (!sealed.has(tool)) {
      this.#latencies.of({ tool, outcome }).observe(ms / 1_000);
      this.#log.info({ tool, outcome, ms: Math.round(ms) }, `${tool}: ${outcome}`);
      return;
    }
    this.#today.observe(ms / 1_000);
    // on the clock's quarter hours: a delay counted from the first call would tell when that call was
    if (this.#sums.size === 0)
      outsideRequests(() => setTimeout(() => this.#logSums(), quarterHourMs - (Date.now() % quarterHourMs)).unref());
    const sum = this.#sums.get(tool) ?? { calls: 0, ms: 0, longest: 0 };
    this.#sums.set(tool, { calls: sum.calls + 1, ms: sum.ms + ms, longest: Math.max(sum.longest, ms) });
  }

  #logSums(): void {
    for (const [tool, { calls, ms, longest }] of this.#sums)
      this.#log.info(
        { tool, calls, mean_ms: Math.round(ms / calls), longest_ms: Math.round(longest) },
        `${tool} was called, in this quarter of an hour`,
      );
    this.#sums.clear();
  }

  /** Something broke: logs its kind, not its message. */
  failed(error: Failure): void {
    this.#log.error({ code: error.code, kind: error.kind }, 'the play interface failed');
  }

  /** A bell has been published: what was sealed until now is of a day that is over. */
  bellRang(): void {
    this.#yesterday = this.#today.count >= fewest ? this.#today : undefined;
    this.#today = new Tally();
  }
}
