// All of npm start but its database: loaded while that starts.

import { keepStaffKey, startConsole } from '../console/index.ts';
import type { Budget } from '../db/budget.ts';
import { call } from '../db/call.ts';
import { withClient } from '../db/connect.ts';
import { warnOfOpenStatistics } from '../db/hardened.ts';
import { keepSettings } from '../db/kept-settings.ts';
import { makeLogins } from '../db/logins.ts';
import { prepareDatabase } from '../db/migrate.ts';
import { checkSettingsAsOwner, openHill } from '../db/open-hill.ts';
import { makePool } from '../db/pool.ts';
import { duration } from '../html/words.ts';
import type { Config } from '../process/config.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import type { Logger } from '../process/log.ts';
import { practiceSentence } from '../process/practice.ts';
import { aWatch, showWatch } from '../watch/index.ts';
import { startWeb } from '../web/index.ts';
import { startWebs } from '../web/processes.ts';
import { startBells, type WorkerSettings } from '../worker/index.ts';
import { lostByTheQueue } from '../worker/lost.ts';
import { checkKeysAsOwner, checkStripeKey, openKeys } from './check-keys.ts';

/** Prepares the database and serves. */
export async function startAll(
  config: Config & Pick<WorkerSettings, 'adopt'>,
  ownerUrl: string,
  connections: Budget,
  life: Lifecycle,
  log: Logger,
): Promise<void> {
  const { staffKey, logins } = await withClient(ownerUrl, 'DATABASE_URL', async (client) => {
    const owner = { url: ownerUrl, client };
    await checkSettingsAsOwner(owner, config);
    await checkKeysAsOwner(config, owner);
    await prepareDatabase(owner);
    await openHill(owner, config);
    await keepSettings(config, owner);
    if (config.databaseUrl) await warnOfOpenStatistics(owner, log);
    return { staffKey: await keepStaffKey(config, owner), logins: await makeLogins(owner, config.loginUrls) };
  });
  // From here on nobody is connected as the owner.

  const pool = makePool({
    url: logins.web,
    name: 'hill web',
    log,
    max: connections.web.calls,
    statementTimeoutMs: 2_000,
  });
  life.onStop(async () => void (pool.ending || (await pool.end())));
  await openKeys(config, pool);
  await checkStripeKey(config, pool);
  life.tolerate(lostByTheQueue);
  const watch = aWatch();
  life.onStop((await showWatch(config, 'all', watch)).stop);
  const worker = await startBells(config, logins.worker, log, life.stopping, connections.worker, watch);
  life.onStop(worker.stop);
  const console = await startConsole(config, logins.console, log, connections.console);
  life.onStop(console.stop);
  log.info(`the staff console is at http://localhost:${config.consolePort}; its key is in ${staffKey}`);
  const several = config.webProcesses > 1;
  const tonight = call<Tonight>(pool, 'api_public.hill');
  tonight.catch(() => {}); // thrown below
  if (several) {
    await tonight;
    await pool.end(); // the processes have pools of their own
  }
  const web = several
    ? await startWebs(config, connections.web, log, watch, life.stopping, config.loginUrls.web ? undefined : logins.web)
    : await startWeb(config, pool, log, connections.web.reading, watch);
  life.onStop(web.stop);
  await worker.doErrands();
  log.info(`accounts of humans are at ${config.authUrl}/account, what agents read first at ${config.baseUrl}/llms.txt`);
  log.info(inWords(await tonight, config));
  log.info(`Hill is open at ${config.baseUrl}`);
}

interface Tonight {
  readonly day: number;
  readonly nextBellAt: string;
  readonly hill: readonly { readonly occupants: readonly unknown[] }[];
  readonly lastNight: readonly { readonly outcome: string }[];
}

/** What there is to see tonight, and what to do if that is nothing yet. */
function inWords({ day, nextBellAt, hill, lastNight }: Tonight, config: Config): string {
  const { clock } = config;
  const practice = practiceSentence(config);
  if (practice) return `day ${day}. ${practice}`;
  const untouched =
    hill.every(({ occupants }) => occupants.length === 0) && lastNight.every(({ outcome }) => outcome === 'VACANT');
  const bell =
    clock === 'real'
      ? `in ${duration((Date.parse(nextBellAt) - Date.now()) / 1000)}`
      : `at ${nextBellAt} of the simulated clock`;
  return untouched
    ? `a new hill, day ${day}: nobody sits here yet, and the first bell rings ${bell}. To watch nights now: npm run demo`
    : `day ${day}: the next bell rings ${bell}`;
}
