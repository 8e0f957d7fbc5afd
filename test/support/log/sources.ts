// Sources of engines that are not the hill's.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { engineSource } from '../../../src/db/engine-source.ts';
import { checkout } from '../../../src/process/config.ts';

/** The hill's own, with SQL behind a file of it. */
export function sourcesWith(file: string, sql: string): Buffer {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-hostile-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  for (const part of ['sql', 'migrations'])
    fs.cpSync(path.join(checkout, part), path.join(folder, part), { recursive: true });
  fs.appendFileSync(path.join(folder, file), sql);
  return engineSource({ sql: path.join(folder, 'sql'), migrations: path.join(folder, 'migrations') });
}
