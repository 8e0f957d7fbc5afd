// Hill as a real process, as npm's scripts start it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { makeHillDatabase } from '../../../src/db/hill-database.ts';
import { prepareDatabase } from '../../../src/db/migrate.ts';
import { startCluster } from '../../../src/embedded/index.ts';
import type { Command } from '../../../src/main.ts';
import { checkout, parseConfig } from '../../../src/process/config.ts';
import { StartError } from '../../../src/process/start-error.ts';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';

export interface HillProcess {
  readonly child: ChildProcess;
  /** stdout and stderr so far. */
  output(): string;
  /** Resolves when the output has the text; rejects if the process ends first, or takes too long. */
  says(text: string): Promise<void>;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
  stop(signal?: NodeJS.Signals): Promise<number | string | null>;
}

/** Of this process's environment, what every program needs, and where Node keeps compiled code during the tests. */
export const bare = (): NodeJS.ProcessEnv => {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE } as NodeJS.ProcessEnv;
};

/**
 * From the start the room for young objects that Node gives a process later: a fifth of the CPU of a start is
 * collecting garbage in less.
 */
const roomy = ['--min-semi-space-size=16'];

/** `args` as after src/main.ts. Ended with its test. */
export function runHill(args: string[], env: Record<string, string>, input?: string): HillProcess {
  const { running, end } = begin(args, env, input);
  onTestFinished(end);
  return running;
}

/** The same for processes that all tests of a file share. Call it at the top of the file. */
export function runHillForFile(): (args: string[], env: Record<string, string>) => HillProcess {
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => void (await Promise.all(ends.map((end) => end()))));
  return (args, env) => {
    const { running, end } = begin(args, env);
    ends.push(end);
    return running;
  };
}

/**
 * Without a data directory of its own it would be the one of a hill that somebody runs on this machine: what a worker
 * signed is kept elsewhere.
 */
const apart = (env: Record<string, string>): Record<string, string> =>
  env.HILL_DATA_DIR
    ? {}
    : { HILL_CHECKPOINT: path.join(path.dirname(inject('preparedDataDir')), randomUUID(), 'checkpoint') };

function begin(
  args: string[],
  env: Record<string, string>,
  input?: string,
): { running: HillProcess; end: () => Promise<void> } {
  const child = spawn(
    process.execPath,
    [...roomy, '--import', './src/process/check-node.mjs', 'src/main.ts', ...args],
    {
      cwd: checkout,
      env: { ...bare(), ...apart(env), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  child.stdin.on('error', () => {}); // one that ends early does not read on
  child.stdin.end(input);
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
      for (const listener of listeners) listener();
    });
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal)),
  );
  const end = async () => {
    const impatience = setTimeout(() => child.kill('SIGKILL'), 10_000);
    if (child.exitCode === null && child.signalCode === null) child.kill(); // a test that failed left it running
    await ended;
    clearTimeout(impatience);
  };
  const running: HillProcess = {
    child,
    output: () => output,
    ended,
    says: (text) =>
      new Promise((resolve, reject) => {
        const tooLong = () => reject(new Error(`has not said "${text}":\n${output}`));
        const late = setTimeout(tooLong, inject('patienceMs')).unref();
        const listener = () => {
          if (!output.includes(text)) return;
          clearTimeout(late);
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
        listener();
        void ended.then((how) => reject(new Error(`ended (${how}) without saying "${text}":\n${output}`)));
      }),
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
  return { running, end };
}

/** Runs a command to its end. */
export async function hill(
  args: string[],
  env: Record<string, string>,
  input?: string,
): Promise<{ code: number | string | null; output: string }> {
  const { ended, output } = runHill(args, env, input);
  return { code: await ended, output: output().trim() };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection', 'exit'];

/**
 * Why a command refuses to run, as src/main.ts prints it before it exits with 1. In this process, since a start takes
 * most of two seconds of CPU: for the second and later refusals of a kind. A command that is not refused fails the
 * test.
 */
export async function refusalOf([name = '', ...args]: string[], env: Record<string, string>): Promise<string> {
  const before = new Map(signals.map((event) => [event, process.listeners(event as 'exit')]));
  try {
    const { run } = (await import(`../../../src/commands/${name}.ts`)) as { run: Command };
    return `not refused: ended with ${await run(parseConfig(env), args)}`;
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  } finally {
    // what a process that serves listens to
    for (const [event, kept] of before)
      for (const listener of process.listeners(event as 'exit'))
        if (!kept.includes(listener)) process.off(event, listener);
  }
}

/** A data directory that is gone after the test, with whatever still runs in it. */
export function aDataDir(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-data-'));
  onTestFinished(async () => {
    if (fs.existsSync(path.join(dir, 'data', 'postmaster.pid'))) await (await startCluster({ dir })).stop();
    fs.rmSync(dir, { recursive: true, force: true });
  });
  return dir;
}

/**
 * For files in which servers start: data directories in which PostgreSQL and the hill's schema are already made, which
 * a start on an empty one takes some seconds of CPU for. The first file that wants one makes it for the run. Call it at
 * the top of the file; each call of what it gives makes a copy of its own, which is gone after the test if it names no
 * folder.
 */
export function usePreparedDataDirs(): (dir?: string) => string {
  const made = inject('preparedDataDir');
  beforeAll(async () => {
    try {
      fs.mkdirSync(`${made}.begun`); // by one alone
    } catch {
      await until('the file that makes it has made it', async () => fs.existsSync(made));
      return;
    }
    const making = `${made}.making`;
    const cluster = await startCluster({ dir: making });
    try {
      await prepareDatabase(await makeHillDatabase(cluster));
    } finally {
      await cluster.stop();
    }
    fs.renameSync(making, made);
  });
  return (dir = aDataDir()) => {
    execFileSync('cp', ['-a', `${made}/.`, dir]); // with the owner of each file: the database has a user of its own
    fs.rmSync(path.join(dir, 'port'), { force: true });
    return dir;
  };
}

/** Settings for a server of its own; two free ports. */
export async function aServer(
  dir = aDataDir(),
): Promise<{ HILL_DATA_DIR: string; PORT: string; CONSOLE_PORT: string }> {
  return { HILL_DATA_DIR: dir, PORT: String(await freePort()), CONSOLE_PORT: String(await freePort()) };
}
