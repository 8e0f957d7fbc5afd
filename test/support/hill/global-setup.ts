// One cluster for all tests, and in it one prepared database from which each test file gets its clone.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { makeHillDatabase } from '../../../src/db/hill-database.ts';
import { keepProofKey, keepStaffLimits } from '../../../src/db/kept-settings.ts';
import { type LoginUrls, makeLogins } from '../../../src/db/logins.ts';
import { prepareDatabase } from '../../../src/db/migrate.ts';
import { openHill } from '../../../src/db/open-hill.ts';
import { startCluster } from '../../../src/embedded/index.ts';
import { parseConfig } from '../../../src/process/config.ts';
import { secret } from './secret.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where usePreparedDataDirs keeps the one that it copies. */
    preparedDataDir: string;
    /** How long a process may take to say a word: half of what its test may take, so that the word is told. */
    patienceMs: number;
    /** The superuser's URL of the cluster. */
    adminUrl: string;
    /** The owner's URL of the template. */
    templateUrl: string;
    /** The serving logins' URLs of the template; the same logins serve every clone. */
    templateLogins: LoginUrls;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-test-'));
  // Node keeps here what it has compiled, types taken out: the workers and each of the many processes that tests start
  // load Hill in half the time.
  const code = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-test-code-'));
  process.env.NODE_COMPILE_CACHE = code;
  const prepared = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-test-data-'));
  fs.chmodSync(prepared, 0o711); // for the database's user
  const cluster = await startCluster({
    dir,
    ephemeral: true,
    settings: { max_connections: '400', wal_level: 'minimal', max_wal_senders: '0' },
  });
  try {
    const templateUrl = await makeHillDatabase(cluster, 'template_hill');
    await prepareDatabase(templateUrl);
    await openHill(templateUrl, { dayOne: null, clock: 'simulated' });
    await keepProofKey(secret, templateUrl);
    await keepStaffLimits(parseConfig({}), templateUrl);
    const templateLogins = await makeLogins(templateUrl);
    // Nobody may stay connected to a template; a session that was just closed may take a moment to go.
    const admin = new pg.Client(cluster.url());
    await admin.connect();
    await admin.query('alter database template_hill with is_template true allow_connections false');
    await admin.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'template_hill'");
    await admin.end();
    project.provide('patienceMs', project.config.testTimeout / 2);
    project.provide('preparedDataDir', path.join(prepared, 'made'));
    project.provide('adminUrl', cluster.url());
    project.provide('templateUrl', templateUrl);
    project.provide('templateLogins', templateLogins);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return async () => {
    await cluster.stop();
    for (const folder of [code, prepared]) fs.rmSync(folder, { recursive: true, force: true });
  };
}
