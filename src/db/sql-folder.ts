// Reads sql/ in the order of load.sql.
//
// sql/load.sql is plain SQL and lines of the form `\ir path.sql`, which psql understands too. graphile-migrate 1.4 has
// no include of its own.
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from '../process/config.ts';
import { StartError } from '../process/start-error.ts';

export const sqlFolder = path.join(checkout, 'sql');

/** A run of lines of one file, between two includes. */
export interface Segment {
  readonly file: string;
  readonly firstLine: number;
  readonly text: string;
}

export function sqlFolderSegments(folder = sqlFolder): Segment[] {
  return expand(path.join(folder, 'load.sql'), []);
}

/** The files of our own folder, in their order. */
export function sqlFolderFiles(): ReadonlyMap<string, string> {
  sqlFolderSegments();
  return own;
}

const own = new Map<string, string>();

/** Of our own folder as it was read first: a deploy replaces the files under a process. */
function read(file: string): string {
  const text = own.get(file) ?? fs.readFileSync(file, 'utf8');
  if (file.startsWith(sqlFolder + path.sep)) own.set(file, text);
  return text;
}

function expand(file: string, includedBy: readonly string[]): Segment[] {
  if (includedBy.includes(file)) throw new StartError(`${shown(file)} includes itself.`);
  const segments: Segment[] = [];
  let pending: string[] = [];
  let firstLine = 1;
  const flush = (nextLine: number) => {
    if (pending.some((line) => line.trim() !== '')) segments.push({ file, firstLine, text: pending.join('\n') });
    pending = [];
    firstLine = nextLine;
  };
  const whole = read(file);
  if (!whole.includes('\\ir ')) return whole.trim() === '' ? [] : [{ file, firstLine: 1, text: whole }];
  const lines = whole.split('\n');
  for (const [index, line] of lines.entries()) {
    const [, included] = /^\\ir\s+(\S+)\s*$/.exec(line) ?? [];
    if (included === undefined) {
      pending.push(line);
      continue;
    }
    flush(index + 2);
    const target = path.resolve(path.dirname(file), included);
    if (!fs.existsSync(target)) throw new StartError(`${shown(file)}:${index + 1}: there is no file ${included}.`);
    segments.push(...expand(target, [...includedBy, file]));
  }
  flush(lines.length + 1);
  return segments;
}

/** The name of a file in messages. */
export const shown = (file: string): string => path.relative(checkout, file);
