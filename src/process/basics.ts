// Metrics of the process itself: CPU, memory, event loop, clock. Taken once a minute and rounded, so that no single
// call shows in them. Decisions 116.
import fs from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from './metrics.ts';

const everyMs = 60_000;
const lagResolutionMs = 10;
const memoryStep = 16 * 1_048_576;
/** What a clock is allowed to be corrected by between two looks. */
const stepSeconds = 1;

const rounded = (value: number, step: number): number => Number((Math.round(value / step) * step).toFixed(6));

export function watchProcess(metrics: Metrics, part: string, dataDir: string): { stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: lagResolutionMs });
  delay.enable();
  const drift = () => (Date.now() - performance.now()) / 1_000;
  let steps = 0;
  let before = { at: performance.now(), cpu: process.cpuUsage(), drift: drift() };
  const take = (since = before) => {
    const now = { at: performance.now(), cpu: process.cpuUsage(), drift: drift() };
    if (Math.abs(now.drift - since.drift) > stepSeconds) steps += 1;
    const { user, system } = process.cpuUsage(since.cpu);
    const seconds = Math.max(0.001, (now.at - since.at) / 1_000);
    const { rss, heapUsed } = process.memoryUsage();
    // the histogram counts from one look to the next, so a late timer counts in full
    const lag = (ns: number) => rounded(Math.max(0, ns / 1e6 - lagResolutionMs), lagResolutionMs) / 1_000;
    const taken = {
      cpu: rounded((user + system) / 1e6 / seconds, 0.01),
      rss: rounded(rss, memoryStep),
      heap: rounded(heapUsed, memoryStep),
      lag: delay.count === 0 ? [0, 0] : [lag(delay.percentile(99)), lag(delay.max)],
      free: freeRatio(dataDir),
    };
    delay.reset();
    before = now;
    return taken;
  };
  let taken = take();
  const timer = setInterval(() => {
    taken = take();
  }, everyMs).unref();

  metrics.gauge('hill_info', 'What runs here; always 1.', '1', () => [[{ part, node: process.version }, 1]]);
  metrics.gauge('hill_process_start_time_seconds', 'When the process started, in seconds since 1970.', 's', () =>
    Math.round(performance.timeOrigin / 1_000),
  );
  metrics.gauge('hill_process_cpu_ratio', 'Share of one CPU that was used in the last minute.', '1', () => taken.cpu);
  metrics.gauge('hill_process_memory_bytes', 'Resident memory, in steps of 16 MiB.', 'By', () => taken.rss);
  metrics.gauge('hill_process_heap_bytes', "JavaScript's heap in use, in steps of 16 MiB.", 'By', () => taken.heap);
  metrics.gauge(
    'hill_event_loop_lag_seconds',
    'How late the event loop was in the last minute, in steps of 10 ms.',
    's',
    () => [
      [{ quantile: '0.99' }, taken.lag[0]],
      [{ quantile: '1' }, taken.lag[1]],
    ],
  );
  metrics.gauge('hill_disk_free_ratio', 'Free share of the disk that HILL_DATA_DIR is on.', '1', () => taken.free);
  metrics.gauge(
    'hill_clock_steps_total',
    "How often this machine's clock was set by more than a second.",
    '1',
    () => steps,
    true,
  );
  return {
    stop() {
      clearInterval(timer);
      delay.disable();
    },
  };
}

function freeRatio(dataDir: string): number | null {
  try {
    const { bavail, blocks } = fs.statfsSync(dataDir);
    return blocks > 0 ? rounded(bavail / blocks, 0.01) : null;
  } catch {
    return null; // no such folder: the database is elsewhere
  }
}
