// Plays worlds on several cores, and hands over what came of each in the order in which they were asked for.
import { Worker } from 'node:worker_threads';
import { StartError } from '../process/start-error.ts';
import type { WorldFigures } from './figures.ts';
import type { Player } from './strategies.ts';
import type { World } from './world.ts';

/** What a worker is given when it begins. */
export interface WorkerData {
  readonly url: string;
  readonly players: readonly Player[];
}

export interface Task {
  readonly world: World;
  /** The database to copy. */
  readonly template: string;
}

export type Told =
  | { readonly night: true }
  | { readonly figures: WorldFigures }
  | { readonly failed: { readonly message: string; readonly expected: boolean } };

/** `done` is called in the order of the tasks; what comes early waits, a world for each worker at most. */
export async function playWorlds(
  tasks: readonly Task[],
  { url, players }: WorkerData,
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
  const work = async () => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: { url, players } });
    try {
      // nobody runs so far ahead that much has to wait
      while (next < tasks.length && !signal.aborted) {
        const n = next++;
        early.set(n, await playOn(worker, tasks[n] as Task, onNight, signal));
        tell();
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, tasks.length) }, work));
  signal.throwIfAborted();
}

function playOn(worker: Worker, task: Task, onNight: () => void, signal: AbortSignal): Promise<WorldFigures> {
  const { promise, resolve, reject } = Promise.withResolvers<WorldFigures>();
  const stop = () => reject(signal.reason);
  const hear = (told: Told) => {
    if ('night' in told) onNight();
    else if ('figures' in told) resolve(told.figures);
    else reject(told.failed.expected ? new StartError(told.failed.message) : new Error(told.failed.message));
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
