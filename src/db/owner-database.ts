// The database as its owner has it: DATABASE_URL, or else the embedded one.

import { type Cluster, findCluster, hasCluster, startCluster } from '../embedded/index.ts';
import type { Config } from '../process/config.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import type { Logger } from '../process/log.ts';
import { StartError } from '../process/start-error.ts';
import { hasHillDatabase, hillDatabase, makeHillDatabase, ownerUrl } from './hill-database.ts';

/**
 * The owner's URL, for a server that keeps the embedded cluster for itself while it runs. `onBusy` is called while
 * others work on it.
 */
export async function holdOwnerDatabase(
  config: Config,
  life: Lifecycle,
  log: Logger,
  onBusy?: () => void,
): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl;
  refuseEmbeddedInProduction(config);
  const cluster = await startCluster({ dir: config.dataDir, ...(onBusy ? { onBusy } : {}) });
  life.onStop(cluster.stop, cluster.abandon);
  guard(cluster, life, log);
  return makeHillDatabase(cluster);
}

/** When the embedded PostgreSQL dies, it is started again; if that fails, the process stops. */
export function guard(cluster: Cluster, life: Lifecycle, log: Logger): void {
  cluster.keepAlive(
    () => log.warn('the embedded PostgreSQL has died: it is started again'),
    ({ message }) => life.fail(message),
  );
}

/**
 * For a short piece of work: on the embedded cluster of a running server, or on one that is started for it. `ifNone` is
 * what to do where there is no database, for work that is of no use on a new one: none is made then.
 */
export async function withOwnerDatabase<T>(
  config: Config,
  use: (ownerUrl: string) => Promise<T>,
  ifNone?: string,
): Promise<T> {
  if (config.databaseUrl) return use(config.databaseUrl);
  refuseEmbeddedInProduction(config);
  const running = findCluster(config.dataDir);
  if (running) return use(ownerUrl(running));
  const check = (there: boolean) => {
    if (!there) throw new StartError(`HILL_DATA_DIR: there is no database in ${config.dataDir}. ${ifNone}`);
  };
  if (ifNone !== undefined) check(hasCluster(config.dataDir));
  const cluster = await startCluster({ dir: config.dataDir });
  try {
    if (ifNone !== undefined) check(await hasHillDatabase(cluster)); // not where a first start was killed
    return await use(await makeHillDatabase(cluster));
  } finally {
    await cluster.stop();
  }
}

/**
 * For a backup: a login that row-level security does not bind, of the embedded database its superuser's. `setting` is
 * where the URL came from.
 */
export async function withBackupDatabase<T>(
  config: Config,
  use: (url: string, setting: string) => Promise<T>,
): Promise<T> {
  if (config.backupUrl) return use(config.backupUrl, 'BACKUP_DATABASE_URL');
  if (config.databaseUrl) return use(config.databaseUrl, 'DATABASE_URL');
  refuseEmbeddedInProduction(config);
  const running = findCluster(config.dataDir);
  if (running) return use(running.url(hillDatabase), 'HILL_DATA_DIR');
  if (!hasCluster(config.dataDir)) throw new StartError(`HILL_DATA_DIR: there is no database in ${config.dataDir}.`);
  const cluster = await startCluster({ dir: config.dataDir });
  try {
    return await use(cluster.url(hillDatabase), 'HILL_DATA_DIR');
  } finally {
    await cluster.stop();
  }
}

function refuseEmbeddedInProduction(config: Config): void {
  if (config.env === 'production')
    throw new StartError('DATABASE_URL must be set in production: the embedded database is for development.');
}
