// Rings the bells that were missed before the doors open: one night at a time, in order. Rules 2.5.
import type pg from 'pg';
import { isLost } from '../db/errors.ts';
import type { Logger } from '../process/log.ts';
import { StartError } from '../process/start-error.ts';
import { readClock } from './calls.ts';
import type { ClockGuard } from './clock-guard.ts';
import { NotSealed, type Sign } from './closing.ts';
import { reported, sqlState, withoutValues } from './failure.ts';
import { bringUpToDate, inWords } from './tasks.ts';

const progressMs = 2_000;

export async function catchUp(
  pool: pg.Pool,
  sign: Sign,
  { check }: ClockGuard,
  log: Logger,
  signal?: AbortSignal,
): Promise<void> {
  try {
    await check();
    const { day, last_night } = await readClock(pool);
    const first = last_night + 1;
    const missed = Math.max(0, day - first);
    if (missed > 0)
      log.info(
        `ringing ${missed === 1 ? `the missed bell of day ${first}` : `${missed} missed bells, of days ${first} to ${day - 1}`}`,
      );
    let spoke = Date.now();
    await bringUpToDate(
      pool,
      sign,
      (night) => {
        // Empty nights are not logged, except for some progress: a year of them may take a while.
        const quiet = night.moves === 0 && Date.now() - spoke < progressMs;
        if (!quiet) {
          log.info(inWords(night));
          spoke = Date.now();
        }
      },
      signal,
    );
  } catch (error) {
    if (unprepared.includes(sqlState(error) ?? ''))
      throw new StartError('The database is not up to date with this code: run "npm run migrate" first.', {
        cause: error,
      });
    // The doors open all the same: reads go on, and what failed, the bell or what follows it, is tried again until
    // somebody has found out why. Where nothing could be sealed, it may be the doors of this very hill that do not
    // answer yet: a connection that was refused there is no database that is lost.
    if (error instanceof NotSealed) log.debug(error.message);
    else if (isLost(error)) throw withoutValues(error);
    else void reported(log, 'the bell', error);
  }
}

// An unknown schema or function.
const unprepared = ['3F000', '42883'];
