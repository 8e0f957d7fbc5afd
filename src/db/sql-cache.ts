// Keeps what was read from sql/ beside the code that Node has compiled, so that few processes load PostgreSQL's parser.
// It stands under a hash of all that it was made from, so it is never older than the files. Where it is missing, a
// start takes longer, and that is all. Decisions 285.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import { checkout } from '../process/config.ts';
import type { Segment } from './sql-folder.ts';

type Read<T> = (segments: readonly Segment[]) => Promise<Map<string, T>>;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * What `read` makes of these segments, which must survive being written as JSON. `folder` is undefined where nothing is
 * kept.
 */
export async function cached<T>(
  name: string,
  segments: readonly Segment[],
  read: Read<T>,
  folder = getCompileCacheDir(),
): Promise<Map<string, T>> {
  if (folder === undefined) return read(segments);
  const file = path.join(folder, `hill-${name}.json`);
  const key = keyOf(segments);
  const found = lookUp<T>(file, key);
  if (found) return found;
  const made = await read(segments);
  keep(file, key, JSON.stringify([...made]));
  return made;
}

/** The texts, and what reads them: that file, with the parser of that version. */
const keyOf = (segments: readonly Segment[]): string => {
  const readers = [path.join(import.meta.dirname, 'sql-items.ts'), path.join(checkout, 'package.json')];
  return sha256(
    JSON.stringify([
      readers.map((file) => fs.readFileSync(file, 'utf8')),
      segments.map(({ file, text }) => [file, text]),
    ]),
  );
};

/** Undefined for what is absent, damaged, or made from other texts. */
function lookUp<T>(file: string, key: string): Map<string, T> | undefined {
  try {
    const [head, body] = fs.readFileSync(file, 'utf8').split('\n');
    return body !== undefined && head === headOf(key, body) ? new Map(JSON.parse(body)) : undefined;
  } catch {
    return undefined;
  }
}

/** Each of several processes that start at once writes a file of its own, and the last one stays. */
function keep(file: string, key: string, body: string): void {
  const mine = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(mine, `${headOf(key, body)}\n${body}`);
    fs.renameSync(mine, file);
  } catch {
    // a folder that cannot be written to is no error
  }
}

const headOf = (key: string, body: string): string => `${key} ${sha256(body)}`;
