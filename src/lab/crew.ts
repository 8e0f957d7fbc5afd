// Plays worlds on several cores, and hands over what came of each in the order in which they were asked for.
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { StartError } from '../process/start-error.ts';
import type { WorldFigures } from './figures.ts';
import type { Player } from './strategies.ts';
import type { World } from './world.ts';

/** What a worker is given when it begins. */
export interface WorkerData {
  readonly url: string;
  readonly players: readonly Player[];
  /** Seconds that a program has for an answer. */
  readonly patience: number;
}

export interface Task {
  readonly world: World;
  /** The database to copy. */
  readonly template: string;
}

/** Null: nothing comes any more, and its programs are to end. */
export type Sent = Task | null;

export type Told =
  | { readonly ended: true }
  | { readonly night: true }
  | { readonly figures: WorldFigures }
  | { readonly failed: { readonly message: string; readonly expected: boolean } };

/** `done` is called in the order of the tasks; what comes early waits, a world for each worker at most. */
export async function playWorlds(
  tasks: readonly Task[],
  data: WorkerData,
  workers: number,
  onNight: () => void,
  done: (figures: WorldFigures) => void,
  signal: AbortSignal,
): Promise<void> {
  const early = new Map<number, WorldFigures>();
  let [next, told] = [0, 0];
  const tell = () => {
    for (let figures = early.get(told); figures; figures = early.get(told)) {
      early.delete(told);
      told += 1;
      done(figures);
    }
  };
  const failed = new AbortController(); // where one world fails, no other is played on
  const stopping = AbortSignal.any([signal, failed.signal]);
  const work = async () => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: data });
    try {
      // nobody runs so far ahead that much has to wait
      while (next < tasks.length && !stopping.aborted) {
        const n = next++;
        early.set(n, await playOn(worker, tasks[n] as Task, onNight, stopping));
        tell();
      }
    } catch (error) {
      failed.abort(error);
    } finally {
      await end(worker);
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, tasks.length) }, work));
  stopping.throwIfAborted();
}

const mostEndMs = 5_000;

/** Its programs end first. One that hangs in a loop does not hear that, and is ended all the same. */
async function end(worker: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  worker.on('message', (told: Told) => 'ended' in told && resolve());
  worker.once('exit', () => resolve());
  worker.postMessage(null);
  await Promise.race([promise, sleep(mostEndMs, undefined, { ref: false })]);
  await worker.terminate();
}

function playOn(worker: Worker, task: Task, onNight: () => void, signal: AbortSignal): Promise<WorldFigures> {
  const { promise, resolve, reject } = Promise.withResolvers<WorldFigures>();
  const stop = () => reject(signal.reason);
  const hear = (told: Told) => {
    if ('night' in told) onNight();
    else if ('figures' in told) resolve(told.figures);
    else if ('failed' in told)
      reject(told.failed.expected ? new StartError(told.failed.message) : new Error(told.failed.message));
  };
  worker.on('message', hear);
  worker.once('error', reject);
  signal.addEventListener('abort', stop);
  worker.postMessage(task);
  return promise.finally(() => {
    worker.off('message', hear);
    worker.off('error', reject);
    signal.removeEventListener('abort', stop);
  });
}
