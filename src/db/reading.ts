// db/reading.ts · where the public reading comes from: a pool of its own on the database or on a replica of it, and word of what changes.
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type pg from 'pg';
import type { Logger } from '../log.ts';
import { type Clock, read } from './call.ts';
import { fromDatabase } from './errors.ts';
import { listenTo } from './listener.ts';
import { makePool } from './pool.ts';

/** Told of the database's changes. What cannot be heard may have changed. */
export interface Audience {
  hear(): void;
  deafen(): void;
  /** `change` as sql/reading/changes.sql names it; 'night' and 'boards' for a bell and its boards. */
  drop(change: string): void;
}

export interface ReadingSource {
  readonly pool: pg.Pool;
  /** A record and the clock of one snapshot; `current` unless a replica had not yet seen all that was told before it was asked. */
  read<T>(name: `api_public.${string}`, args: Parameters<typeof read>[2]): Promise<{ clock: Clock; record: T; current: boolean }>;
  /** Resolves when everything is told that was committed before: for whoever has changed something and reads it here. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

export interface ReadingOptions {
  /** The web login on the database itself: a replica tells nothing. */
  readonly url: string;
  readonly replicaUrl: string | null;
  readonly audience: Audience;
  readonly log: Logger;
}

const changes: Readonly<Record<string, string>> = { hill_night: 'night', hill_boards: 'boards' };

export function readingSource({ url, replicaUrl, audience, log }: ReadingOptions): ReadingSource {
  // Nobody's deposit waits for these: the first page of a night of a million accounts may take its second.
  // Who waits for a lock has met a migration or somebody's maintenance, and gives its connection back soon to those who read something else.
  const pool = makePool({ url: replicaUrl ?? url, name: 'hill reading', log, max: 6, statementTimeoutMs: 10_000, lockTimeoutMs: 1_000 });
  /** How far a replica must have replayed to have seen all that was told: bytes of WAL. Undefined while that is being asked for. */
  let needed: bigint | undefined;
  let asking = 0;

  const ask = async (query: <R extends pg.QueryResultRow>(text: string) => Promise<R | undefined>) => {
    asking += 1;
    needed = undefined;
    const turn = asking;
    // After the commit that was told of, so at least as far: where WAL is inserted, since an asynchronous commit is told of before it is written.
    const row = await query<{ position: string }>("select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as position");
    if (row && turn === asking) needed = BigInt(row.position);
  };
  let query: Parameters<typeof ask>[0] | undefined;
  const echoes = new EventEmitter().setMaxListeners(0);

  const listener = listenTo(
    url,
    ['hill_changed', 'hill_night', 'hill_boards'],
    {
      up(connected) {
        query = connected;
        if (replicaUrl) ask(connected).catch(() => {});
        audience.hear();
      },
      lost() {
        query = undefined;
        needed = undefined;
        audience.deafen();
        echoes.emit('lost');
      },
      told(channel, payload) {
        if (payload.startsWith('echo ')) {
          echoes.emit(payload);
          return;
        }
        audience.drop(changes[channel] ?? payload);
        if (replicaUrl && query) ask(query).catch(() => {});
      },
    },
    log,
  );

  return {
    pool,
    async read<T>(name: `api_public.${string}`, args: Parameters<typeof read>[2]) {
      // Before the snapshot is taken: afterwards, it could be further than what was read.
      const replayed = replicaUrl ? await position(pool) : null;
      const answer = await read<T>(pool, name, args);
      return { ...answer, current: replayed === null || (needed !== undefined && replayed >= needed) };
    },
    async caughtUp() {
      if (!query) return; // nothing is kept
      const echo = `echo ${randomUUID()}`;
      const heard = new Promise<void>((resolve) => {
        const done = () => {
          echoes.off(echo, done).off('lost', done);
          resolve();
        };
        echoes.on(echo, done).on('lost', done);
      });
      // it comes after all that was told before it, in the order of commits
      await query(`select pg_notify('hill_changed', '${echo}')`).catch(() => {});
      await heard;
    },
    async stop() {
      await listener.stop();
      await pool.end();
    },
  };
}

/** How far a replica has replayed, in bytes of WAL; null of a server that is none. */
async function position(pool: pg.Pool): Promise<bigint | null> {
  try {
    const { rows } = await pool.query<{ replayed: string | null }>(
      "select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text end as replayed",
    );
    const replayed = rows[0]?.replayed ?? null;
    return replayed === null ? null : BigInt(replayed);
  } catch (error) {
    throw fromDatabase(error);
  }
}
