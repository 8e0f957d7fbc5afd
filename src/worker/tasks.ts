// What the hill does by itself. Each task may run at any time, in several processes at once: the database sees to that.
import type pg from 'pg';
import { Refusal } from '../db/errors.ts';
import { dollars } from '../html/words.ts';
import type { PracticeSettings } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import {
  buildBoards,
  carryOutAccountOrder,
  checkPublished,
  closeNextDay,
  closeUnusedAccounts,
  dropOldBoards,
  dueAccountOrders,
  forgetEnded,
  indexNights,
  keepProspects,
  makeNextTable,
  noteBellFailure,
  playHouse,
  type RungNight,
  rankNextTournament,
  ringNextBell,
  settleWallets,
  stopFullClock,
} from './calls.ts';
import { closingMs, NotSealed, type Sign } from './closing.ts';
import { isUnbalanced } from './failure.ts';

/**
 * Closes every day whose bell is due, has its closing signed and rings, in order; lets the house play, keeps what moves
 * would earn next, indexes these nights, prepares the next bell, builds the boards, ranks the tournaments and drops old
 * boards. It may be aborted between two nights. A step that fails, for example since a lock is not free, does not keep
 * the others from being done.
 */
export async function bringUpToDate(
  db: pg.Pool,
  sign: Sign,
  onNight: (night: RungNight) => void,
  signal?: AbortSignal,
): Promise<void> {
  const rung: number[] = [];
  const failures: unknown[] = [];
  while (!signal?.aborted) {
    const began = performance.now();
    const closed = await closeNextDay(db);
    if (!closed) break;
    if (closed.more) continue;
    const failed = closed.promised
      ? await sign(closingMs - (performance.now() - began)).then(
          () => null,
          (error) => new NotSealed(closed.day, error),
        )
      : null;
    try {
      // Where it may ring all the same, another worker has signed, staff have given a reason, or it has waited long
      // enough: the database knows.
      const night = await noted(db, ringNextBell(db, failed?.reason ?? 'unsigned'));
      if (!night) continue; // another worker has rung it
      onNight(night);
      rung.push(night.day);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'NOT_SEALED')) throw error;
      failures.push(failed ?? new NotSealed(closed.day, error));
      break; // other steps are for the nights before
    }
  }
  // Finds what the bell's own checks cannot see, since they read the same snapshot as the bell.
  const checkNights = async () => {
    for (const night of rung) await noted(db, checkPublished(db, night));
  };
  // After the bell's own transaction, so that play is open again. First the house, whose announcements the prospects
  // count, and what readers ask for at once: until it is there, each works it out.
  for (const step of [
    playHouse,
    keepProspects,
    indexNights,
    makeNextTable,
    settleAll,
    carryOutOrders,
    checkNights,
    buildBoards,
    rankTournaments,
    dropOldBoards,
  ]) {
    if (signal?.aborted) break;
    await step(db, signal).catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** A failure that a person has to look into is told to staff and operators, too. */
async function noted<T>(db: pg.Pool, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isUnbalanced(error)) await noteBellFailure(db, error.code).catch(() => {}); // the log has it
    throw error;
  }
}

/** In pieces, beside deposits. Wallets that another worker has written are passed by quickly. */
export async function settleAll(db: pg.Pool, signal?: AbortSignal): Promise<void> {
  let after: string | null | undefined = null;
  while (after !== undefined && !signal?.aborted) after = (await settleWallets(db, after))?.after;
}

/** Each in a transaction of its own: one that fails keeps no other from being done. */
export async function carryOutOrders(db: pg.Pool, signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const id of await dueAccountOrders(db))
    if (!signal?.aborted) await carryOutAccountOrder(db, id).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Each in a transaction of its own, so that nothing waits for a large tournament. */
async function rankTournaments(db: pg.Pool, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await rankNextTournament(db)) !== null);
}

/** Deletes what can no longer matter, in batches with a transaction each. Returns how many rows. */
export async function forget(db: pg.Pool, signal?: AbortSignal, batch = 5_000): Promise<number> {
  let all = 0;
  while (!signal?.aborted) {
    const rows = Object.values(await forgetEnded(db, batch)).reduce((sum, n) => sum + n, 0);
    if (rows === 0) break;
    all += rows;
  }
  return all;
}

/**
 * Closes the accounts of a practice hill that nobody uses any more, and stops its clock before its disk is full. Rules
 * 17.4.
 */
export async function keepSmall(
  db: pg.Pool,
  { keepHours, megabytes }: PracticeSettings,
  log: Pick<Logger, 'error' | 'info'>,
): Promise<void> {
  const closed = await closeUnusedAccounts(db, keepHours);
  if (closed > 0) log.info(`${closed} accounts were closed: nobody had used them for ${keepHours} hours`);
  if (await stopFullClock(db, megabytes * 1_000_000))
    log.error(
      `this practice hill is full: its database has more than HILL_PRACTICE_MEGABYTES=${megabytes}. Its clock stands still, and nobody new is let in. Set more and start it again, or begin a new one in an empty database.`,
    );
}

export const inWords = ({ day, accounts, moves, burned_cents, unsealed, milliseconds }: RungNight): string =>
  `night ${day} is resolved: ${moves} moves of ${accounts} accounts, ${dollars(burned_cents)} burned (${milliseconds} ms)${unsealed === null ? '' : `; it is UNSEALED: ${unsealed}`}`;
