// Whether sql/harden.sql was run in the database, by the version that is installed.
import type { Logger } from '../process/log.ts';
import { type Place, withClient } from './connect.ts';

/** What its last change took from PUBLIC stands for all. */
const newest = ['pg_lock_status()', 'pg_stat_get_backend_wal(integer)'];

export function statisticsAreOpen(owner: Place): Promise<boolean> {
  return withClient(owner, 'DATABASE_URL', async (client) => {
    const { rows } = await client.query<{ open: boolean }>(
      "select bool_or(has_function_privilege('hill_dba', 'pg_catalog.' || f, 'execute')) as open from unnest($1::text[]) f",
      [newest],
    );
    return rows[0]?.open === true;
  });
}

/** A managed database may give nobody the right to close them: it serves all the same. */
export async function warnOfOpenStatistics(owner: Place, log: Logger): Promise<void> {
  if (await statisticsAreOpen(owner))
    log.warn(
      "PostgreSQL's statistics tell every login when moves are deposited: run sql/harden.sql as a superuser (docs/operations.md)",
    );
}
