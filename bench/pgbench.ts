// Runs pgbench, which the embedded PostgreSQL does not bring.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { promisify } from 'node:util';

const candidates = () => [
  ...(process.env.PATH ?? '').split(':').map((dir) => `${dir}/pgbench`),
  ...(fs.existsSync('/usr/lib/postgresql')
    ? fs.readdirSync('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`)
    : []),
];

export const pgbench = (): string | undefined => candidates().find((file) => fs.existsSync(file));

/** In its first seconds a connection reads the catalogue and plans; a pool's connections have that behind them. */
export const warmUpSeconds = 2;

/**
 * Transactions per second, once warm; for 0 seconds, of a few transactions. Throws if a client stopped on an error: a
 * figure of half the clients would be wrong.
 */
export async function tps(url: string, clients: number, seconds: number, args: readonly string[]): Promise<number> {
  const program = pgbench();
  if (!program) throw new Error('pgbench is not installed: apt-get install postgresql-contrib');
  const { stdout, stderr } = await promisify(execFile)(program, [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(clients),
    '-j',
    String(Math.min(2, clients)),
    '-P',
    '1',
    ...(seconds === 0 ? ['-t', '100'] : ['-T', String(seconds)]),
    ...args,
    url,
  ]);
  const found = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
  if (!found || /aborted/.test(stdout + stderr)) throw new Error(`pgbench failed:\n${stdout}\n${stderr}`);
  const bySecond = [...stderr.matchAll(/^progress: [\d.]+ s, ([\d.]+) tps/gm)]
    .map(([, each]) => Number(each))
    .slice(warmUpSeconds);
  return bySecond.length > 0 ? bySecond.reduce((sum, each) => sum + each, 0) / bySecond.length : Number(found);
}

export async function initialise(url: string, scale: number): Promise<void> {
  const program = pgbench();
  if (!program) throw new Error('pgbench is not installed: apt-get install postgresql-contrib');
  await promisify(execFile)(program, ['-i', '-q', '-s', String(scale), url]);
}
