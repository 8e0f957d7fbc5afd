// Has all processes look at once, after a change was committed: in a transaction of its own, which nobody waits for and
// which may fail. They look several times a second in any case. Decisions 480.
import type pg from 'pg';
import { outsideRequests } from '../process/request.ts';

/** The only channel. A notification has no payload, and none would be read: any login can notify. */
export const lookChannel = 'hill_look';

/** One that cannot get through soon leaves its connection to others. */
const notify = `set local lock_timeout = '500ms'; set local statement_timeout = '1s'; select pg_notify('${lookChannel}', '')`;

/** Whether another one is wanted, of the pools that are telling. */
const telling = new WeakMap<pg.Pool, { again: boolean }>();

/** At most one at a time of each pool, however many changes there are. */
export function notifyOthers(pool: pg.Pool): void {
  const running = telling.get(pool);
  if (running) {
    running.again = true;
    return;
  }
  const state = { again: true };
  telling.set(pool, state);
  void outsideRequests(async () => {
    while (state.again && !pool.ending) {
      state.again = false;
      await pool.query(notify).catch(() => {}); // the queue is full, or the database is away
    }
    telling.delete(pool);
  });
}
