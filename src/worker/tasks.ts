// worker/tasks.ts · what the hill does by itself. Each may be done at any time, by anyone, several at once: the database sees to it.
import type pg from 'pg';
import { buildBoards, checkPublished, forgetEnded, playHouse, type RungNight, rankNextTournament, ringNextBell } from './calls.ts';

/** Rings every bell that is due, in order, then builds the boards, lets the house play, and ranks the tournaments. Between two nights it may be aborted. */
export async function bringUpToDate(db: pg.Pool, onNight: (night: RungNight) => void, signal?: AbortSignal): Promise<void> {
  const rung: number[] = [];
  while (!signal?.aborted) {
    const night = await ringNextBell(db);
    if (!night) break;
    onNight(night);
    rung.push(night.day);
  }
  if (signal?.aborted) return;
  // After the bell's own transaction: play is open again by now.
  await buildBoards(db);
  await playHouse(db);
  // Each in a transaction of its own, and last: nothing waits for the entrants of a large one.
  while (!signal?.aborted && (await rankNextTournament(db)) !== null);
  // What the bell's own checks cannot see, for they look with its eyes.
  for (const night of rung) await checkPublished(db, night);
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
