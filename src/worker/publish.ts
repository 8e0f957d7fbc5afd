// worker/publish.ts · when the log is signed: at each start, and when a quarter hour has something for it. A job of the queue, so that no bell waits for it.
// Rules 20.11.
import type pg from 'pg';
import { call } from '../db/call.ts';
import type { GuardedFetch } from '../outside/fetcher/index.ts';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import { signingSecret } from '../process/secret.ts';
import { type LogSettings, publishLog } from './log.ts';
import type { Witnesses } from './witnesses.ts';

export type PublishSettings = Pick<Config, 'env' | 'baseUrl' | 'signingSecret' | 'dataDir' | 'checkpointFile'>;

/** At the first start nobody may listen at the hill's own address yet. */
const againSeconds = 5;
const mostAgainSeconds = 300;

/** `publish` signs at its first call, and then where something is due; what witnesses have not signed, it offers each time. What goes wrong is tried again, later each time. */
export function publisher(config: PublishSettings, db: pg.Pool, fetch: GuardedFetch, log: Logger, witnesses: Witnesses) {
  let looked = false;
  let failures = 0;
  let busy = false;
  const due = () => call<number | null>(db, 'api_worker.seconds_to_log');
  return {
    failures: () => failures,
    async publish(): Promise<void> {
      if (busy) return;
      busy = true;
      try {
        if (!looked || (await due()) === 0) await publishLog(db, logSettings(config, fetch, log, witnesses));
        looked = true;
        failures = 0;
        await call(db, 'api_worker.note_log_signed');
        await witnesses.offer();
      } catch (error) {
        failures += 1;
        throw error;
      } finally {
        busy = false;
      }
    },
    /** In how many seconds to look again; null: a cron or a call comes by. */
    async next(): Promise<number | null> {
      if (failures > 0) return Math.min(mostAgainSeconds, againSeconds * 2 ** (failures - 1));
      return due();
    },
  };
}

/** `askMs`: how long the hill's own address may take to answer. */
export const logSettings = (
  config: PublishSettings,
  fetch: GuardedFetch,
  log: Logger,
  witnesses: Pick<Witnesses, 'held'>,
  askMs?: number,
): LogSettings => ({
  origin: `${new URL(config.baseUrl).host}/log`,
  secret: signingSecret(config),
  file: config.checkpointFile,
  ask: () => askPublic(fetch, config.baseUrl, askMs),
  witnessed: witnesses.held,
  // in development a hill is begun anew, or listens elsewhere, as it pleases
  tell: (what) => log[config.env === 'production' ? 'error' : 'info'](what),
});

/** What the hill's own address shows. Only Hill itself can say that there is nothing yet. */
async function askPublic(fetch: GuardedFetch, baseUrl: string, timeoutMs?: number): Promise<string | null> {
  const { status, headers, body } = await fetch(`${baseUrl}/log/checkpoint`, {
    headers: { 'Cache-Control': 'no-cache' },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  if (status === 200) return Buffer.from(body).toString();
  if (status === 404 && headers['hill-log'] === 'none') return null;
  throw new Error(`${baseUrl}/log/checkpoint answers with ${status}, which does not tell what was signed. Nothing was signed.`);
}
