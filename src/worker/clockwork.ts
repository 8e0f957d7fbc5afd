// Work that follows the hill's clock: the bell and what comes after it, and the count on the quarter hour. Rules 2.2,
// 17.3.
//
// Loops of this process, not jobs of a queue: a job locked by a broken connection would delay the next one, and a queue
// that was cut off comes back at its own pace. Each loop does what is due, asks the clock when the next thing is due,
// and is woken when the clock changes or the connection to the database is back.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isLost } from '../db/errors.ts';
import type { Stoppable } from '../process/listen.ts';
import type { Logger } from '../process/log.ts';
import { type RungNight, readClock, refreshSealedCount } from './calls.ts';
import { type ClockGuard, ClockRefused } from './clock-guard.ts';
import { NotSealed, type Sign } from './closing.ts';
import { reported } from './failure.ts';
import { bringUpToDate, inWords } from './tasks.ts';

export interface Clockwork extends Stoppable {
  /** Looks at the clock now: something may be due earlier than expected. */
  wake(): void;
}

/** Whatever is overdue, for any reason, is found after this time. */
const mostMs = 30_000;
/** A simulated day may take seconds. */
const leastMs = 100;
/** A timer may come early by part of a millisecond. */
const earlyMs = 2;
/**
 * After a failure. While something is away that may be back at any moment the pause stays the same; while the database
 * refuses, the pauses grow.
 */
const againMs = 1_000;
const mostAgainMs = 60_000;

export function startClockwork(
  pool: pg.Pool,
  sign: Sign,
  { check }: ClockGuard,
  log: Logger,
  onNight: (night: RungNight) => void,
): Clockwork {
  const stopping = new AbortController();
  const tell = (night: RungNight) => {
    log[night.unsealed === null ? 'info' : 'error'](inWords(night));
    onNight(night);
  };
  const loops = [
    loop('the bell', pool, log, stopping.signal, async () => {
      await check();
      await bringUpToDate(pool, sign, tell, stopping.signal);
    }),
    // beside the bell, since a large night may take its time
    loop('the count of sealed moves', pool, log, stopping.signal, () => refreshSealedCount(pool)),
  ];
  return {
    wake() {
      for (const { wake } of loops) wake();
    },
    async stop() {
      stopping.abort();
      await Promise.all(loops.map(({ ended }) => ended));
    },
  };
}

function loop(name: string, pool: pg.Pool, log: Logger, stopping: AbortSignal, work: () => Promise<unknown>) {
  let waking = new AbortController();
  const turn = async (): Promise<number> => {
    await work();
    const { seconds_to_next } = await readClock(pool);
    return seconds_to_next === null ? mostMs : Math.min(mostMs, Math.max(leastMs, seconds_to_next * 1_000 + earlyMs));
  };
  const run = async () => {
    let failures = 0;
    let failedAfter: number | null = null; // the last night when it failed
    let away: string | null = null;
    while (!stopping.aborted) {
      // a wake-up during the turn shortens the pause after it
      waking = new AbortController();
      let ms: number;
      try {
        ms = await turn();
        failures = 0;
        away = null;
      } catch (error) {
        const kind = outage(error);
        if (kind === null || kind !== away) reported(log, name, error); // an outage is reported once
        away = kind;
        // What comes next keeps its time, and what follows a later bell fails for the first time. A bell that is due is
        // what failed.
        const clock = await readClock(pool).catch(() => null);
        failures = away !== null ? 0 : clock && clock.last_night !== failedAfter ? 1 : failures + 1;
        failedAfter = clock?.last_night ?? failedAfter;
        ms = Math.min(mostAgainMs, againMs * 2 ** Math.max(0, failures - 1));
        if (clock?.seconds_to_next) ms = Math.min(ms, Math.max(leastMs, clock.seconds_to_next * 1_000 + earlyMs));
      }
      await sleep(ms, undefined, { signal: AbortSignal.any([stopping, waking.signal]) }).catch(() => {});
    }
  };
  return { wake: () => waking.abort(), ended: run() };
}

/** What is away, in a word or a sentence; null if the database refuses. */
function outage(error: unknown): string | null {
  if (error instanceof ClockRefused) return error.reason;
  if (error instanceof NotSealed) return error.reason;
  return isLost(error) ? 'database' : null;
}
