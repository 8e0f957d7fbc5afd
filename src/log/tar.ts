// The sources of an engine, as db/engine-source.ts packs them. Rules 20.9.
import { latin1 } from './bytes.ts';

export type Files = ReadonlyMap<string, Uint8Array>;

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
