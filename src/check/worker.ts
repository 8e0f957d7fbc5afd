// Checks a hill beside the page, so that the page stays alive: the verifier of npm run verify, with engines beside it.
// Rules 20.14.
import { z } from 'zod';
import { parseVerifierKey } from '../log/note.ts';
import { unpacked } from '../log/tar.ts';
import { openedArchive } from '../verify/archive.ts';
import { type Database, usual } from '../verify/engine.ts';
import { type Verification, verifyHill } from '../verify/index.ts';
import { sha256 } from '../verify/nights.ts';
import { Missing, servedAt } from '../verify/reading.ts';
import { receiptsIn } from '../verify/receipts.ts';
import { concluded } from '../verify/report.ts';
import { engineSql, wholeSql } from '../verify/source.ts';
import { openDatabase } from './databases.ts';
import type { FromWorker, Task } from './messages.ts';

z.config({ jitless: true }); // or it would try whether it may make code of text, which the page's policy forbids

/** The last one: as a rule one engine resolves many nights. */
let last: { readonly of: string; readonly engine: Awaited<ReturnType<typeof openDatabase>> } | undefined;

const withEngine =
  ({ parts, limits }: Task) =>
  async <T>(source: Uint8Array, use: (engine: Database) => Promise<T>): Promise<T> => {
    const of = sha256(source);
    if (release?.of === of) return use(undisturbed(release.database));
    if (last?.of !== of) {
      last?.engine.end();
      const engine = await openDatabase(parts, engineSql(source), limits, () => {
        last = undefined;
      });
      last = { of, engine };
    }
    return use(last.engine);
  };

/** Of this page: each hill leaves it as it was. */
let release: { readonly of: string; readonly database: Awaited<ReturnType<typeof openDatabase>> } | undefined;

const withRelease =
  ({ parts }: Task): Verification['withRelease'] =>
  async (use) => {
    if (!release) {
      const source = new Uint8Array(await parts.release.arrayBuffer());
      const database = await openDatabase(parts, wholeSql(source), usual, () => {
        release = undefined;
      });
      release = { of: sha256(source), database };
    }
    return use(release.database);
  };

/** Where it has the sources that the log names, it is that engine, too: a phone has no room for both. */
const undisturbed = (following: Database): Database => ({
  async query<R extends object>(...asked: Parameters<Database['query']>) {
    await following.query('savepoint engine');
    try {
      return await following.query<R>(...asked);
    } finally {
      await following.query('rollback to savepoint engine');
      await following.query('release savepoint engine');
    }
  },
});

const tell = (message: FromWorker): void => self.postMessage(message);

/** What is to be checked: over the network, or in a tar of what `npm run verify -- --save` keeps, gzipped or not. */
async function hillOf(of: Task['of']) {
  if (typeof of === 'string') return { url: of, hill: servedAt(of), nights: 'all' as const };
  const gzipped = new Uint8Array(await of.slice(0, 2).arrayBuffer()).join() === '31,139';
  const tar = gzipped ? new Response(of.stream().pipeThrough(new DecompressionStream('gzip'))) : of;
  const archive = openedArchive(new Map(unpacked(new Uint8Array(await tar.arrayBuffer()))));
  tell({ said: `Saved of ${archive.url} at ${archive.savedAt}. Nothing is asked of the hill.`, holds: null });
  return archive;
}

/** As the reader gave them: a log's key is pinned, a witness's must have signed. */
function keysIn(text: string) {
  const keys = text.split(/\s+/).filter(Boolean).map(parseVerifierKey);
  const pinned = keys.find(({ type }) => type === 'ed25519');
  return { witnesses: keys.filter(({ type }) => type !== 'ed25519'), ...(pinned ? { pinned } : {}) };
}

async function check(task: Task): Promise<void> {
  const { of, days, held, keys, seen: kept } = task;
  const { url, hill, nights } = await hillOf(of);
  const seen = structuredClone(kept[url] ?? {});
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
    withEngine: withEngine(task),
    withRelease: withRelease(task),
    say,
    note: (said) => tell({ said, holds: null }),
    ...keysIn(keys),
    logOnly: nights === 'none',
    progress: (doing, done, all) => tell({ doing, done, of: all }),
  }).catch((error: unknown) => {
    if (!(error instanceof Missing)) throw error;
    say(false, error.message);
  });
  tell({ ended: concluded(wrong), wrong, url, seen: wrong === 0 ? seen : null });
}

self.onmessage = ({ data }: MessageEvent<Task>): void => {
  check(data).catch((error: unknown) => tell({ failed: error instanceof Error ? error.message : String(error) }));
};
