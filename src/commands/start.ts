// commands/start.ts · npm start: the whole hill in one process.

import { consolePort, keepStaffKey, startConsole } from '../console/index.ts';
import { budget } from '../db/budget.ts';
import { makeLogins } from '../db/logins.ts';
import { prepareDatabase } from '../db/migrate.ts';
import { checkSettingsAsOwner, openHill } from '../db/open-hill.ts';
import { holdOwnerDatabase } from '../db/owner-database.ts';
import { makePool } from '../db/pool.ts';
import { keepProofKey, keepStripeKey } from '../db/proof-key.ts';
import type { Config } from '../process/config.ts';
import { serve } from '../process/lifecycle.ts';
import { tryPort } from '../process/listen.ts';
import { makeLog } from '../process/log.ts';
import { signingSecret } from '../process/secret.ts';
import { aWatch, metricsPort, showWatch } from '../watch/index.ts';
import { startWeb, webPort } from '../web/index.ts';
import { startWorker } from '../worker/index.ts';
import { lostByTheQueue } from '../worker/queue.ts';
import { checkKeysAsOwner, checkStripeKey, openKeys } from './check-keys.ts';

export async function run(config: Config): Promise<number> {
  const log = makeLog(config);
  const connections = budget(config.connections, ['web', 'worker', 'console']);
  return serve(log, async (life) => {
    // Everything that can fail is checked before anything is changed.
    if (config.env === 'production') signingSecret(config);
    for (const port of [webPort(config), consolePort(config), ...metricsPort(config)]) await tryPort(port);
    log.info(config.databaseUrl ? 'preparing the database of DATABASE_URL' : `preparing the embedded database in ${config.dataDir}`);
    const ownerUrl = await holdOwnerDatabase(config, life, log);
    await checkSettingsAsOwner(ownerUrl, config);
    await checkKeysAsOwner(config, ownerUrl);
    await prepareDatabase(ownerUrl);
    await openHill(ownerUrl, config);
    await keepProofKey(signingSecret(config), ownerUrl);
    await keepStripeKey(config.stripeWebhookSecret, ownerUrl);
    const staffKey = await keepStaffKey(config, ownerUrl);
    // From here on nobody is connected as the owner.
    const logins = await makeLogins(ownerUrl, config.loginUrls);

    const pool = makePool({ url: logins.web, name: 'hill web', log, max: connections.web.calls, statementTimeoutMs: 2_000 });
    life.onStop(() => pool.end());
    await openKeys(config, pool);
    await checkStripeKey(config, pool);
    life.tolerate(lostByTheQueue);
    const watch = aWatch();
    life.onStop((await showWatch(config, 'all', watch)).stop);
    const worker = await startWorker(config, logins.worker, log, life.stopping, connections.worker, watch);
    life.onStop(worker.stop);
    const console = await startConsole(config, logins.console, log, connections.console);
    life.onStop(console.stop);
    log.info(`the staff console is at http://localhost:${config.consolePort}; its key is in ${staffKey}`);
    const web = await startWeb(config, pool, log, connections.web.reading, watch);
    life.onStop(web.stop);
    log.info(`Hill is open at ${config.baseUrl}`);
  });
}
