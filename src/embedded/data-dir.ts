// The files of one embedded cluster, and how they are created.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { StartError } from '../process/start-error.ts';
import type { Programs } from './programs.ts';
import { give, type ServerUser } from './server-user.ts';

export interface DataDir {
  readonly dir: string;
  /** PGDATA. */
  readonly data: string;
  readonly log: string;
  readonly password: string;
  /** The port of the last start. The next one tries it first, so that saved connections keep working. */
  readonly port: string;
}

export const filesOf = (dir: string): DataDir => ({
  dir,
  data: path.join(dir, 'data'),
  log: path.join(dir, 'postgres.log'),
  password: path.join(dir, 'password'),
  port: path.join(dir, 'port'),
});

export function makeDir(dir: string): void {
  try {
    makeFolder(dir);
    fs.accessSync(dir, fs.constants.W_OK);
    if (process.getuid?.() === 0) fs.chmodSync(dir, fs.statSync(dir).mode | 0o111);
  } catch (error) {
    throw new StartError(
      `HILL_DATA_DIR: cannot write to ${dir} (${(error as NodeJS.ErrnoException).code}): set HILL_DATA_DIR to a writable folder.`,
    );
  }
}

// Not with mkdir's "recursive", which never returns on a file system that answers ENOENT for a new folder, such as
// /proc.
function makeFolder(dir: string): void {
  if (fs.existsSync(dir)) return;
  makeFolder(path.dirname(dir));
  // Others may pass through, as PostgreSQL's user must, but not list what is there.
  fs.mkdirSync(dir, { mode: 0o711 });
}

/** The superuser's password: made at the first start, and kept in a file that only its owner can read. */
export function passwordOf(files: DataDir, user: ServerUser): string {
  if (!fs.existsSync(files.password)) {
    fs.writeFileSync(files.password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
    give(files.password, user);
  }
  return fs.readFileSync(files.password, 'utf8').trim();
}

/**
 * initdb works in a folder beside PGDATA, which is renamed when it is done: what a killed initdb leaves is never taken
 * for a cluster.
 */
export async function initialise(
  files: DataDir,
  user: ServerUser,
  { run }: Programs,
  ephemeral: boolean,
): Promise<void> {
  if (fs.existsSync(files.data)) return;
  const unfinished = `${files.data}.unfinished`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  fs.mkdirSync(unfinished, { mode: 0o700 });
  give(unfinished, user);
  const { code, output } = await run('initdb', [
    ...['--pgdata', unfinished, '--username', 'postgres', '--pwfile', files.password, '--auth', 'scram-sha-256'],
    ...['--encoding', 'UTF8', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
    ...(ephemeral ? ['--no-sync', '--no-data-checksums'] : ['--data-checksums']),
  ]);
  if (code !== 0)
    throw new StartError(`The embedded PostgreSQL could not create its data directory: ${output.split('\n').at(-1)}`);
  fs.appendFileSync(
    path.join(unfinished, 'postgresql.conf'),
    "\n# Written by Hill at every start; ALTER SYSTEM overrides it.\ninclude 'hill.conf'\n",
  );
  fs.renameSync(unfinished, files.data);
}

const standing: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // For a small machine that runs other things as well.
  shared_buffers: '256MB',
  work_mem: '32MB',
  max_connections: '200',
  reserved_connections: '12',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  wal_compression: 'off',
  jit: 'off',
  // Parameters and the rows that errors quote hold sealed moves: no statement, parameter or row may reach the log.
  log_statement: 'none',
  log_min_error_statement: 'panic',
  log_min_duration_statement: '-1',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_error_verbosity: 'terse',
};

// For tests: nothing has to survive a crash of the machine.
const throwaway: Record<string, string> = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

export function writeSettings(
  files: DataDir,
  user: ServerUser,
  ephemeral: boolean,
  settings: Record<string, string>,
): void {
  const all = { ...standing, ...(ephemeral ? throwaway : {}), ...settings };
  const file = path.join(files.data, 'hill.conf');
  fs.writeFileSync(
    file,
    Object.entries(all)
      .map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
      .join(''),
    { mode: 0o600 },
  );
  give(file, user);
  if (!fs.existsSync(files.log)) fs.writeFileSync(files.log, '', { mode: 0o600 });
  give(files.log, user);
}
