// worker/index.ts · what the hill does by itself, at the bell and between bells. Several workers on one database do no harm.
import type { Config } from '../config.ts';
import { makePool } from '../db/pool.ts';
import type { Stoppable } from '../listen.ts';
import type { Logger } from '../log.ts';
import { signingSecret } from '../secret.ts';
import { lockTimeoutMs } from './calls.ts';
import { catchUp } from './catch-up.ts';
import { type ErrandSettings, errandConnections, startErrands } from './errands.ts';
import { startJobs } from './jobs.ts';

export type WorkerSettings = Pick<Config, 'clock'> & ErrandSettings;

/** Resolves when no bell is overdue and the house has played. `url` is the worker's login; the signal ends a long catching up early. */
export async function startWorker(config: WorkerSettings, url: string, log: Logger, signal?: AbortSignal): Promise<Stoppable> {
  if (config.env === 'production') signingSecret(config); // one that is missing stops the start
  const pool = makePool({ url, name: 'hill worker', log, statementTimeoutMs: 0, lockTimeoutMs });
  const errands = makePool({ url, name: 'hill errands', log, max: errandConnections });
  const started: Stoppable[] = [];
  const stop = async () => {
    await Promise.all(started.map((part) => part.stop()));
    await Promise.all([pool.end(), errands.end()]);
  };
  try {
    await catchUp(pool, log, signal);
    started.push(await startJobs(pool, config.clock, log));
    started.push(await startErrands(config, errands, log));
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
