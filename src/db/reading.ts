// Where public reads come from: a pool of their own on the database or on a replica, and what changes. Decisions 120.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../process/log.ts';
import { type Clock, call, read } from './call.ts';
import { Failure, isLost } from './errors.ts';
import { lookOut } from './lookout.ts';
import { makePool } from './pool.ts';
import { positionOf, type ReplicaState, watchReplica } from './replica.ts';

/** Hears what changes in the database. While it cannot, anything may have changed. */
interface Audience {
  hear(): void;
  deafen(): void;
  /** `change` is a name of sql/reading/changes.sql; with `night`, `lastNight` is the last one that is published. */
  drop(change: string, lastNight: number | null): void;
}

export interface ReadingSource {
  /** The pool to read from now: the replica's if it has all that a reader may have seen. */
  pool(): Promise<pg.Pool>;
  /** The state of the replica; null if there is none. */
  readonly replica: ReplicaState | null;
  /** Connections to the database and to the replica, and reads that wait for one. */
  readonly connections: Readonly<Record<'busy' | 'idle' | 'waiting', number>>;
  /** Resolves when it is known which pool to read from; rejects if the replica's URL is wrong. */
  readonly ready: Promise<void>;
  /** A record and the clock of one snapshot. Not `current` if a replica is behind, and the database cannot be asked. */
  read<T>(
    name: `api_public.${string}`,
    args: Parameters<typeof read>[2],
  ): Promise<{ clock: Clock; record: T; current: boolean }>;
  /**
   * Resolves when everything committed before has been found here: for a caller that changed something and reads it
   * back.
   */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

export interface ReadingOptions {
  /** The web login on the database itself: a replica is later. */
  readonly url: string;
  readonly replicaUrl: string | null;
  /** How many connections may read. */
  readonly max: number;
  readonly audience: Audience;
  readonly log: Logger;
}

/** What only the worker looks for. */
const ofTheWorker = /^work:/;

/**
 * While the replica cannot be read from, the database itself gives this many connections to reads: play comes first.
 */
const mostInstead = 2;
/**
 * A database that this process does not hear of may be gone: readers wait this long for it before they get what a
 * replica has.
 */
const deafMs = 1_000;

interface Source {
  readonly pool: pg.Pool;
  readonly current: boolean;
}

export function readingSource({ url, replicaUrl, max, audience, log }: ReadingOptions): ReadingSource {
  // No deposit waits for these reads: the first page of a night of a million accounts may take a second.
  // A read that waits for a lock has met a migration or maintenance, and soon gives its connection back to reads of
  // something else.
  const readers = (url: string, max: number) =>
    makePool({ url, name: 'hill reading', log, max, statementTimeoutMs: 10_000, lockTimeoutMs: 500 });
  const database = readers(url, replicaUrl ? Math.min(max, mostInstead) : max);
  const primary = hear({ url, replicaUrl, audience, log });
  const copies = replicaUrl ? readers(replicaUrl, max) : undefined;
  const replica = replicaUrl ? watchReplica(replicaUrl, primary.written, log) : undefined;
  const fromDatabase: Source = { pool: database, current: true };
  /** What the database itself says, unless it is away: then an old hill is better than none. */
  const clockOfDatabase = (): Promise<Clock> => {
    const asked = call<Clock>(database, 'api_public.clock');
    if (primary.heard) return asked;
    const tooLong = sleep(deafMs, undefined, { ref: false }).then(() =>
      Promise.reject(new Failure('UNAVAILABLE', new Error('not heard of'))),
    );
    return Promise.race([asked, tooLong]);
  };
  const choose = async (): Promise<Source> => {
    if (!copies || replica?.state !== 'ok') return fromDatabase;
    let replayed: bigint | null;
    let clock: Clock;
    try {
      // Asked before anything is read there: a replica only moves forward.
      [replayed, clock] = await unless(
        replica.given,
        Promise.all([positionOf(copies), call<Clock>(copies, 'api_public.clock')]),
      );
    } catch (error) {
      if (!replica.failed(error)) throw error;
      return fromDatabase;
    }
    const { needed } = primary;
    const hasAllAnnounced = replayed !== null && needed !== undefined && replayed >= needed;
    if (hasAllAnnounced && isWhole(clock)) return { pool: copies, current: true };
    try {
      const itself = await clockOfDatabase();
      const same = clock.last_night === itself.last_night && clock.boards_night === itself.boards_night;
      return hasAllAnnounced && same ? { pool: copies, current: true } : fromDatabase;
    } catch (error) {
      if (primary.heard || !isLost(error)) throw error;
      return { pool: copies, current: false };
    }
  };

  return {
    pool: async () => (await choose()).pool,
    get replica() {
      return replica?.state ?? null;
    },
    get connections() {
      const sum = { busy: 0, idle: 0, waiting: 0 };
      for (const { totalCount, idleCount, waitingCount } of copies ? [database, copies] : [database]) {
        sum.busy += totalCount - idleCount;
        sum.idle += idleCount;
        sum.waiting += waitingCount;
      }
      return sum;
    },
    ready: replica?.looked ?? Promise.resolve(),
    async read<T>(name: `api_public.${string}`, args: Parameters<typeof read>[2]) {
      const { pool, current } = await choose();
      if (pool === copies && replica) {
        try {
          return { ...(await unless(replica.given, read<T>(pool, name, args))), current };
        } catch (error) {
          if (!replica.failed(error)) throw error;
        }
      }
      return { ...(await read<T>(database, name, args)), current: true };
    },
    caughtUp: primary.caughtUp,
    async stop() {
      await primary.stop();
      await replica?.stop();
      await Promise.all([database.end(), copies?.end()]);
    },
  };
}

/**
 * Hears what changes in the database, tells the audience, and asks after each change how far a replica must have
 * replayed to have it.
 */
function hear({ url, replicaUrl, audience, log }: Omit<ReadingOptions, 'max'>) {
  let needed: bigint | undefined;
  let asking = 0;

  const ask = async (query: <R extends pg.QueryResultRow>(text: string) => Promise<R | undefined>) => {
    asking += 1;
    needed = undefined;
    const turn = asking;
    // Asked after the commit was seen, so at least as far. The insert position, since an asynchronous commit is seen
    // before it is written.
    const row = await query<{ position: string }>(
      "select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as position",
    );
    if (row && turn === asking) needed = BigInt(row.position);
  };
  let query: Parameters<typeof ask>[0] | undefined;

  const lookout = lookOut(
    url,
    'api_public.changes',
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
      },
      changed(change, lastNight) {
        if (ofTheWorker.test(change)) return;
        audience.drop(change, lastNight);
        if (replicaUrl && query) ask(query).catch(() => {});
      },
    },
    log,
  );

  const written = async () => {
    const row = await query?.<{ position: string }>(
      "select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text as position",
    ).catch(() => undefined);
    return row && BigInt(row.position);
  };

  return {
    /** In bytes of WAL. Undefined while that is being asked. */
    get needed() {
      return needed;
    },
    /** Whether the database is heard of now. */
    get heard() {
      return query !== undefined;
    },
    written,
    caughtUp: lookout.look,
    stop: lookout.stop,
  };
}

/**
 * Whether each bell that has rung is published here, with its boards. Where one is not, the night may be published
 * elsewhere and heard by another web process, but not yet to this one.
 */
const isWhole = ({ day, last_night, boards_night }: Clock): boolean =>
  last_night >= day - 1 && boards_night >= last_night;

/** The answer, unless the replica that was asked is given up meanwhile. */
function unless<T>(given: AbortSignal, asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Failure('UNAVAILABLE', new Error('the replica was given up')));
    given.addEventListener('abort', giveUp, { once: true });
    asked.then(resolve, reject).finally(() => given.removeEventListener('abort', giveUp));
  });
}
