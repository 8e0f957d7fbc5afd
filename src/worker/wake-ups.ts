// worker/wake-ups.ts · hears from the database that there is something to do, the moment it is committed. What is missed while nobody listens, the cron finds.
import type pg from 'pg';
import type { Stoppable } from '../listen.ts';
import type { Logger } from '../log.ts';

const channel = 'hill_work';
const againMs = 1_000;

/** Keeps one connection of the pool, and gets another one when that is lost. */
export function wakeUps(db: pg.Pool, onWork: (what: 'deliver' | 'look') => Promise<unknown>, log: Logger): Stoppable {
  let stopped = false;
  let client: pg.PoolClient | undefined;
  let retry: NodeJS.Timeout | undefined;
  let connecting = Promise.resolve();

  const wake = (what: 'deliver' | 'look') =>
    void onWork(what).catch(() => log.debug('a call to work was lost: the cron comes by within a minute'));
  /** A connection that is lost is the pool's to forget, too, or the pool would wait for it when it ends. */
  const drop = () => {
    const mine = client;
    client = undefined;
    mine?.release(true);
  };
  const later = () => {
    drop();
    clearTimeout(retry);
    if (stopped) return;
    retry = setTimeout(() => {
      connecting = listen();
    }, againMs);
  };
  async function listen(): Promise<void> {
    try {
      const mine = await db.connect();
      client = mine;
      mine.once('end', () => {
        if (client === mine) later();
      });
      mine.on('notification', ({ payload }) => {
        if (payload === 'deliver' || payload === 'look') wake(payload);
      });
      await mine.query(`listen ${channel}`);
      // what was written before
      wake('deliver');
      wake('look');
    } catch {
      later();
    }
  }
  connecting = listen();

  return {
    async stop() {
      stopped = true;
      clearTimeout(retry);
      await connecting;
      clearTimeout(retry);
      drop();
    },
  };
}
