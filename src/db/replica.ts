// Decides whether a streaming replica can be read from: checked every two seconds, and given up at the first read that
// fails.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../process/log.ts';
import { messageOf } from '../process/start-error.ts';
import { Failure, fromDatabase, isLost } from './errors.ts';
import { checkLogin } from './logins.ts';
import { makePool } from './pool.ts';

export type ReplicaState = 'ok' | 'away' | 'behind';

export interface Replica {
  readonly state: ReplicaState;
  /** Aborted when it is given up: nothing that it was asked will be answered. */
  readonly given: AbortSignal;
  /** Resolves after the first check; rejects if the login of the URL may not serve. */
  readonly looked: Promise<void>;
  /** Reports a read that failed. Returns whether to read from the database itself instead. */
  failed(error: unknown): boolean;
  stop(): Promise<void>;
}

const lookMs = 2_000;
/** A replica that has not replayed what the database wrote this long ago is not read from. */
const mostBehindMs = 15_000;

interface Mark {
  readonly at: number;
  readonly position: bigint;
}

/** `written` asks the database how far it has written; it gives undefined while the database cannot be asked. */
export function watchReplica(url: string, written: () => Promise<bigint | undefined>, log: Logger): Replica {
  const probe = makePool({ url, name: 'hill replica', log, max: 1, statementTimeoutMs: 1_000, waitMs: 2_000 });
  const stopping = new AbortController();
  let state: ReplicaState | undefined;
  let given = new AbortController();
  /** The oldest position that it had not replayed at the last check. */
  let missing: Mark | undefined;

  const enter = (next: ReplicaState, why = '') => {
    if (state === next) return;
    if (next !== 'ok') log.warn({ replica: next }, `reading from the database itself: ${why}`);
    else if (state !== undefined) log.info({ replica: next }, 'the replica is well: it is read from again');
    state = next;
    if (next === 'away') given.abort();
    else if (given.signal.aborted) given = new AbortController();
  };
  const look = async (): Promise<void> => {
    let replayed: bigint | null | undefined;
    try {
      replayed = await positionOf(probe);
    } catch (error) {
      if (isLost(error)) return enter('away', 'the replica does not answer');
    }
    // At the start, and after it was away: another server may answer there now.
    if (state === undefined || state === 'away') await checkLogin(url, 'web', 'DATABASE_REPLICA_URL');
    if (missing && (typeof replayed !== 'bigint' || replayed >= missing.position)) missing = undefined;
    const close = missing === undefined;
    const position = await written();
    // One that was promoted by mistake stands still, while the database goes on.
    if (replayed === null && position !== undefined)
      return enter('away', 'the server of DATABASE_REPLICA_URL is not a replica');
    if (close && position !== undefined && typeof replayed === 'bigint' && replayed < position)
      missing = { at: Date.now(), position };
    // A replica that was far behind has to catch up completely, so that it does not flip back and forth. While the
    // database is away, an old replica is better than none.
    const far = state === 'behind' ? !close : missing !== undefined && Date.now() - missing.at > mostBehindMs;
    const behind = position !== undefined && far;
    enter(behind ? 'behind' : 'ok', 'the replica is far behind');
  };
  const looked = look();
  looked.catch(() => {}); // a failed start reports it by `looked`
  const done = (async () => {
    await looked.catch(() => {});
    while (!stopping.signal.aborted) {
      await sleep(lookMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) await look().catch((error: unknown) => enter('away', messageOf(error)));
    }
  })();
  return {
    get state() {
      return state ?? 'away';
    },
    get given() {
      return given.signal;
    },
    looked,
    failed(error) {
      if (isLost(error)) enter('away', 'the replica has failed a read');
      return isLost(error) || isConflict(error);
    },
    async stop() {
      stopping.abort();
      await done;
      await probe.end();
    },
  };
}

/** What a replica replays may remove rows that a read was looking at. */
const isConflict = (error: unknown): boolean =>
  error instanceof Failure && (error.cause as { code?: string } | undefined)?.code === '40001';

/** How far a replica has replayed, in bytes of WAL; null if the server is not a replica. */
export async function positionOf(pool: pg.Pool): Promise<bigint | null> {
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
