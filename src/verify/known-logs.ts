// What was seen of logs before: the key of each, and checkpoints that it signed. Without that file a hill could show
// each reader a log of its own.
import fs from 'node:fs';
import { z } from 'zod';
import { StartError } from '../process/start-error.ts';

const form = z.record(z.string(), z.object({ key: z.string(), checkpoints: z.array(z.string()) }));
/** By origin. */
export type KnownLogs = z.infer<typeof form>;

export function readKnownLogs(file: string): KnownLogs {
  try {
    return form.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
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
