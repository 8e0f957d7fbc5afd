// db/owner-database.ts · the database as its owner has it: DATABASE_URL, or else the embedded one.
import type { Config } from '../config.ts';
import { findCluster, makeHillDatabase, ownerUrl, startCluster } from '../embedded/index.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { StartError } from '../start-error.ts';

/** The owner's URL, for a server that keeps the embedded cluster for itself while it runs. */
export async function holdOwnerDatabase(config: Config, life: Lifecycle): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl;
  refuseEmbeddedInProduction(config);
  const cluster = await startCluster({ dir: config.dataDir });
  life.onStop(cluster.stop, cluster.abandon);
  return makeHillDatabase(cluster);
}

/** For a short piece of work: on the embedded cluster of a running server, or on one started for as long as the work takes. */
export async function withOwnerDatabase<T>(config: Config, use: (ownerUrl: string) => Promise<T>): Promise<T> {
  if (config.databaseUrl) return use(config.databaseUrl);
  refuseEmbeddedInProduction(config);
  const running = findCluster(config.dataDir);
  if (running) return use(ownerUrl(running));
  const cluster = await startCluster({ dir: config.dataDir });
  try {
    return await use(await makeHillDatabase(cluster));
  } finally {
    await cluster.stop();
  }
}

function refuseEmbeddedInProduction(config: Config): void {
  if (config.env === 'production')
    throw new StartError('DATABASE_URL must be set in production: the embedded database is for development.');
}
