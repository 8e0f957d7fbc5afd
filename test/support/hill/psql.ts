// The machine's psql, as a DBA runs it from the checkout.
import { spawn, spawnSync } from 'node:child_process';
import { checkout } from '../../../src/process/config.ts';

const { stdout } = spawnSync('psql', ['--version'], { encoding: 'utf8' });

/** False where psql is missing; then the tests that need it are skipped, and this says why. */
export const hasPsql = typeof stdout === 'string' && stdout.startsWith('psql');
if (!hasPsql)
  console.warn(
    'Skipped: psql is not installed: apt-get install postgresql-client (Debian, Ubuntu), brew install libpq (macOS).',
  );

export interface PsqlOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `psql -v name=value … -f file`. `psqlrc` is a file of the user's own settings, which psql reads before. */
export function psql(
  url: string,
  file: string,
  variables: Readonly<Record<string, string | number>> = {},
  psqlrc?: string,
): Promise<PsqlOutcome> {
  return runPsql(
    url,
    [...Object.entries(variables).flatMap(([name, value]) => ['-v', `${name}=${value}`]), '-f', file],
    psqlrc,
  );
}

export function runPsql(url: string, args: readonly string[], psqlrc?: string): Promise<PsqlOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn('psql', [...(psqlrc ? [] : ['--no-psqlrc']), '--dbname', url, ...args], {
      cwd: checkout,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: 'C', ...(psqlrc ? { PSQLRC: psqlrc } : {}) },
    });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout: out, stderr: err }));
  });
}
