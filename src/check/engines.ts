// Engines as the verifier asks them, each in a worker of its own.
import { type Engine, type Limits, limited, within } from '../verify/engine.ts';
import type { FromEngine, Parts, ToEngine } from './messages.ts';
import { startWorker } from './start.ts';

/** Throws EngineEnded, as what it is asked does. `end` frees all its memory. */
export async function openEngine(
  parts: Parts,
  source: Uint8Array,
  limits: Limits,
  ended: () => void,
): Promise<Engine & { end(): void }> {
  const worker = startWorker(parts.engine);
  const broken = new Promise<never>((_, reject) => {
    worker.onerror = ({ message }) => reject(new Error(message || 'What resolves nights could not be started.'));
  });
  broken.catch(() => {});
  const ask = (asked: ToEngine) => {
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise<{ readonly rows: readonly unknown[] }>((resolve, reject) => {
      port1.onmessage = ({ data }: MessageEvent<FromEngine>) => {
        port1.close();
        if ('failed' in data) reject(new Error(data.failed));
        else resolve(data);
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
    await within(limits.load, 'It was not loaded', ask({ parts, source }));
  } catch (error) {
    end();
    throw error;
  }
  return { ...limited((text, values) => ask({ text, values }), limits.night, end), end };
}
