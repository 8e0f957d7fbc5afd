// Reads what is published, and no more: for exports and verification.
import type pg from 'pg';

/** Begins a transaction that reads what is published and no more, as a DBA does. `owner` may become one. */
export async function beginReading(owner: pg.Client): Promise<void> {
  await owner.query(`
    begin transaction isolation level repeatable read read only; set local role hill_dba; set local statement_timeout = 0;
    set local search_path = pg_catalog, pg_temp; set local timezone = 'UTC'; set local datestyle = 'ISO';
    set local plan_cache_mode = force_custom_plan; set local work_mem = '256MB'; set local jit = off`);
}
