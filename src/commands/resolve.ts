// npm run -s resolve: the public engine. Reads one night per line, and prints one result per line in the same order.
// Rules 12.4.
import type { Config } from '../process/config.ts';
import { StartError } from '../process/start-error.ts';
import { withEngine } from '../resolve/engine.ts';
import { readLines } from '../resolve/lines.ts';
import { resolveLines } from '../resolve/resolve-lines.ts';

export async function run(config: Config, args: string[]): Promise<number> {
  if (args.length > 0) throw new StartError('Nights are read from standard input: npm run -s resolve < nights.jsonl');
  const done = new AbortController();
  let reported = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      reported = true;
      done.abort();
    });
  // The reader has closed the pipe, as head does: stop without an error.
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
    // Stopping closes the input, and reading from it then fails.
    if (!done.signal.aborted) throw error;
  }
  return reported || bad > 0 ? 1 : 0;
}

/** Resolves when the text is written, so that a slow reader slows this down. The stream's event handles errors. */
const write = (text: string): Promise<void> => new Promise((resolve) => process.stdout.write(text, () => resolve()));
