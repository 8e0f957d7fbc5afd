// Which errors that nobody handles end a process: all but those that a part of it has said to be harmless.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const module = JSON.stringify(path.join(import.meta.dirname, '../../src/process/lifecycle.ts'));

/**
 * The exit code of a process that rejects with this message, handles it nowhere, and is told to stop a little later.
 */
async function exitCode(message: string): Promise<number> {
  const code = `
    import { serve } from ${module};
    const log = new Proxy({}, { get: () => () => {} });
    process.exit(await serve(log, async (life) => {
      life.tolerate((error) => error.message === 'harmless');
      Promise.reject(new Error(${JSON.stringify(message)}));
      setTimeout(() => process.kill(process.pid, 'SIGTERM'), 100);
    }));`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
  return run.then(
    () => 0,
    (error: { code: number }) => error.code,
  );
}

test('a rejection that nobody handles ends the process, unless it is tolerated', async () => {
  expect(await Promise.all(['harmless', 'a bug'].map(exitCode))).toEqual([0, 1]);
});
