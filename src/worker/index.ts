// worker/index.ts · what the hill does by itself, at the bell and between bells. Several workers on one database do no harm.
import type { Config } from '../config.ts';
import { makePool } from '../db/pool.ts';
import type { Stoppable } from '../listen.ts';
import type { Logger } from '../log.ts';
import { catchUp } from './catch-up.ts';
import { startJobs } from './jobs.ts';

/** Resolves when no bell is overdue and the house has played. `url` is the worker's login; the signal ends a long catching up early. */
export async function startWorker({ clock }: Pick<Config, 'clock'>, url: string, log: Logger, signal?: AbortSignal): Promise<Stoppable> {
  const pool = makePool({ url, name: 'hill worker', log, statementTimeoutMs: 0 });
  try {
    await catchUp(pool, log, signal);
    const jobs = await startJobs(pool, clock, log);
    return {
      async stop() {
        await jobs.stop();
        await pool.end();
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}
