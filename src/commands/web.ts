// npm run web: only the public server, on WEB_DATABASE_URL. With HILL_WEB_PROCESSES above 1, the process that starts
// several of it, and each of them.

import { budget } from '../db/budget.ts';
import { checkContract } from '../db/contract.ts';
import { checkLogin } from '../db/logins.ts';
import { checkSettings } from '../db/open-hill.ts';
import { makePool } from '../db/pool.ts';
import { type Config, metricsPort, webPort } from '../process/config.ts';
import { serve } from '../process/lifecycle.ts';
import { tryPort } from '../process/listen.ts';
import { makeLog } from '../process/log.ts';
import { isSibling, sendToParent } from '../process/siblings.ts';
import { messageOf, StartError } from '../process/start-error.ts';
import { aWatch, showWatch } from '../watch/index.ts';
import { startWeb } from '../web/index.ts';
import { startWebs } from '../web/processes.ts';
import { checkStripeKey, openKeys } from './check-keys.ts';
import { loginUrl } from './login-url.ts';

export async function run(config: Config, [name]: string[]): Promise<number> {
  const url = loginUrl(config, 'web');
  if (isSibling) return asSibling(() => serveWeb(config, url, name));
  return config.webProcesses > 1 ? serveWebs(config) : serveWeb(config, url);
}

function serveWeb(config: Config, url: string, name?: string): Promise<number> {
  const log = makeLog(config, name);
  return serve(log, async (life) => {
    if (!isSibling) await tryPorts(config);
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
    if (isSibling) await sendToParent({ kind: 'open' });
    else log.info(open(config));
  });
}

/** Serves nothing itself. */
function serveWebs(config: Config): Promise<number> {
  const log = makeLog(config);
  return serve(log, async (life) => {
    await tryPorts(config);
    const watch = aWatch();
    const webs = await startWebs(
      config,
      budget(config.connections, ['web'], config.webProcesses).web,
      log,
      watch,
      life.stopping,
    );
    life.onStop(webs.stop);
    life.onStop((await showWatch(config, 'web', watch)).stop);
    log.info(open(config));
  });
}

const open = ({ baseUrl }: Config) => `Hill is open at ${baseUrl}`;

async function tryPorts(config: Config): Promise<void> {
  for (const port of [webPort(config), ...metricsPort(config)]) await tryPort(port);
}

/**
 * What keeps one of several from starting keeps all of them from it, and is said once, by the process that started
 * them.
 */
async function asSibling(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    await sendToParent({ kind: 'failed', message: messageOf(error), expected: error instanceof StartError });
    return 1;
  }
}
