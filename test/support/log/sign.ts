// test/support/log/sign.ts · a hill's log, numbered and signed as a worker does it, of a hill that has no worker.
import { publishLog } from '../../../src/worker/log.ts';
import type { Hill } from '../hill/index.ts';
import { secret } from '../hill/secret.ts';

/** Returns the checkpoint. */
export const signLog = (hill: Hill): Promise<string> =>
  publishLog(hill.as('worker'), { origin: 'hill.example/log', secret, file: null, ask: async () => null, tell: () => {} });
