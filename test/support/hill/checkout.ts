// Another version of Hill: a copy of the checkout that a test changes, whose commands run as real processes.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { checkout } from '../../../src/process/config.ts';
import { bare } from './hill-process.ts';

export interface Checkout {
  /** Replaces a text that stands in a file. */
  edit(file: string, from: string | RegExp, to: string): void;
  run(command: string, env: Record<string, string>): Promise<{ code: number | string | null; output: string }>;
}

/** Gone after the test. */
export function aCheckout(): Checkout {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-version-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  for (const name of ['src', 'sql', 'migrations', 'package.json'])
    fs.cpSync(path.join(checkout, name), path.join(folder, name), { recursive: true });
  fs.symlinkSync(path.join(checkout, 'node_modules'), path.join(folder, 'node_modules'));
  return {
    edit(file, from, to) {
      const whole = fs.readFileSync(path.join(folder, file), 'utf8');
      const changed = whole.replace(from, to);
      if (changed === whole) throw new Error(`${file} has no ${from}`);
      fs.writeFileSync(path.join(folder, file), changed);
    },
    run: (command, env) =>
      new Promise((resolve) => {
        execFile(
          process.execPath,
          ['--import', './src/process/check-node.mjs', 'src/main.ts', command],
          { cwd: folder, env: { ...bare(), LOG_LEVEL: 'warn', ...env } },
          (error, stdout, stderr) =>
            resolve({ code: error ? (error.code ?? null) : 0, output: `${stdout}${stderr}`.trim() }),
        );
      }),
  };
}
