// embedded/dir-lock.ts · one Hill at a time on one data directory.
import fs from 'node:fs';
import path from 'node:path';
import { StartError } from '../process/start-error.ts';
import { startOf } from './processes.ts';

interface Holder {
  readonly pid: number;
  /** Process ids are used again, in containers at once: the time of its start says whether this is the same process. */
  readonly started: string | undefined;
}

/** Takes the directory or throws a StartError that names who has it. Returns what gives it back. */
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

// A link, unlike a write, either makes the whole file or fails because there is one.
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

// Two that find the same dead holder must not take away each other's fresh lock: move it aside, look at what was moved, and if it was not
// the dead one put it back.
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
