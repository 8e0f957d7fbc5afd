// db/pool.ts · pools of connections of the serving logins.
import pg from 'pg';
import type { Logger } from '../process/log.ts';
import { outsideRequests } from '../process/request.ts';
import { Client, patience } from './client.ts';

export interface PoolOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly log: Logger;
  readonly max?: number;
  /** A statement that takes longer is cancelled by the server, and given up here a second later. 0: no limit while the server works on it. */
  readonly statementTimeoutMs?: number;
  /** How long to wait for a new or a free connection. */
  readonly waitMs?: number;
  /** A statement that waits longer for a lock is cancelled. */
  readonly lockTimeoutMs?: number;
}

/** How long the server has to report that it cancelled a statement. */
const graceMs = 1_000;

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
}: PoolOptions): pg.Pool {
  const limits = statementTimeoutMs > 0 ? { statement_timeout: statementTimeoutMs, deadlineMs: statementTimeoutMs + graceMs } : {};
  const pool = new pg.Pool({
    ...patience,
    Client: Client as unknown as new () => pg.ClientBase,
    connectionString: url,
    application_name: name,
    max,
    types,
    connectionTimeoutMillis: waitMs,
    ...limits,
    ...(lockTimeoutMs === undefined ? {} : { lock_timeout: lockTimeoutMs }),
    // What changes the hill reads after taking a lock, and has to see what was committed meanwhile, whatever the default of the database or the login is.
    options: '-c default_transaction_isolation=read\\ committed',
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
