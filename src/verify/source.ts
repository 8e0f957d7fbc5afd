// The sources of an engine, as db/engine-source.ts packs them, and what of them makes the engine. Rules 20.9.
import { latin1, text } from '../log/bytes.ts';

type Files = ReadonlyMap<string, Uint8Array>;

/** By path, each below migrations/committed or sql. Throws at whatever else a tar may have. */
export function filesIn(source: Uint8Array): Files {
  const files = new Map<string, Uint8Array>();
  for (const [name, bytes] of unpacked(source)) {
    if (!/^(migrations\/committed|sql)(\/[a-z0-9][a-z0-9_-]*)*\/[a-z0-9][a-z0-9_-]*\.sql$/.test(name))
      throw new Error('The sources of the engine are not of their form.');
    files.set(name, bytes);
  }
  return files;
}

/** What is in a tar (POSIX ustar), regular files alone, with their names. Throws where it breaks off. */
export function* unpacked(tar: Uint8Array): Generator<[name: string, bytes: Uint8Array]> {
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const field = (from: number, length: number) =>
      latin1(tar.subarray(at + from, at + from + length)).replace(/\0.*$/s, '');
    const size = Number.parseInt(field(124, 12), 8);
    const begin = at + 512;
    if (!(size >= 0) || begin + size > tar.length) throw new Error('This is no tar file, or it breaks off.');
    const prefix = field(257, 5) === 'ustar' ? field(345, 155) : '';
    if (/^0?$/.test(field(156, 1)))
      yield [prefix ? `${prefix}/${field(0, 100)}` : field(0, 100), tar.subarray(begin, begin + size)];
    at = begin + 512 * Math.ceil(size / 512);
  }
}

const alone = 'sql/engine.sql';

/**
 * What makes the engine in an empty database, in order: its package, sql/engine.sql; or all tables and functions, of
 * sources from before there was one.
 */
export function engineSql(source: Uint8Array): string[] {
  const files = filesIn(source);
  if (files.has(alone)) return [expanded(files, alone)];
  const migrations = [...files].filter(([name]) => name.startsWith('migrations/'));
  return [...migrations.map(([, bytes]) => text(bytes)), `begin;\n${expanded(files, 'sql/load.sql')}\ncommit;`];
}

/** Views of graphile-worker's tables, which a worker makes and nothing that resolves a night needs. */
const ofTheQueue = /^sql\/(looking|api\/staff)\/.*queue/;

/** A file with what it includes, as psql's \ir does. */
function expanded(files: Files, file: string): string {
  const bytes = files.get(file);
  if (!bytes) throw new Error(`The sources of the engine have no ${file}.`);
  const folder = file.slice(0, file.lastIndexOf('/'));
  return text(bytes).replace(/^\\ir\s+(\S+)\s*$/gm, (_, included: string) => {
    const name = `${folder}/${included}`;
    return ofTheQueue.test(name) ? '' : expanded(files, name);
  });
}
