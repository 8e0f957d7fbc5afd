// A lock file, so that one Hill at a time uses a data directory.
import fs from 'node:fs';
import path from 'node:path';
import { StartError } from '../process/start-error.ts';
import { startOf } from './processes.ts';

interface Holder {
  readonly pid: number;
  /** Process ids are reused, in containers at once. The start time says whether it is the same process. */
  readonly started: string | undefined;
}

/** Locks the directory, or throws a StartError that names the holder. Returns the function that unlocks it. */
export function lockDir(dir: string): () => void {
  const file = path.join(dir, 'hill.pid');
  const mine = `${file}.${process.pid}`;
  fs.writeFileSync(mine, JSON.stringify({ pid: process.pid, started: startOf(process.pid) } satisfies Holder));
  try {
    for (;;) {
      if (tryLink(mine, file)) return () => fs.rmSync(file, { force: true });
      const holder = read(file);
      if (holder && holder.started !== undefined && startOf(holder.pid) === holder.started)
        throw new StartError(
          `Another Hill (process ${holder.pid}) is using ${dir}: stop it first, or set HILL_DATA_DIR to another folder for a second hill.`,
        );
      takeAway(file, holder);
    }
  } finally {
    fs.rmSync(mine, { force: true });
  }
}

// Unlike a write, a link either makes the complete file or fails because one exists.
function tryLink(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function read(file: string): Holder | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

// Two processes that find the same dead holder must not remove each other's new lock: move the file aside, check what
// was moved, and put it back if it was not the dead one's.
function takeAway(file: string, dead: Holder | undefined): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    fs.renameSync(file, aside);
  } catch {
    return;
  }
  const moved = read(aside);
  if (moved?.pid !== dead?.pid || moved?.started !== dead?.started) tryLink(aside, file);
  fs.rmSync(aside, { force: true });
}
