// Resolves nights by the engine that resolved them, from the sources that the log names, in a cluster of its own that
// ends with it. What runs there is no superuser, reaches no file and no program, and has a time limit. Rules 20.9,
// 20.10.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeHillDatabase } from '../../db/hill-database.ts';
import { prepareDatabase } from '../../db/migrate.ts';
import { makePool } from '../../db/pool.ts';
import { startCluster } from '../../embedded/index.ts';
import { filesIn } from '../../log/tar.ts';
import type { Logger } from '../../process/log.ts';
import { type Engine, EngineEnded } from '../engine.ts';

/** How long an engine may take, in milliseconds. Whoever wrote it may be who is doubted. */
interface Limits {
  readonly load: number;
  /** For one night of a million moves. */
  readonly night: number;
}

const usual: Limits = { load: 300_000, night: 600_000 };

/** See withEngineAt. */
export async function withEngineOf<T>(
  source: Uint8Array,
  log: Logger,
  use: (engine: Engine) => Promise<T>,
  limits = usual,
): Promise<T> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-engine-'));
  try {
    unpack(source, folder);
    const cluster = await startCluster({
      dir: fs.mkdtempSync(path.join(os.tmpdir(), 'hill-verify-')),
      ephemeral: true,
    });
    try {
      const url = new URL(await makeHillDatabase(cluster));
      await within(
        limits.load,
        'It was not loaded',
        prepareDatabase(url.href, { migrations: path.join(folder, 'migrations'), sql: path.join(folder, 'sql') }),
      );
      return await withEngineAt(url, log, use, limits);
    } finally {
      await cluster.stop();
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * An engine that is loaded, in the database of which this is the owner's URL. Throws EngineEnded: at once, too, after
 * it has thrown it once.
 */
export async function withEngineAt<T>(
  owner: URL,
  log: Logger,
  use: (engine: Engine) => Promise<T>,
  limits = usual,
): Promise<T> {
  const url = new URL(owner);
  url.searchParams.set('options', '-c role=hill_dba -c default_transaction_read_only=on');
  const pool = makePool({ url: url.href, name: 'hill verify', log, max: 1, statementTimeoutMs: limits.night });
  pool.on('error', () => {}); // it ends with its cluster
  let ended: EngineEnded | undefined;
  const query: Engine['query'] = async (...asked) => {
    if (ended) throw ended;
    try {
      // its statements may catch what ends them
      return await within(limits.night, 'It did not come to an end', pool.query(...asked));
    } catch (error) {
      if (error instanceof EngineEnded) ended = error;
      throw error;
    }
  };
  try {
    return await use({ query });
  } finally {
    if (!ended) await pool.end();
  }
}

/** Whatever it does afterwards, nobody waits for it: its cluster is stopped. */
async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  work.catch(() => {});
  const late = new AbortController();
  try {
    return await Promise.race([
      work,
      sleep(ms, undefined, { signal: late.signal }).then(() => {
        throw new EngineEnded(`${what} within ${ms / 1_000} seconds, and was ended.`);
      }),
    ]);
  } finally {
    late.abort();
  }
}

function unpack(source: Uint8Array, folder: string): void {
  for (const [name, bytes] of filesIn(source)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, bytes);
  }
}
