// Whether PostgreSQL has room for the processes, and keeps some for the bell.
import type pg from 'pg';
import { usual } from '../../db/budget.ts';
import { call } from '../../db/call.ts';
import { type Door, doorLogins } from '../../db/logins.ts';
import { reserveVerdict } from '../../watch/index.ts';
import { type Check, fail, ok, warn } from '../check.ts';
import type { Sight } from '../sight.ts';

/** What a process of each kind opens, of the web as many as share a port. */
const needOf = ({ config }: Sight): Record<Door, number> => ({ ...usual, web: usual.web * config.webProcesses });

const reserveOf = ({ asOwner, figures }: Sight): Promise<string> =>
  asOwner((owner: pg.Client) => call<string>(owner, 'engine.bell_reserve')).catch(
    async () => (await figures()).reserve,
  );

export const connections: readonly Check[] = [
  {
    code: 'connections.room',
    look: (sight) =>
      sight.asAnybody(async (client) => {
        const { rows } = await client.query<{ room: number }>(
          `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as room`,
        );
        const room = rows[0]?.room ?? 0;
        const need = needOf(sight);
        const all = need.web + need.worker + need.console;
        return room >= all
          ? ok(`room for ${room}, and one of each needs ${all}`)
          : fail(
              `room for ${room} connections, and web (${need.web}), worker (${need.worker}) and console (${need.console}) open ${all}`,
            );
      }),
    type: 'psql -c "alter system set max_connections = 100", and restart PostgreSQL; or lower HILL_DATABASE_CONNECTIONS',
  },
  {
    code: 'connections.limit',
    look: (sight) =>
      sight.asAnybody(async (client) => {
        const need = needOf(sight);
        const short = (await doorLogins(client)).filter(({ most, door }) => most >= 0 && most < need[door]);
        return short.length === 0
          ? ok('no login is limited to fewer')
          : fail(
              short
                .map(({ name, most, door }) => `${name} may open ${most}, and a ${door} opens ${need[door]}`)
                .join('; '),
              `psql -c 'alter role ${short[0]?.name} connection limit -1'`,
            );
      }),
    type: 'alter role … connection limit -1',
  },
  {
    code: 'connections.reserve',
    async look(sight) {
      const reserve = await reserveOf(sight);
      const said = reserveVerdict(reserve)?.split('. npm')[0];
      if (!said) return ok('some are kept for the bell');
      return warn(
        said,
        reserve === 'none'
          ? 'psql -c "alter system set reserved_connections = 12", and restart PostgreSQL'
          : "psql -d hill -c 'grant pg_use_reserved_connections to hill with admin option', as a superuser, and then npm run migrate",
      );
    },
    type: 'docs/operations.md, Connections',
  },
];
