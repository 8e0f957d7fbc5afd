// Connections that plan the engine once for all nights. By itself PostgreSQL plans it anew for each night of a file,
// which costs four times what the night costs, and gives the same result. The case book, crowds and the rules of every
// night are tried with plans of their own.
import type pg from 'pg';
import type { TestDatabase } from '../hill/database.ts';

export function onePlan(db: TestDatabase): pg.Pool {
  const pool = db.pool(db.ownerUrl, 2);
  pool.on('connect', (client) => void client.query('set plan_cache_mode = force_generic_plan'));
  return pool;
}
