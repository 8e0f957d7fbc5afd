// test/support/log/sign.ts · a hill's log, numbered and signed as a worker does it, of a hill that has no worker.
import type pg from 'pg';
import { publishLog } from '../../../src/worker/log.ts';
import type { Hill } from '../hill/index.ts';
import { secret } from '../hill/secret.ts';

export const testOrigin = 'hill.example/log';

/** With the worker's login. */
export const signAs = (worker: pg.Pool): Promise<string> =>
  publishLog(worker, { origin: testOrigin, secret, file: null, ask: async () => null, tell: () => {} });

/** Returns the checkpoint. */
export const signLog = (hill: Hill): Promise<string> => signAs(hill.as('worker'));
