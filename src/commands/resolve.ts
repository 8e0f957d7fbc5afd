// commands/resolve.ts · npm run -s resolve: the public engine. One night a line in, its result on one line out, in order. Decisions 9.
import type { Config } from '../process/config.ts';
import { StartError } from '../process/start-error.ts';
import { withEngine } from '../resolve/engine.ts';
import { readLines } from '../resolve/lines.ts';
import { resolveLines } from '../resolve/resolve-lines.ts';

export async function run(config: Config, args: string[]): Promise<number> {
  if (args.length > 0) throw new StartError('The nights are read from standard input: npm run -s resolve < nights.jsonl');
  const done = new AbortController();
  let told = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      told = true;
      done.abort();
    });
  // Whoever reads has seen enough (head, for one): no reason to complain.
  process.stdout.on('error', () => done.abort());
  done.signal.addEventListener('abort', () => process.stdin.destroy());

  let bad = 0;
  try {
    await withEngine(config, async (engine) => {
      for await (const { text, refused } of resolveLines(engine, readLines(process.stdin))) {
        bad += refused;
        await write(text);
        if (done.signal.aborted) break;
      }
    });
  } catch (error) {
    // An input that was closed here is an error to whoever reads it.
    if (!done.signal.aborted) throw error;
  }
  return told || bad > 0 ? 1 : 0;
}

/** Resolves when the text is out, so that a slow reader slows us down. An error is told by the stream's own event. */
const write = (text: string): Promise<void> => new Promise((resolve) => process.stdout.write(text, () => resolve()));
