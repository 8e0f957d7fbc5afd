// console/index.ts · the staff's door, on CONSOLE_PORT of the loopback address.
import type { Config } from '../config.ts';
import type { Stoppable } from '../listen.ts';
import type { Logger } from '../log.ts';

/** `url` is the console's login. */
export async function startConsole(_config: Config, _url: string, _log: Logger): Promise<Stoppable> {
  return { stop: async () => {} };
}
