// An engine in a worker of its own, which can be ended: PostgreSQL as WebAssembly hears nothing while it runs.
import type { Engine } from '../verify/engine.ts';
import { openPGlite } from '../verify/pglite.ts';
import { inLessMemory } from './less-memory.ts';
import type { FromEngine, Parts, ToEngine } from './messages.ts';

let engine: Promise<Engine> | undefined;

async function opened({ pglite, initdb, data }: Parts, source: Uint8Array): Promise<Engine> {
  const { wasm, ...memory } = inLessMemory(new Uint8Array(await pglite.arrayBuffer()));
  return openPGlite(source, {
    ...memory,
    pgliteWasmModule: await WebAssembly.compile(wasm),
    initdbWasmModule: await WebAssembly.compile(await initdb.arrayBuffer()),
    fsBundle: data,
  });
}

async function answered(asked: ToEngine): Promise<FromEngine> {
  try {
    if ('source' in asked) {
      engine = opened(asked.parts, asked.source);
      await engine;
      return { rows: [] };
    }
    const { rows = [] } = (await (await engine)?.query(asked.text, asked.values)) ?? {};
    return { rows };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

self.onmessage = async ({ data, ports }: MessageEvent<ToEngine>) => ports[0]?.postMessage(await answered(data));
