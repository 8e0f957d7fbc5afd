// A database in PostgreSQL as WebAssembly, made of statements: nothing of it comes from a server that has prepared it.
// Runs in a browser and in Node.
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import type { Database } from './engine.ts';

/** What PGlite otherwise looks for beside its own file, and how much memory it begins with. */
type PGliteParts = Pick<PGliteOptions, 'pgliteWasmModule' | 'initdbWasmModule' | 'fsBundle' | 'initialMemory'>;

/** For one reader of little data, on a phone, too: a default PostgreSQL takes 150 MB more. */
const initDbStartParams = [
  ...['--wal-segsize=1', '-c', 'min_wal_size=2MB', '-c', 'max_wal_size=4MB'],
  ...['-c', 'shared_buffers=8MB'],
];

/** In memory. Throws if a statement fails. */
export async function openPGlite(
  statements: readonly string[],
  parts: PGliteParts = {},
): Promise<Database & { close(): Promise<void> }> {
  const database = await PGlite.create({ ...parts, initDbStartParams });
  try {
    for (const some of statements) await database.exec(some);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
