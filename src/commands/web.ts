// commands/web.ts · npm run web: only the public server, on WEB_DATABASE_URL.

import { budget } from '../db/budget.ts';
import { checkContract } from '../db/contract.ts';
import { checkLogin } from '../db/logins.ts';
import { checkSettings } from '../db/open-hill.ts';
import { makePool } from '../db/pool.ts';
import type { Config } from '../process/config.ts';
import { serve } from '../process/lifecycle.ts';
import { tryPort } from '../process/listen.ts';
import { makeLog } from '../process/log.ts';
import { aWatch, metricsPort, showWatch } from '../watch/index.ts';
import { startWeb, webPort } from '../web/index.ts';
import { checkStripeKey, openKeys } from './check-keys.ts';
import { loginUrl } from './login-url.ts';

export async function run(config: Config): Promise<number> {
  const url = loginUrl(config, 'web');
  const log = makeLog(config);
  return serve(log, async (life) => {
    for (const port of [webPort(config), ...metricsPort(config)]) await tryPort(port);
    await checkLogin(url, 'web');
    await checkContract(url, 'web');
    await checkSettings(url, 'web', config);
    const { calls, reading } = budget(config.connections, ['web']).web;
    const pool = makePool({ url, name: 'hill web', log, max: calls, statementTimeoutMs: 2_000 });
    life.onStop(() => pool.end());
    await openKeys(config, pool);
    await checkStripeKey(config, pool);
    const watch = aWatch();
    const web = await startWeb(config, pool, log, reading, watch);
    life.onStop(web.stop);
    life.onStop((await showWatch(config, 'web', watch)).stop);
    log.info(`Hill is open at ${config.baseUrl}`);
  });
}
