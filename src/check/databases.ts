// Engines, and the verifier's own release, as the verifier asks them: each in a worker of its own.
import { type Database, type Limits, limited, within } from '../verify/engine.ts';
import type { FromDatabase, Parts, ToDatabase } from './messages.ts';
import { startWorker } from './start.ts';

/** Throws EngineEnded, as what it is asked does. `end` frees all its memory. */
export async function openDatabase(
  parts: Parts,
  statements: readonly string[],
  limits: Limits,
  ended: () => void,
): Promise<Database & { end(): void }> {
  const worker = startWorker(parts.database);
  const broken = new Promise<never>((_, reject) => {
    worker.onerror = ({ message }) => reject(new Error(message || 'What resolves nights could not be started.'));
  });
  broken.catch(() => {});
  const ask = (asked: ToDatabase) => {
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise<{ readonly rows: never[] }>((resolve, reject) => {
      port1.onmessage = ({ data }: MessageEvent<FromDatabase>) => {
        port1.close();
        if ('failed' in data) reject(new Error(data.failed));
        else resolve(data as { readonly rows: never[] });
      };
    });
    worker.postMessage(asked, [port2]);
    return Promise.race([answer, broken]);
  };
  const end = () => {
    worker.terminate();
    ended();
  };
  try {
    await within(limits.load, 'It was not loaded', ask({ parts, statements }));
  } catch (error) {
    end();
    throw error;
  }
  return { ...limited((text, values) => ask({ text, values }), limits.night, end), end };
}
