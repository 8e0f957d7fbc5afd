// worker/queue.ts · what every runner of jobs needs: a voice in our log, and somebody who notices when it ends.
import { Logger as QueueLogger, type Runner } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from '../log.ts';

/** A queue that has ended by itself would leave a hill without bells: better the process ends, and is started again. */
export async function watch(runner: Runner, stopping: AbortSignal): Promise<void> {
  await runner.promise;
  if (!stopping.aborted) throw new Error('the queue of jobs has ended by itself');
}

/** Resolves when nothing runs any more, and nothing of the runner waits for a connection: it does not wait for its own last words, that a job is done. */
export async function stopRunner(runner: Runner, db: pg.Pool): Promise<void> {
  await runner.stop().catch(() => {}); // it has stopped by itself
  await runner.promise;
  await db.query('select'); // connections are given in the order in which they were asked for
}

/** What the queue says of itself is for those who look for a bug in it; failed tasks were reported with what may be said of them. */
export function queueLogger(log: Logger): QueueLogger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;
  return new QueueLogger(() => (level, message, meta) => {
    if (meta?.failure !== true) log[levels[level]](`queue: ${message}`);
  });
}
