// What the page /check loads when it is asked to: the verifier and a database as a script for a worker each, PostgreSQL
// as WebAssembly, and the sources of this release. Made when somebody first asks for the page, and kept: other pages
// wait for nothing.
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { engineSource } from '../db/engine-source.ts';
import { ownSources } from '../db/migrate.ts';
import { checkout } from '../process/config.ts';

export interface Part {
  /** With the beginning of its SHA-256: what has that name never changes. */
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly sha256: string;
}
/** By what the page calls them. */
export type Parts = Readonly<Record<(typeof partNames)[number], Part>> & {
  /** Of the page. */
  readonly script: string;
  /** Of its service worker. */
  readonly offline: string;
};
/** Scripts, and what they are given. */
export const [scripts, given] = [['worker', 'database'] as const, ['pglite', 'initdb', 'data', 'release'] as const];
export const partNames = [...scripts, ...given] as const;

const wasm = 'application/wasm';
export const javascript = 'text/javascript; charset=utf-8';

export async function makeParts(): Promise<Parts> {
  const dist = path.dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  const ofPGlite = async (file: string, type: string) => part(file, type, await fs.readFile(path.join(dist, file)));
  const script = async (file: string) => part(`${file}.js`, javascript, Buffer.from(await bundled(file)));
  const [page, offline] = await Promise.all([bundled('page'), bundled('offline')]);
  return {
    ...{ script: page, offline },
    worker: await script('worker'),
    database: await script('database'),
    pglite: await ofPGlite('pglite.wasm', wasm),
    initdb: await ofPGlite('initdb.wasm', wasm),
    data: await ofPGlite('pglite.data', 'application/octet-stream'),
    release: part('release.tar', 'application/x-tar', engineSource(ownSources)),
  };
}

/** What is loaded before anything is checked, unpacked. */
export const bytesOf = (all: Parts): number => given.reduce((sum, name) => sum + all[name].bytes.length, 0);

function part(file: string, type: string, bytes: Buffer): Part {
  const { name, ext } = path.parse(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name: `${name}-${sha256.slice(0, 16)}${ext}`, type, bytes, sha256 };
}

const nothing = '\0nothing';
/** PGlite imports modules of Node, and calls them in Node alone. */
const withoutNode = {
  name: 'without Node',
  resolveId: (id: string) => (isBuiltin(id) ? nothing : null),
  load: (id: string) => (id === nothing ? 'export {};' : null),
};

/** A file of src/check with all that it imports, the same wherever it is made. */
async function bundled(file: string): Promise<string> {
  const bundle = await rolldown({
    input: path.join(checkout, 'src', 'check', `${file}.ts`),
    cwd: checkout,
    platform: 'browser',
    resolve: { conditionNames: ['browser', 'import', 'default'] },
    plugins: [withoutNode],
    // PGlite looks for its parts beside itself, unless they are given, as here
    transform: { define: { 'import.meta.url': '"https://nowhere.invalid/"' } },
    shimMissingExports: true,
    logLevel: 'silent',
  });
  try {
    const { output } = await bundle.generate({ format: 'iife', minify: true, codeSplitting: false });
    return output[0].code;
  } finally {
    await bundle.close();
  }
}
