// What a runner of jobs needs: our log, a pool on which it does not listen, and a restart when it ends by itself.
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger as QueueLogger, type Runner } from 'graphile-worker';
import type pg from 'pg';
import type { Stoppable } from '../process/listen.ts';
import type { Logger } from '../process/log.ts';

const againMs = 1_000;
/** A queue that is stopped while the database is away may hang on its last statements. */
const mostStopMs = 10_000;

/**
 * Keeps a runner running: starts another when it ends by itself, as it does when it cannot report to the database that
 * a job is done.
 */
export async function keepRunning(start: () => Promise<Runner>, db: pg.Pool, log: Logger): Promise<Stoppable> {
  const stopping = new AbortController();
  let runner: Runner | undefined = await start();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      await runner?.promise.catch(() => {});
      if (stopping.signal.aborted) return;
      if (runner) log.warn('the queue of errands has ended by itself: another one is started');
      runner = undefined;
      await sleep(againMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) runner = await start().catch(() => undefined); // the database is away
    }
  })();
  return {
    async stop() {
      stopping.abort();
      const stopped = (async () => {
        await runner?.stop().catch(() => {}); // it has stopped by itself
        await done;
        // It does not wait for its own last statement, that a job is done. Connections are given out in order, so this
        // one comes after it.
        await db.query('select').catch(() => {});
      })();
      await Promise.race([stopped, sleep(mostStopMs, undefined, { ref: false })]);
    },
  };
}

/** The queue's own messages are for debugging it. Failed tasks have been reported already, without their values. */
export function queueLogger(log: Logger): QueueLogger {
  // It reports an outage at each attempt, and the bell has reported it once.
  const levels = { error: 'warn', warning: 'debug', info: 'debug', debug: 'trace' } as const;
  return new QueueLogger(() => (level, message, meta) => {
    if (meta?.failure !== true) log[levels[level]](`queue: ${message}`);
  });
}

/**
 * The pool for a runner, and how to have it look for jobs at once; it looks each second by itself. It asks for a
 * connection to listen on and gets one that leads nowhere: any login could send it notifications, and one of them ends
 * a runner. Decisions 480.
 */
export function withoutListening(db: pg.Pool): { pool: pg.Pool; nudge(): void } {
  const ear = Object.assign(new EventEmitter(), { query: async () => ({ rows: [] }) });
  type Connected = (error: undefined, client: EventEmitter, release: () => void) => void;
  const connect = (done?: Connected) => (done ? done(undefined, ear, () => {}) : db.connect());
  const pool = new Proxy(db, {
    get(_, name) {
      if (name === 'connect') return connect;
      const value = Reflect.get(db, name, db);
      return typeof value === 'function' ? value.bind(db) : value;
    },
  });
  return { pool, nudge: () => void ear.emit('notification', { channel: 'jobs:insert', payload: '{"count":1}' }) };
}
