/** Of 64 KB each: it grows where that is not enough. */
const pages = 512;

/**
 * PGlite imports a memory of 128 MB at least, and copies all of it while it makes a database, which is more than a
 * phone has. The least is two bytes behind the name of the import. Where they are not what they were, all stays as it
 * is: the page then works where there is more memory, and test/verify/pglite.test.ts fails.
 */
export function inLessMemory(wasm: Uint8Array<ArrayBuffer>) {
  const asked = [...new TextEncoder().encode('\x03env\x06memory'), 2, 1, 0x80, 0x10];
  const at = wasm.findIndex((_, from) => asked.every((byte, n) => wasm[from + n] === byte));
  if (at < 0) return { wasm };
  wasm.set([0x80 | (pages & 0x7f), pages >> 7], at + asked.length - 2);
  return { wasm, initialMemory: pages * 65_536 };
}
