// What is known of a process id read from a file: the process may be dead, and the id in use by another.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

/**
 * When the process began, in the system's own format; undefined if it is dead. Tells two processes with the same id
 * apart.
 */
export function startOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return undefined;
  }
  const fields = statOf(pid);
  if (fields) return fields[0] === 'Z' ? undefined : fields[19];
  if (process.platform === 'linux') return undefined;
  return ps(pid, 'lstart=');
}

/** True if this live process is a postmaster of that data directory. */
export function isPostmasterOf(pid: number, data: string): boolean {
  if (startOf(pid) === undefined) return false;
  if (process.platform === 'linux') {
    try {
      return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(data);
    } catch {
      return false;
    }
  }
  return ps(pid, 'command=')?.includes(data) ?? false;
}

// The fields after the name, which is in parentheses and may contain spaces. The first is the state, the twentieth the
// start time in ticks.
function statOf(pid: number): string[] | undefined {
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
  } catch {
    return undefined;
  }
}

function ps(pid: number, column: string): string | undefined {
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
