// An engine in PostgreSQL as WebAssembly, made of the sources that the log names: nothing of it comes from a server
// that has prepared it. Runs in a browser and in Node.
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import type { Engine } from './engine.ts';
import { engineSql } from './source.ts';

/** What PGlite otherwise looks for beside its own file, and how much memory it begins with. */
type PGliteParts = Pick<PGliteOptions, 'pgliteWasmModule' | 'initdbWasmModule' | 'fsBundle' | 'initialMemory'>;

/** For one reader of little data, on a phone, too: a default PostgreSQL takes 150 MB more. */
const initDbStartParams = [
  ...['--wal-segsize=1', '-c', 'min_wal_size=2MB', '-c', 'max_wal_size=4MB'],
  ...['-c', 'shared_buffers=8MB'],
];

/** In a database of its own, in memory. Throws if these are no sources of an engine. */
export async function openPGlite(
  source: Uint8Array,
  parts: PGliteParts = {},
): Promise<Engine & { close(): Promise<void> }> {
  const database = await PGlite.create({ ...parts, initDbStartParams });
  try {
    for (const statements of engineSql(source)) await database.exec(statements);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
