// Moves a simulated clock on, bell by bell, so that every day on the way has its house, its night and its boards.
import type pg from 'pg';
import { Refusal } from '../db/errors.ts';
import { type Clock, type PublishedNight, readClock, readNight, refreshSealedCount, setClock } from './calls.ts';
import type { Sign } from './closing.ts';
import { bringUpToDate } from './tasks.ts';

/**
 * `target` says where to go from where the clock is. `tell` gets every night published on the way, whoever rang its
 * bell.
 */
export async function advance(
  db: pg.Pool,
  sign: Sign,
  target: (clock: Clock) => number,
  tell: (night: PublishedNight) => void,
  signal?: AbortSignal,
): Promise<Clock> {
  let published = (await readClock(db)).last_night;
  const settle = async (): Promise<Clock> => {
    await bringUpToDate(db, sign, () => {}, signal);
    const clock = await readClock(db);
    for (; published < clock.last_night; published++) {
      const night = await readNight(db, published + 1);
      if (night) tell(night);
    }
    return clock;
  };

  let clock = await settle();
  const until = target(clock);
  while (Date.parse(clock.next_bell_at) <= until && !signal?.aborted) {
    // first to where the house deposits, if that is still to come: nobody else would stop the clock there
    await moveTo(db, clock.house_at);
    clock = await settle();
    await moveTo(db, clock.next_bell_at);
    clock = await settle();
  }
  if (!signal?.aborted) {
    await moveTo(db, new Date(until).toISOString());
    clock = await settle();
  }
  await refreshSealedCount(db);
  return clock;
}

/** The clock keeps running, and may have passed the instant by itself. */
async function moveTo(db: pg.Pool, instant: string): Promise<void> {
  try {
    await setClock(db, instant);
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'INVALID_ARGUMENT')) throw error;
  }
}
