// Checks a hill beside the page, so that the page stays alive: the verifier of npm run verify, with PostgreSQL as
// WebAssembly. Rules 20.14.
import { z } from 'zod';
import { parseVerifierKey } from '../log/note.ts';
import { unpacked } from '../log/tar.ts';
import { openedArchive } from '../verify/archive.ts';
import type { Engine } from '../verify/engine.ts';
import { verifyHill } from '../verify/index.ts';
import type { KnownLogs } from '../verify/known-logs.ts';
import { sha256 } from '../verify/nights.ts';
import { openPGlite, type PGliteParts } from '../verify/pglite.ts';
import { Missing, servedAt } from '../verify/reading.ts';
import { receiptsIn } from '../verify/receipts.ts';
import { concluded } from '../verify/report.ts';
import type { FromWorker, Parts, Task, ToWorker } from './messages.ts';

z.config({ jitless: true }); // or it would try whether it may make code of text, which the page's policy forbids

let made: Promise<PGliteParts> | undefined;

const compiled = async ({ pglite, initdb, data }: Parts) => ({
  pgliteWasmModule: await WebAssembly.compile(pglite),
  initdbWasmModule: await WebAssembly.compile(initdb),
  fsBundle: new Blob([data]),
});

/** The last one: as a rule one engine resolves many nights. */
let last: { readonly of: string; readonly engine: Awaited<ReturnType<typeof openPGlite>> } | undefined;

async function withEngine<T>(source: Uint8Array, use: (engine: Engine) => Promise<T>): Promise<T> {
  const of = sha256(source);
  if (last?.of !== of) {
    await last?.engine.close();
    last = undefined;
    last = { of, engine: await openPGlite(source, await made) };
  }
  return use(last.engine);
}

const tell = (message: FromWorker): void => self.postMessage(message);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What is to be checked: over the network, or in a tar of what `npm run verify -- --save` keeps, gzipped or not. */
async function hillOf(of: Task['of']) {
  if (typeof of === 'string') return { url: of, hill: servedAt(of), nights: 'all' as const };
  const gzipped = new Uint8Array(of, 0, 2).join() === '31,139';
  const tar = gzipped
    ? await new Response(new Blob([of]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer()
    : of;
  const archive = openedArchive(new Map(unpacked(new Uint8Array(tar))));
  tell({ said: `Saved of ${archive.url} at ${archive.savedAt}. Nothing is asked of the hill.`, holds: null });
  return archive;
}

/** As the reader gave them: a log's key is pinned, a witness's must have signed. */
function keysIn(text: string, seen: KnownLogs) {
  const keys = text.split(/\s+/).filter(Boolean);
  const all = keys.map((key) => ({ key, verifier: parseVerifierKey(key) }));
  for (const { key, verifier } of all)
    if (verifier.type === 'ed25519') seen[verifier.name] = { key, checkpoints: seen[verifier.name]?.checkpoints ?? [] };
  return all.flatMap(({ verifier }) => (verifier.type === 'ed25519' ? [] : [verifier]));
}

async function check({ of, days, held, keys, seen: kept }: Task): Promise<void> {
  const { url, hill, nights } = await hillOf(of);
  const seen = structuredClone(kept[url] ?? {});
  const witnesses = keysIn(keys, seen);
  let wrong = 0;
  const say = (holds: boolean, said: string): void => {
    if (!holds) wrong += 1;
    tell({ said, holds });
  };
  await verifyHill({
    hill,
    days: days.length === 0 && Array.isArray(nights) ? nights : days,
    held: receiptsIn(held),
    seen,
    withEngine,
    say,
    note: (said) => tell({ said, holds: null }),
    witnesses,
    logOnly: nights === 'none',
    progress: (doing, done, all) => tell({ doing, done, of: all }),
  }).catch((error: unknown) => {
    if (!(error instanceof Missing)) throw error;
    say(false, error.message);
  });
  tell({ ended: concluded(wrong), wrong, url, seen: wrong === 0 ? seen : null });
}

self.onmessage = ({ data }: MessageEvent<ToWorker>): void => {
  if ('parts' in data) {
    made = compiled(data.parts);
    made.then(
      () => tell({ ready: true }),
      (error: unknown) => tell({ failed: messageOf(error) }),
    );
  } else check(data.task).catch((error: unknown) => tell({ failed: messageOf(error) }));
};
