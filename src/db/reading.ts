// db/reading.ts · where the public reading comes from: a pool of its own on the database or on a replica of it, and word of what changes.
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type pg from 'pg';
import type { Logger } from '../process/log.ts';
import { type Clock, read } from './call.ts';
import { Failure } from './errors.ts';
import { listenTo } from './listener.ts';
import { makePool } from './pool.ts';
import { positionOf, type ReplicaState, watchReplica } from './replica.ts';

/** Told of the database's changes. What cannot be heard may have changed. */
interface Audience {
  hear(): void;
  deafen(): void;
  /** `change` as sql/reading/changes.sql names it; 'night' and 'boards' for a bell and its boards. */
  drop(change: string): void;
}

export interface ReadingSource {
  /** What to read from now. */
  readonly pool: pg.Pool;
  /** How the replica is; null where there is none. */
  readonly replica: ReplicaState | null;
  /** Resolves when it is known what to read from; rejects if the replica's URL is wrong. */
  readonly ready: Promise<void>;
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
  /** How many connections read. */
  readonly max: number;
  readonly audience: Audience;
  readonly log: Logger;
}

const changes: Readonly<Record<string, string>> = { hill_night: 'night', hill_boards: 'boards' };

/** While the replica is not fit to be read from, the database itself gets no more than so much of its reading: play comes first. */
const mostInstead = 2;

export function readingSource({ url, replicaUrl, max, audience, log }: ReadingOptions): ReadingSource {
  // Nobody's deposit waits for these: the first page of a night of a million accounts may take its second.
  // Who waits for a lock has met a migration or somebody's maintenance, and gives its connection back soon to those who read something else.
  const readers = (url: string, max: number) =>
    makePool({ url, name: 'hill reading', log, max, statementTimeoutMs: 10_000, lockTimeoutMs: 500 });
  const database = readers(url, replicaUrl ? Math.min(max, mostInstead) : max);
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

  const written = async () => {
    const row = await query?.<{ position: string }>("select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text as position").catch(
      () => undefined,
    );
    return row && BigInt(row.position);
  };
  const copies = replicaUrl ? readers(replicaUrl, max) : undefined;
  const replica = replicaUrl ? watchReplica(replicaUrl, written, log) : undefined;
  const fromReplica = async <T>(pool: pg.Pool, name: `api_public.${string}`, args: Parameters<typeof read>[2]) => {
    // Before the snapshot is taken: afterwards, it could be further than what was read.
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
      await replica?.stop();
      await Promise.all([database.end(), copies?.end()]);
    },
  };
}

/** What was asked for, unless what it was asked of is given up meanwhile. */
function unless<T>(given: AbortSignal, asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Failure('UNAVAILABLE', new Error('the replica was given up')));
    given.addEventListener('abort', giveUp, { once: true });
    asked.then(resolve, reject).finally(() => given.removeEventListener('abort', giveUp));
  });
}
