// When the log is signed: at each start, and when a quarter hour has something for it. A job of the queue, so that no
// bell waits for it. Rules 20.11.
import type pg from 'pg';
import { call } from '../db/call.ts';
import { type Config, logOrigin } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { prover } from '../process/proofs.ts';
import { signingSecret } from '../process/secret.ts';
import { StartError } from '../process/start-error.ts';
import { askAddress, type Memory, newQuestion, type Places, placesOf, whereAddressLeads } from './known.ts';
import { publishLog } from './log.ts';
import type { FollowSettings, LogSettings } from './log-head.ts';
import type { Witnesses } from './witnesses.ts';

export type PublishSettings = Pick<
  Config,
  | 'env'
  | 'open'
  | 'baseUrl'
  | 'signingSecret'
  | 'oldSigningSecret'
  | 'logKey'
  | 'oldLogKey'
  | 'dataDir'
  | 'checkpointFile'
  | 'witnesses'
>;

/** What all that signs in one process shares. */
export interface SharedByLog {
  readonly memory: Memory;
  readonly places: Places;
}

export const sharedByLog = (metrics: Metrics, log: Logger): SharedByLog => ({
  memory: { signed: null },
  places: placesOf(metrics, log),
});

/** At the first start nobody may listen at the hill's own address yet. */
const againSeconds = 5;
const mostAgainSeconds = 300;

/**
 * `publish` signs what is due, and looks each time at what is known outside; what witnesses have not signed, it offers.
 * What goes wrong is tried again, later each time.
 */
export function publisher(
  config: PublishSettings,
  db: pg.Pool,
  log: Logger,
  shared: SharedByLog,
  witnesses: Witnesses,
) {
  let failures = 0;
  let busy = false;
  return {
    failures: () => failures,
    async publish(): Promise<void> {
      if (busy) return;
      busy = true;
      try {
        await publishLog(db, logSettings(config, db, log, shared, witnesses));
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
      return call(db, 'api_worker.seconds_to_log');
    },
  };
}

/**
 * Where a worker keeps what it signed. In production there is no place that every hill has, so it is to be named.
 * Throws a StartError.
 */
export function checkpointFile({ env, checkpointFile }: Pick<Config, 'env' | 'checkpointFile'>): string | null {
  if (env === 'production' && checkpointFile === null)
    throw new StartError(
      'HILL_CHECKPOINT must be set in production: a file, by its whole path, that outlives the worker and is not on the disk of the database. ' +
        'It keeps a restored hill from signing a second history. A hill that has signed without it: put there what BASE_URL/log/last/checkpoint shows.',
    );
  return checkpointFile;
}

/** Without a key of its own the log is signed with what follows from the signing secret. */
export function logSecrets(
  config: Pick<PublishSettings, 'env' | 'dataDir' | 'signingSecret' | 'oldSigningSecret' | 'logKey' | 'oldLogKey'>,
): Pick<FollowSettings, 'secret' | 'formerSecrets'> {
  const signing = signingSecret(config);
  const secret = config.logKey ?? signing;
  const others = [config.oldLogKey, signing, config.oldSigningSecret];
  return { secret, formerSecrets: others.filter((one) => one !== null && one !== secret) as string[] };
}

export const followSettings = (config: PublishSettings, { memory, places }: SharedByLog): FollowSettings => ({
  origin: logOrigin(config),
  ...logSecrets(config),
  file: checkpointFile(config),
  memory,
  places,
});

/** `askMs`: how long the hill's own address may take to answer. */
export const logSettings = (
  config: PublishSettings,
  db: pg.Pool,
  log: Logger,
  shared: SharedByLog,
  witnesses: Pick<Witnesses, 'held'>,
  { askMs, adopt = false }: { readonly askMs?: number; readonly adopt?: boolean } = {},
): LogSettings => ({
  ...followSettings(config, shared),
  prove: prover(() => signingSecret(config)),
  ask: () => askAddress(config.baseUrl, askMs),
  async leads() {
    const asked = newQuestion();
    await call(db, 'api_worker.ask_at_address', { ...asked });
    return whereAddressLeads(config.baseUrl, asked, askMs);
  },
  ...(config.witnesses.length > 0 ? { witnessed: witnesses.held } : {}),
  adopt,
  // in development a hill is begun anew, or listens elsewhere, as it pleases
  tell: (what) => log[config.open ? 'error' : 'info'](what),
});
