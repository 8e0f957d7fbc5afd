// db/reading.ts · where public reads come from: a pool of their own on the database or on a replica, and notifications of what changes.
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type pg from 'pg';
import type { Logger } from '../process/log.ts';
import { type Clock, read } from './call.ts';
import { Failure } from './errors.ts';
import { listenTo } from './listener.ts';
import { makePool } from './pool.ts';
import { positionOf, type ReplicaState, watchReplica } from './replica.ts';

/** Is told what changes in the database. While it cannot be told, anything may have changed. */
interface Audience {
  hear(): void;
  deafen(): void;
  /** `change` is a name of sql/reading/changes.sql; 'night' and 'boards' stand for a bell and its boards. */
  drop(change: string): void;
}

export interface ReadingSource {
  /** The pool to read from now. */
  readonly pool: pg.Pool;
  /** The state of the replica; null if there is none. */
  readonly replica: ReplicaState | null;
  /** Resolves when it is known which pool to read from; rejects if the replica's URL is wrong. */
  readonly ready: Promise<void>;
  /** A record and the clock of one snapshot. Not `current` if a replica had not yet replayed all that was announced before the read. */
  read<T>(name: `api_public.${string}`, args: Parameters<typeof read>[2]): Promise<{ clock: Clock; record: T; current: boolean }>;
  /** Resolves when everything committed before has been announced here: for a caller that changed something and reads it back. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

export interface ReadingOptions {
  /** The web login on the database itself: a replica sends no notifications. */
  readonly url: string;
  readonly replicaUrl: string | null;
  /** How many connections may read. */
  readonly max: number;
  readonly audience: Audience;
  readonly log: Logger;
}

const changes: Readonly<Record<string, string>> = { hill_night: 'night', hill_boards: 'boards' };

/** While the replica cannot be read from, the database itself gives this many connections to reads: play comes first. */
const mostInstead = 2;

export function readingSource({ url, replicaUrl, max, audience, log }: ReadingOptions): ReadingSource {
  // No deposit waits for these reads: the first page of a night of a million accounts may take a second.
  // A read that waits for a lock has met a migration or maintenance, and soon gives its connection back to reads of something else.
  const readers = (url: string, max: number) =>
    makePool({ url, name: 'hill reading', log, max, statementTimeoutMs: 10_000, lockTimeoutMs: 500 });
  const database = readers(url, replicaUrl ? Math.min(max, mostInstead) : max);
  /** How far a replica must have replayed to have seen all that was announced, in bytes of WAL. Undefined while that is being asked. */
  let needed: bigint | undefined;
  let asking = 0;

  const ask = async (query: <R extends pg.QueryResultRow>(text: string) => Promise<R | undefined>) => {
    asking += 1;
    needed = undefined;
    const turn = asking;
    // Asked after the commit that was announced, so at least as far. The insert position, since an asynchronous commit is announced before it is written.
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

  const written = async () => {
    const row = await query?.<{ position: string }>("select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text as position").catch(
      () => undefined,
    );
    return row && BigInt(row.position);
  };
  const copies = replicaUrl ? readers(replicaUrl, max) : undefined;
  const replica = replicaUrl ? watchReplica(replicaUrl, written, log) : undefined;
  const fromReplica = async <T>(pool: pg.Pool, name: `api_public.${string}`, args: Parameters<typeof read>[2]) => {
    // Asked before the snapshot is taken: afterwards it could be further than what was read.
    const replayed = await positionOf(pool);
    const answer = await read<T>(pool, name, args);
    return { ...answer, current: replayed === null || (needed !== undefined && replayed >= needed) };
  };

  return {
    get pool() {
      return copies && replica?.state === 'ok' ? copies : database;
    },
    get replica() {
      return replica?.state ?? null;
    },
    ready: replica?.looked ?? Promise.resolve(),
    async read<T>(name: `api_public.${string}`, args: Parameters<typeof read>[2]) {
      if (copies && replica?.state === 'ok') {
        try {
          return await unless(replica.given, fromReplica<T>(copies, name, args));
        } catch (error) {
          if (!replica.failed(error)) throw error;
        }
      }
      return { ...(await read<T>(database, name, args)), current: true };
    },
    async caughtUp() {
      if (!query) return; // nothing is kept in memory
      const echo = `echo ${randomUUID()}`;
      const heard = new Promise<void>((resolve) => {
        const done = () => {
          echoes.off(echo, done).off('lost', done);
          resolve();
        };
        echoes.on(echo, done).on('lost', done);
      });
      // notifications come in the order of commits, so this one comes after all others
      await query(`select pg_notify('hill_changed', '${echo}')`).catch(() => {});
      await heard;
    },
    async stop() {
      await listener.stop();
      await replica?.stop();
      await Promise.all([database.end(), copies?.end()]);
    },
  };
}

/** The answer, unless the replica that was asked is given up meanwhile. */
function unless<T>(given: AbortSignal, asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Failure('UNAVAILABLE', new Error('the replica was given up')));
    given.addEventListener('abort', giveUp, { once: true });
    asked.then(resolve, reject).finally(() => given.removeEventListener('abort', giveUp));
  });
}
