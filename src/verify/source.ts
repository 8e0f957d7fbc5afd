// The sources of an engine, as db/engine-source.ts packs them. Rules 20.9.

/** By path, each below migrations/committed or sql. Throws at whatever else a tar may have. */
export function filesIn(source: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (let at = 0; at + 512 <= source.length && source[at] !== 0; ) {
    const field = (from: number, length: number) =>
      String.fromCharCode(...source.subarray(at + from, at + from + length)).replace(/\0.*$/s, '');
    const name = field(0, 100);
    const size = Number.parseInt(field(124, 12), 8);
    if (!/^(migrations\/committed|sql)(\/[a-z0-9][a-z0-9_-]*)*\/[a-z0-9][a-z0-9_-]*\.sql$/.test(name) || !(size >= 0))
      throw new Error('The sources of the engine are not of their form.');
    files.set(name, source.subarray(at + 512, at + 512 + size));
    at += 512 + 512 * Math.ceil(size / 512);
  }
  return files;
}
