// Resolves nights by the engine that resolved them, from the sources that the log names, in a cluster of its own that
// ends with it. What runs there is no superuser, reaches no file and no program, and has a time limit. Rules 20.9,
// 20.10.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { call } from '../db/call.ts';
import { makeHillDatabase } from '../db/hill-database.ts';
import { prepareDatabase } from '../db/migrate.ts';
import { makePool } from '../db/pool.ts';
import { startCluster } from '../embedded/index.ts';
import type { Logger } from '../process/log.ts';
import type { Verdicts } from './announcements.ts';

/** For one night. */
const longestMs = 600_000;

/** See engine.result_of. */
export const resultOf = (engine: pg.Pool, nightFile: string): Promise<string> =>
  call(engine, 'engine.result_of', { night: nightFile });

/** See engine.verdict. */
export async function verdictsOf(engine: pg.Pool): Promise<Verdicts> {
  const { rows } = await engine.query<{ case: string; verdict: string }>(
    `select a || ' ' || coalesce(p::text, 'nothing') as case, engine.verdict(a, p)::text as verdict
       from unnest('{PEACE,WAR,PASS}'::hill.move[]) a cross join unnest('{PEACE,WAR,null}'::hill.move[]) p`,
  );
  return new Map(rows.map((row) => [row.case, row.verdict]));
}

export async function withEngineOf<T>(source: Buffer, log: Logger, use: (engine: pg.Pool) => Promise<T>): Promise<T> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-engine-'));
  try {
    unpack(source, folder);
    const cluster = await startCluster({
      dir: fs.mkdtempSync(path.join(os.tmpdir(), 'hill-verify-')),
      ephemeral: true,
    });
    try {
      const url = new URL(await makeHillDatabase(cluster));
      await prepareDatabase(url.href, { migrations: path.join(folder, 'migrations'), sql: path.join(folder, 'sql') });
      url.searchParams.set('options', '-c role=hill_dba -c default_transaction_read_only=on');
      const engine = makePool({ url: url.href, name: 'hill verify', log, max: 1, statementTimeoutMs: longestMs });
      try {
        return await use(engine);
      } finally {
        await engine.end();
      }
    } finally {
      await cluster.stop();
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** What db/engine-source.ts packs; nothing else is written. */
function unpack(source: Buffer, folder: string): void {
  for (let at = 0; at + 512 <= source.length && source[at] !== 0; ) {
    const field = (from: number, length: number) =>
      source.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '');
    const name = field(0, 100);
    const size = Number.parseInt(field(124, 12), 8);
    if (!/^(migrations\/committed|sql)(\/[a-z0-9][a-z0-9_-]*)*\/[a-z0-9][a-z0-9_-]*\.sql$/.test(name) || !(size >= 0))
      throw new Error('The sources of the engine are not of their form.');
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, source.subarray(at + 512, at + 512 + size));
    at += 512 + 512 * Math.ceil(size / 512);
  }
}
