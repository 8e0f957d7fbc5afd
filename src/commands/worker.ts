// npm run worker: only the bell and the background jobs, on WORKER_DATABASE_URL. Several may run at once.

import { checkContract } from '../db/contract.ts';
import { checkLogin } from '../db/logins.ts';
import { checkSettings } from '../db/open-hill.ts';
import { type Config, metricsPort } from '../process/config.ts';
import { serve } from '../process/lifecycle.ts';
import { tryPort } from '../process/listen.ts';
import { makeLog } from '../process/log.ts';
import { aWatch, showWatch } from '../watch/index.ts';
import { wantsAdoption } from '../worker/adopt.ts';
import { startWorker } from '../worker/index.ts';
import { lostByTheQueue } from '../worker/lost.ts';
import { checkWorkerSecret } from './check-keys.ts';
import { loginUrl } from './login-url.ts';

export async function run(config: Config, args: string[]): Promise<number> {
  const adopt = wantsAdoption(args);
  const url = loginUrl(config, 'worker');
  const log = makeLog(config);
  return serve(log, async (life) => {
    for (const port of metricsPort(config)) await tryPort(port);
    await checkLogin(url, 'worker');
    await checkContract(url, 'worker');
    await checkSettings(url, 'worker', config);
    await checkWorkerSecret(config, url);
    life.tolerate(lostByTheQueue);
    const watch = aWatch();
    // First, so that operators see a long catch-up.
    life.onStop((await showWatch(config, 'worker', watch)).stop);
    const worker = await startWorker({ ...config, adopt }, url, log, life.stopping, undefined, watch);
    life.onStop(worker.stop);
    log.info('the worker is waiting for the bell');
  });
}
