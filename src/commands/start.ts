// npm start: the whole hill in one process; with HILL_WEB_PROCESSES above 1, the web in others.

import { budget } from '../db/budget.ts';
import { holdOwnerDatabase } from '../db/owner-database.ts';
import { type Config, consolePort, metricsPort, webPort } from '../process/config.ts';
import { serve } from '../process/lifecycle.ts';
import { tryPort } from '../process/listen.ts';
import { makeLog } from '../process/log.ts';
import { signingSecret } from '../process/secret.ts';
import { readTerms } from '../process/terms.ts';

export async function run(config: Config, args: string[] = []): Promise<number> {
  const adopt = args.length > 0 && (await import('../worker/adopt.ts')).wantsAdoption(args);
  const log = makeLog(config);
  const connections = budget(config.connections, ['web', 'worker', 'console'], config.webProcesses);
  return serve(log, async (life) => {
    // Everything that can fail is checked before anything is changed.
    if (config.env === 'production') signingSecret(config);
    readTerms(config);
    for (const port of [webPort(config), consolePort(config), ...metricsPort(config)]) await tryPort(port);
    log.info(
      config.databaseUrl
        ? 'preparing the database of DATABASE_URL'
        : `preparing the embedded database in ${config.dataDir}`,
    );
    // To load all the rest keeps this process busy for as long as the database needs to start: both at once. A database
    // that has started is stopped if the other fails, so both are waited for.
    const busy = Promise.withResolvers<void>();
    const [database, code] = await Promise.allSettled([
      holdOwnerDatabase(config, life, log, busy.resolve).finally(busy.resolve),
      busy.promise.then(() => import('./whole-hill.ts')),
    ]);
    if (database.status === 'rejected') throw database.reason;
    if (code.status === 'rejected') throw code.reason;
    await code.value.startAll({ ...config, adopt }, database.value, connections, life, log);
  });
}
