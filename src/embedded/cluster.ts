// Creates, starts and stops an embedded PostgreSQL 18, whatever state the last process left it in.
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../process/start-error.ts';
import { type DataDir, filesOf, initialise, makeDir, passwordOf, writeSettings } from './data-dir.ts';
import { lockDir } from './dir-lock.ts';
import { freePort } from './ports.ts';
import { isPostmasterOf } from './processes.ts';
import { type Programs, programsIn } from './programs.ts';
import { installRuntime } from './runtime.ts';
import { checkReachable, serverUser } from './server-user.ts';

export interface ClusterOptions {
  readonly dir: string;
  /** For tests: nothing has to survive a crash, and stop() removes the directory. */
  readonly ephemeral?: boolean;
  readonly settings?: Record<string, string>;
  /** Called as soon as initdb or PostgreSQL is at work, so that this process is free for other things. */
  readonly onBusy?: () => void;
}

export interface RunningCluster {
  readonly port: number;
  /** The superuser's URL for a database. */
  url(database?: string): string;
}

export interface Cluster extends RunningCluster {
  /**
   * From now on restarts a postmaster that dies, on the same port. Calls `onDeath` each time, and `onLoss` once if it
   * cannot be restarted or dies too often.
   */
  keepAlive(onDeath: () => void, onLoss: (error: StartError) => void): void;
  /** False if this took over a postmaster that a killed process had left running. stop() stops it all the same. */
  readonly startedHere: boolean;
  stop(): Promise<void>;
  /** For a forced exit: tells the postmaster to quit at once, without waiting. The next start recovers. */
  abandon(): void;
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { ephemeral = false, settings = {}, onBusy = () => {} } = options;
  const user = serverUser();
  const files = filesOf(path.resolve(options.dir));
  makeDir(files.dir);
  checkReachable(files.dir, user);
  const unlock = lockDir(files.dir);
  try {
    const programs = programsIn(installRuntime(files.dir), user, onBusy);
    const password = passwordOf(files, user);
    await initialise(files, user, programs, ephemeral);
    const orphan = livePostmaster(files);
    if (!orphan) {
      writeSettings(files, user, ephemeral, settings);
      await startPostmaster(files, programs);
    }
    let { pid, port } = livePostmaster(files) ?? died(files);
    const stopping = new AbortController();
    let guard: Promise<void> | undefined;
    const again = async () => {
      await startPostmaster(files, programs, port);
      ({ pid, port } = livePostmaster(files) ?? died(files));
    };
    return {
      ...running(port, password),
      startedHere: !orphan,
      keepAlive(onDeath, onLoss) {
        guard ??= guardPostmaster(() => isPostmasterOf(pid, files.data), again, onDeath, stopping.signal).catch(onLoss);
      },
      async stop() {
        stopping.abort();
        await guard;
        await stopPostmaster(files, programs);
        unlock();
        if (ephemeral) fs.rmSync(files.dir, { recursive: true, force: true });
      },
      abandon() {
        stopping.abort();
        if (isPostmasterOf(pid, files.data)) process.kill(pid, 'SIGQUIT');
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The cluster that another Hill process is running on this directory, for commands that only connect to it. */
export function findCluster(dir: string): RunningCluster | undefined {
  const files = filesOf(path.resolve(dir));
  const postmaster = livePostmaster(files);
  return postmaster && running(postmaster.port, fs.readFileSync(files.password, 'utf8').trim());
}

/** Whether a database was ever made in this directory. */
export const hasCluster = (dir: string): boolean => fs.existsSync(filesOf(path.resolve(dir)).data);

const running = (port: number, password: string): RunningCluster => ({
  port,
  url: (database = 'postgres') => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
});

/**
 * From postmaster.pid, if that process is alive and serves this directory: the file survives a kill -9, and ids are
 * reused.
 */
function livePostmaster({ data }: DataDir): { pid: number; port: number } | undefined {
  const lines = statusLines(data);
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 && isPostmasterOf(pid, data) ? { pid, port } : undefined;
}

function statusLines(data: string): string[] {
  try {
    return fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

async function startPostmaster(files: DataDir, { serve }: Programs, samePort?: number): Promise<void> {
  // PostgreSQL trusts a stale file if another process, or a zombie, has its id now. Whether an older server still uses
  // these files it also knows from their shared memory: that error is handled below.
  fs.rmSync(path.join(files.data, 'postmaster.pid'), { force: true });
  rotateLog(files);
  const patience = Date.now() + 60_000;
  for (let lostPorts = 0; ; ) {
    const port = samePort ?? (await freePort(lostPorts === 0 ? lastPort(files) : undefined));
    const said = fs.statSync(files.log).size;
    const postmaster = await serve(['-D', files.data, '-p', String(port)], files.log);
    if (await isReady(files, postmaster)) {
      fs.writeFileSync(files.port, `${port}\n`);
      return;
    }
    const complaint = fs.readFileSync(files.log).subarray(said).toString();
    const portTaken = /could not (bind|create any TCP)/.test(complaint);
    if (portTaken && !samePort && lostPorts < 5) {
      lostPorts += 1;
    } else if ((portTaken || /shared memory block .* still in use/.test(complaint)) && Date.now() < patience) {
      // Either passes: an outgoing connection of another process has our port, or the last backends of a killed
      // postmaster end their statements.
      await sleep(500);
    } else {
      throw failed(files, complaint);
    }
  }
}

const mostRecoveryMs = 600_000;

/** Whether it comes to accept connections. pg_ctl would look ten times a second, and a start takes half of that. */
async function isReady({ data }: DataDir, postmaster: ChildProcess): Promise<boolean> {
  const began = Date.now();
  for (;;) {
    if (postmaster.exitCode !== null || postmaster.signalCode !== null) return false;
    const lines = statusLines(data);
    if (Number(lines[0]) === postmaster.pid && /^(ready|standby)/.test(lines[7] ?? '')) return true;
    const waited = Date.now() - began;
    if (waited > mostRecoveryMs) return false;
    await sleep(Math.min(5 + waited / 20, 100));
  }
}

const lookMs = 500;
/** More deaths than this within that time are no accident: the disk is full, or a file is damaged. */
const mostDeaths = 5;
const mostTries = 3;
const withinMs = 600_000;

/** Returns when it is told to stop; throws when the postmaster cannot be kept alive. */
async function guardPostmaster(
  lives: () => boolean,
  again: () => Promise<void>,
  onDeath: () => void,
  stopping: AbortSignal,
): Promise<void> {
  let deaths: number[] = [];
  for (;;) {
    await sleep(lookMs, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return;
    if (lives()) continue;
    deaths = [...deaths, Date.now()].filter((at) => at > Date.now() - withinMs);
    if (deaths.length > mostDeaths)
      throw new StartError(`The embedded PostgreSQL has died ${deaths.length} times in ${withinMs / 60_000} minutes.`);
    onDeath();
    for (let tries = 1; ; tries++) {
      try {
        await again();
        break;
      } catch (error) {
        // It may have died again while it started.
        if (tries >= mostTries) throw error;
        await sleep(lookMs, undefined, { signal: stopping }).catch(() => {});
        if (stopping.aborted) return;
      }
    }
  }
}

async function stopPostmaster(files: DataDir, { run }: Programs): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    const { code } = await run('pg_ctl', ['--pgdata', files.data, '--wait', '--timeout', '60', '--mode', mode, 'stop']);
    if (code === 0 || !livePostmaster(files)) return;
  }
}

function lastPort(files: DataDir): number | undefined {
  try {
    return Number(fs.readFileSync(files.port, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function rotateLog({ log }: DataDir): void {
  if (fs.statSync(log).size < 10_000_000) return;
  fs.copyFileSync(log, `${log}.1`);
  fs.truncateSync(log);
}

function failed({ log }: DataDir, complaint: string): StartError {
  const reasons = complaint.match(/(?:FATAL|PANIC|pg_ctl|postgres): .*/g) ?? [];
  return new StartError(
    `The embedded PostgreSQL did not start${reasons.length ? `: ${reasons.at(-1)}` : ''}. Its log is ${log}.`,
  );
}

function died(files: DataDir): never {
  throw failed(files, '');
}
