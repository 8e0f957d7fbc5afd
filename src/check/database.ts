// PostgreSQL as WebAssembly in a worker of its own, which can be ended: while it runs, it hears nothing.
import type { Database } from '../verify/engine.ts';
import { openPGlite } from '../verify/pglite.ts';
import { inLessMemory } from './less-memory.ts';
import type { FromDatabase, Parts, ToDatabase } from './messages.ts';

let database: Promise<Database> | undefined;

async function opened({ pglite, initdb, data }: Parts, statements: readonly string[]): Promise<Database> {
  const { wasm, ...memory } = inLessMemory(new Uint8Array(await pglite.arrayBuffer()));
  return openPGlite(statements, {
    ...memory,
    pgliteWasmModule: await WebAssembly.compile(wasm),
    initdbWasmModule: await WebAssembly.compile(await initdb.arrayBuffer()),
    fsBundle: data,
  });
}

async function answered(asked: ToDatabase): Promise<FromDatabase> {
  try {
    if ('statements' in asked) {
      database = opened(asked.parts, asked.statements);
      await database;
      return { rows: [] };
    }
    const { rows = [] } = (await (await database)?.query(asked.text, asked.values)) ?? {};
    return { rows };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

self.onmessage = async ({ data, ports }: MessageEvent<ToDatabase>) => ports[0]?.postMessage(await answered(data));
