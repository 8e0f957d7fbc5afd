// Workers in the test's own process, with what they said.
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { parseConfig } from '../../../src/process/config.ts';
import type { Stoppable } from '../../../src/process/listen.ts';
import type { Logger } from '../../../src/process/log.ts';
import { startWorker } from '../../../src/worker/index.ts';
import { secret } from '../doors/oauth.ts';
import type { TestDatabase } from './database.ts';

export interface Said {
  readonly level: number;
  readonly msg: string;
  readonly detail?: string;
}

export function aLog(): { log: Logger; said: Said[]; everything: () => string } {
  const said: Said[] = [];
  const text: string[] = [];
  const log = pino(
    { level: 'trace', base: null },
    {
      write(line: string) {
        text.push(line);
        said.push(JSON.parse(line) as Said);
      },
    },
  );
  return { log, said, everything: () => text.join('') };
}

/** What an operator would look into, but that the log is not signed: see workerSettings. */
export const warnings = (said: readonly Said[]): string[] =>
  said.filter(({ level, msg }) => level >= 40 && !msg.startsWith('the log')).map(({ msg }) => msg);

/** On a simulated clock. Nobody listens at its address, so it does not sign the log. */
export const workerSettings = (env: Record<string, string> = {}) =>
  parseConfig({ HILL_CLOCK: 'simulated', HILL_SIGNING_SECRET: secret, BASE_URL: 'http://localhost:1', ...env });

/** Stopped at the end of the test at the latest. */
export async function aWorker(db: TestDatabase, signal?: AbortSignal, env: Record<string, string> = {}) {
  const { log, said, everything } = aLog();
  const worker: Stoppable = await startWorker(workerSettings(env), db.url('worker'), log, signal);
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= worker.stop();
    return stopped;
  };
  onTestFinished(stop);
  return { said, everything, stop };
}
