// worker/tasks.ts · what the hill does by itself. Each may be done at any time, by anyone, several at once: the database sees to it.
import type pg from 'pg';
import {
  buildBoards,
  checkPublished,
  dropOldBoards,
  forgetEnded,
  playHouse,
  type RungNight,
  rankNextTournament,
  ringNextBell,
} from './calls.ts';

/**
 * Rings every bell that is due, in order, lets the house play, builds the boards, ranks the tournaments, and drops old boards. Between two nights it may be
 * aborted. A step that cannot be done now, since a lock is not free, keeps none of the others from being done.
 */
export async function bringUpToDate(db: pg.Pool, onNight: (night: RungNight) => void, signal?: AbortSignal): Promise<void> {
  const rung: number[] = [];
  while (!signal?.aborted) {
    const night = await ringNextBell(db);
    if (!night) break;
    onNight(night);
    rung.push(night.day);
  }
  const failures: unknown[] = [];
  // What the bell's own checks cannot see, for they look with its eyes.
  const checkNights = async () => {
    for (const night of rung) await checkPublished(db, night);
  };
  // After the bell's own transaction: play is open again by now.
  for (const step of [checkNights, playHouse, buildBoards, rankTournaments, dropOldBoards]) {
    if (signal?.aborted) break;
    await step(db, signal).catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Each in a transaction of its own: nothing waits for the entrants of a large one. */
async function rankTournaments(db: pg.Pool, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await rankNextTournament(db)) !== null);
}

/** Deletes what can no longer matter, batch by batch, each a transaction of its own. Returns how many rows. */
export async function forget(db: pg.Pool, signal?: AbortSignal, batch = 5_000): Promise<number> {
  let all = 0;
  while (!signal?.aborted) {
    const rows = Object.values(await forgetEnded(db, batch)).reduce((sum, n) => sum + n, 0);
    if (rows === 0) break;
    all += rows;
  }
  return all;
}

export const inWords = ({ day, accounts, moves, burned_cents, milliseconds }: RungNight): string =>
  `night ${day} is resolved: ${moves} moves of ${accounts} accounts, ${burned_cents} cents burned (${milliseconds} ms)`;
