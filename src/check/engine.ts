// An engine in a worker of its own, which can be ended: PostgreSQL as WebAssembly hears nothing while it runs.
import type { Engine } from '../verify/engine.ts';
import { openPGlite } from '../verify/pglite.ts';
import type { FromEngine, Parts, ToEngine } from './messages.ts';

let engine: Promise<Engine> | undefined;

/** Of 64 KB each: it grows where that is not enough. */
const pages = 512;
/**
 * PGlite imports a memory of 128 MB at least, and copies all of it while it makes a database, which is more than a
 * phone has. The least is two bytes behind the name of the import. Where they are not what they were, all stays as it
 * is.
 */
function inLessMemory(wasm: Uint8Array<ArrayBuffer>) {
  const asked = [...new TextEncoder().encode('\x03env\x06memory'), 2, 1, 0x80, 0x10];
  const at = wasm.findIndex((_, from) => asked.every((byte, n) => wasm[from + n] === byte));
  if (at < 0) return { wasm };
  wasm.set([0x80 | (pages & 0x7f), pages >> 7], at + asked.length - 2);
  return { wasm, initialMemory: pages * 65_536 };
}

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
