// An engine in PostgreSQL as WebAssembly, made of the sources that the log names: nothing of it comes from a server
// that has prepared it. Runs in a browser and in Node.
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import type { Engine } from './engine.ts';
import { engineSql } from './source.ts';

/**
 * Runs with an engine in a database of its own, in memory, that ends with it. `parts` are what PGlite otherwise looks
 * for beside its own file.
 */
export async function withPGlite<T>(
  source: Uint8Array,
  use: (engine: Engine) => Promise<T>,
  parts: Pick<PGliteOptions, 'pgliteWasmModule' | 'initdbWasmModule' | 'fsBundle'> = {},
): Promise<T> {
  const database = await PGlite.create(parts);
  try {
    for (const statements of engineSql(source)) await database.exec(statements);
    return await use(database);
  } finally {
    await database.close();
  }
}
