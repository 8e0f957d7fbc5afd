// The file of what was seen of logs before.
import fs from 'node:fs';
import { StartError } from '../../process/start-error.ts';
import { type KnownLogs, knownLogs } from '../known-logs.ts';

export function readKnownLogs(file: string): KnownLogs {
  try {
    return knownLogs.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new StartError(`${file} is no file of "npm run verify". Name another one with --seen.`, { cause: error });
  }
}

/** Whole or not at all. */
export function writeKnownLogs(file: string, seen: KnownLogs): void {
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(seen, null, 2)}\n`);
  fs.renameSync(`${file}.new`, file);
}
