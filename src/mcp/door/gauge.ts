// mcp/door/gauge.ts · latencies of tools. Those of `play` are shown after the bell, without how many there were. Rules 9.2; decisions 116.
import { type Metrics, Tally } from '../../process/metrics.ts';

/** Fewer calls would say too much of one of them. */
const fewest = 20;

export interface Gauge {
  called(tool: string, sealed: boolean, outcome: string, ms: number): void;
  /** A bell has been published: what was sealed until now is of a day that is over. */
  rung(): void;
}

export function gauge(metrics: Metrics): Gauge {
  const tools = metrics.histogram('hill_tool_duration_seconds', 'Time of a call, by tool and outcome; all tools but play.');
  let today = new Tally();
  let shown: Tally | undefined;
  metrics.gauge(
    'hill_play_duration_seconds',
    `Time of calls of play on the day before, as the upper bound of a bucket; from ${fewest} calls of this process on.`,
    's',
    () => shown && (['0.5', '0.99'] as const).map((quantile) => [{ quantile }, shown?.quantile(Number(quantile))] as const),
  );
  return {
    called(tool, sealed, outcome, ms) {
      if (sealed) today.observe(ms / 1_000);
      else tools.of({ tool, outcome }).observe(ms / 1_000);
    },
    rung() {
      shown = today.count >= fewest ? today : undefined;
      today = new Tally();
    },
  };
}
