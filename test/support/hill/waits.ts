// Whether a client of a race waits for a lock by now.
import type pg from 'pg';
import { until } from '../until.ts';
import type { Hill } from './hill.ts';

/** Ask it before the client waits. */
export const pidOf = async (client: pg.ClientBase): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid as number;

export const waits = (hill: Hill, pid: number) =>
  until(
    'one that waits',
    async () =>
      (await hill.rows("select 1 from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'", [pid])).length > 0,
  );
