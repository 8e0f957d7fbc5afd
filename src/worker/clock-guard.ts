// No bell rings by a clock that is wrong: a night cannot be taken back. Rules 2.5.
import type pg from 'pg';
import type { Metrics } from '../process/metrics.ts';
import { apartMs as apart, mostApartMs } from '../watch/index.ts';
import { readClock } from './calls.ts';

/** What this machine has: the time of the day, and one that nobody sets. In milliseconds. */
export interface Machine {
  now(): number;
  elapsed(): number;
}

const machine: Machine = { now: () => Date.now(), elapsed: () => performance.now() };

/** Further than this no clock that is right moves at once. */
const mostJumpMs = 86_400_000;

export class ClockRefused extends Error {
  override readonly name = 'ClockRefused';
  readonly reason: 'apart' | 'jumped';

  constructor(reason: ClockRefused['reason'], message: string) {
    super(`${message} (docs/runbook.md, clock-stepped)`);
    this.reason = reason;
  }
}

export interface ClockGuard {
  /** Throws a ClockRefused while the clock of the database is not to be believed. A simulated clock always is. */
  check(): Promise<void>;
}

export function clockGuard(db: pg.Pool, metrics: Metrics, { now, elapsed }: Machine = machine): ClockGuard {
  let apartMs: number | undefined;
  let before: { readonly there: number; readonly here: number } | undefined;
  metrics.gauge(
    'hill_clock_apart_seconds',
    "By how much the database's clock is apart from that of this machine. Beyond a minute no bell rings.",
    's',
    () => (apartMs === undefined ? undefined : apartMs / 1_000),
  );
  return {
    async check() {
      const asked = now();
      const clock = await readClock(db);
      if (clock.clock !== 'real') return;
      const there = Date.parse(clock.now);
      apartMs = apart(clock.now, asked, now());
      if (apartMs > mostApartMs)
        throw new ClockRefused(
          'apart',
          `the clock of the database (${clock.now}) is ${Math.round(apartMs / 1_000)} seconds apart from that of this machine: no bell rings until both are right`,
        );
      const here = elapsed();
      const jumpMs = before ? there - before.there - (here - before.here) : 0;
      if (jumpMs > mostJumpMs)
        throw new ClockRefused(
          'jumped',
          `the clock went forward by ${Math.round(jumpMs / mostJumpMs)} days at once, to ${clock.now}: no bell rings by that. If it is right, start the worker again`,
        );
      before = { there, here };
    },
  };
}
