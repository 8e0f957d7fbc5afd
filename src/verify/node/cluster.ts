// Resolves nights by the engine that resolved them, from the sources that the log names, in a cluster of its own that
// ends with it. What runs there is no superuser, reaches no file and no program, and has a time limit. Rules 20.9,
// 20.10.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeHillDatabase } from '../../db/hill-database.ts';
import { prepareDatabase } from '../../db/migrate.ts';
import { makePool } from '../../db/pool.ts';
import { startCluster } from '../../embedded/index.ts';
import { filesIn } from '../../log/tar.ts';
import type { Logger } from '../../process/log.ts';
import { type Database, limited, usual, within } from '../engine.ts';

/** See withEngineAt. */
export async function withEngineOf<T>(
  source: Uint8Array,
  log: Logger,
  use: (engine: Database) => Promise<T>,
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

/** An engine that is loaded, in the database of which this is the owner's URL. */
export async function withEngineAt<T>(
  owner: URL,
  log: Logger,
  use: (engine: Database) => Promise<T>,
  limits = usual,
): Promise<T> {
  const url = new URL(owner);
  url.searchParams.set('options', '-c role=hill_dba -c default_transaction_read_only=on');
  const pool = makePool({ url: url.href, name: 'hill verify', log, max: 1, statementTimeoutMs: limits.night });
  pool.on('error', () => {}); // it ends with its cluster
  let ended = false;
  try {
    return await use(
      limited(
        (...asked) => pool.query(...asked),
        limits.night,
        () => {
          ended = true; // its cluster is stopped
        },
      ),
    );
  } finally {
    if (!ended) await pool.end();
  }
}

function unpack(source: Uint8Array, folder: string): void {
  for (const [name, bytes] of filesIn(source)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, bytes);
  }
}
