// Pools of connections of the serving logins.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../process/log.ts';
import { outsideRequests } from '../process/request.ts';
import { Client, knowBackend, patience } from './client.ts';

export interface PoolOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly log: Logger;
  readonly max?: number;
  /**
   * A statement that takes longer is cancelled by the server, and given up here a second later. 0: no limit while the
   * server works on it.
   */
  readonly statementTimeoutMs?: number;
  /** How long to wait for a new or a free connection. */
  readonly waitMs?: number;
  /** A statement that waits longer for a lock is cancelled. */
  readonly lockTimeoutMs?: number;
  /** Idle connections stay open, for work that is rare and should not wait for a new one. */
  readonly keepsIdle?: boolean;
}

/** How long the server has to report that it cancelled a statement. */
const graceMs = 1_000;
/** How long a connection is kept at most: the server's process remembers every partition that it has seen. */
const keptSeconds = 7 * 24 * 3_600;

// Amounts are bigint in SQL. A JavaScript number where it is exact, PostgreSQL's own digits where it would not be.
const int8 = (text: string): number | string => {
  const n = Number(text);
  return Number.isSafeInteger(n) ? n : text;
};
// A date has no time zone, and pg would give it the server's.
const date = (text: string): string => text;

const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, int8],
  [pg.types.builtins.DATE, date],
]);

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export function makePool({
  url,
  name,
  log,
  max = 10,
  statementTimeoutMs = 10_000,
  waitMs = patience.connectionTimeoutMillis,
  lockTimeoutMs,
  keepsIdle = false,
}: PoolOptions): pg.Pool {
  // Statements, since a pooler refuses or forgets what is asked for in the startup message.
  const settings = [
    // What changes the hill reads after taking a lock, and has to see what was committed meanwhile, whatever the
    // default of the database or the login is.
    "set default_transaction_isolation = 'read committed'",
    `set statement_timeout = ${statementTimeoutMs}`,
    ...(lockTimeoutMs === undefined ? [] : [`set lock_timeout = ${lockTimeoutMs}`]),
  ].join('; ');
  const pool = new pg.Pool({
    ...patience,
    Client: Client as unknown as new () => pg.ClientBase,
    connectionString: url,
    application_name: name,
    max,
    types,
    connectionTimeoutMillis: waitMs,
    ...(keepsIdle ? { idleTimeoutMillis: 0, maxLifetimeSeconds: keptSeconds } : {}),
    ...(statementTimeoutMs > 0 ? { deadlineMs: statementTimeoutMs + graceMs } : {}),
    onConnect: async (client: pg.ClientBase) => {
      await client.query(settings);
      // Only statements without a limit are asked after.
      if (statementTimeoutMs === 0) await knowBackend(client);
    },
  });
  // Without these listeners a connection that the server drops would end the process.
  pool.on('error', (error) => {
    // A database that is stopped right after may drop connections that are being closed: nothing is lost.
    if (!pool.ending) outsideRequests(() => log.warn(`lost an idle connection of ${name}: ${error.message}`));
  });
  // A connection outlives the request that opened it.
  pool.on('connect', (client) =>
    client.on('error', (error) => outsideRequests(() => log.debug(`lost a connection of ${name}: ${error.message}`))),
  );
  return pool;
}

/** The longest that an idle connection may take to show that it lives. */
const signMs = 500;

/** Asks each idle connection for a sign of life, and drops those that give none: where one was lost, others may be. */
export async function dropSilent(pool: pg.Pool): Promise<void> {
  const look = async () => {
    const client = await pool.connect();
    const lives = await Promise.race([client.query('select').then(yes, no), sleep(signMs, false, { ref: false })]);
    client.release(!lives);
  };
  await Promise.all(Array.from({ length: pool.idleCount }, () => look().catch(no)));
}

const yes = () => true;
const no = () => false;
