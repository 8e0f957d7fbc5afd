// worker/index.ts · what the hill does by itself, at the bell and between bells.
import type { Config } from '../config.ts';
import type { Stoppable } from '../listen.ts';
import type { Logger } from '../log.ts';

/** `url` is the worker's login. */
export async function startWorker(_config: Config, _url: string, _log: Logger): Promise<Stoppable> {
  return { stop: async () => {} };
}
