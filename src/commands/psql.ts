// npm run psql: the installed psql, connected to the hill's database as its owner.
import { spawn } from 'node:child_process';
import { withOwnerDatabase } from '../db/owner-database.ts';
import { demoDir } from '../demo/fresh-database.ts';
import { hasCluster } from '../embedded/index.ts';
import type { Config } from '../process/config.ts';
import { StartError } from '../process/start-error.ts';

export async function run(config: Config, args: string[]): Promise<number> {
  const demo = demoDir(config);
  return withOwnerDatabase(
    config,
    (ownerUrl) => psql(ownerUrl, args),
    `npm start makes one.${hasCluster(demo) ? ` That of the demonstration: HILL_DATA_DIR=${demo} npm run psql` : ''}`,
  );
}

function psql(ownerUrl: string, args: string[]): Promise<number> {
  const url = new URL(ownerUrl);
  // Not on the command line, where every user of the machine could read it.
  const PGPASSWORD = decodeURIComponent(url.password);
  url.password = '';
  return new Promise((resolve, reject) => {
    const child = spawn('psql', ['--dbname', url.href, ...args], {
      stdio: 'inherit',
      env: { ...process.env, ...(PGPASSWORD ? { PGPASSWORD } : {}) },
    });
    // The terminal sends Ctrl-C to psql as well, which cancels its query. The embedded database stops only after psql
    // has ended.
    process.on('SIGINT', () => {});
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new StartError(notInstalled) : error),
    );
    child.once('close', (code) => resolve(code ?? 1));
  });
}

const notInstalled =
  'psql is not installed: apt-get install postgresql-client (Debian, Ubuntu), brew install libpq (macOS).';
