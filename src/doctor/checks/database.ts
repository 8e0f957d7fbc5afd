// The version of PostgreSQL, and what of this code is in the database.
import { contractProblem } from '../../db/contract.ts';
import { doors } from '../../db/logins.ts';
import { checkRestored, checkVersion, hasSqlFolder, migrationsOf } from '../../db/migrate.ts';
import { checkSettingsAsOwner } from '../../db/open-hill.ts';
import { messageOf, StartError } from '../../process/start-error.ts';
import { type Check, fail, ok } from '../check.ts';

/** What a start would refuse is wrong here, in the same words. */
const refused = async <T>(work: Promise<T>): Promise<string | undefined> => {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof StartError) return messageOf(error);
    throw error;
  }
};

export const database: readonly Check[] = [
  {
    code: 'database.version',
    look: ({ asAnybody }) =>
      asAnybody(async (client) => {
        const wrong = await refused(checkVersion(client));
        if (wrong) return fail(wrong);
        const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version");
        return ok(`PostgreSQL ${rows[0]?.version}`);
      }),
    type: 'pg_upgradecluster, or npm run backup and npm run restore into a server of version 18 (docs/backup.md)',
  },
  {
    code: 'database.restored',
    look: ({ asOwner }) =>
      asOwner(async (owner) => {
        const wrong = await refused(checkRestored(owner));
        return wrong ? fail(wrong) : ok();
      }),
    type: 'npm run restore -- FOLDER, with DATABASE_URL of a new and empty database',
  },
  {
    code: 'database.migrations',
    look: ({ asOwner }) =>
      asOwner(async (owner) => {
        let state = { done: 0, all: 0 };
        const wrong = await refused(migrationsOf(owner).then((found) => (state = found)));
        if (wrong) return fail(wrong, 'git -C /opt/hill pull && npm ci --omit=dev, then npm run doctor again');
        const { done, all } = state;
        return done === all ? ok(`${all} migrations`) : fail(`${all - done} of ${all} migrations have not been run`);
      }),
    type: 'npm run migrate',
  },
  {
    code: 'database.functions',
    async look({ asOwner, as, config }) {
      for (const door of doors.filter((one) => config.loginUrls[one] !== null)) {
        const wrong = await as(door, (login) => contractProblem(login, door)).catch(() => null); // roles.login says why
        if (wrong) return fail(wrong.split('. ')[0] as string);
      }
      const loaded = await asOwner(hasSqlFolder);
      return loaded ? ok('sql/ as it is here') : fail('sql/ was loaded by another version, or not at all');
    },
    type: 'npm run migrate',
  },
  {
    code: 'database.settings',
    look: ({ asOwner, config }) =>
      asOwner(async (owner) => {
        const wrong = await refused(checkSettingsAsOwner({ url: '', client: owner }, config));
        return wrong ? fail(wrong) : ok(`clock ${config.clock}`);
      }),
    type: 'set HILL_DAY_ONE and HILL_CLOCK to what this hill began with: psql -d hill -c "select day_one, clock from hill.settings"',
  },
  {
    code: 'database.durable',
    async look({ asAnybody, embedded }) {
      const off = await asAnybody(async (client) => {
        const { rows } = await client.query<{ name: string }>(
          `select s.name from (values ('fsync'), ('full_page_writes'), ('synchronous_commit')) s (name)
            where current_setting(s.name) = 'off'`,
        );
        return rows.map(({ name }) => name);
      });
      return off.length === 0
        ? ok('commits are on the disk')
        : fail(
            `a crash of the machine can lose what was accepted: ${off.join(', ')} off`,
            `${embedded ? 'HILL_DATA_DIR=… npm run psql' : 'psql -d hill'} ${off.map((name) => `-c "alter system set ${name} = on"`).join(' ')} -c "select pg_reload_conf()"`,
          );
    },
    type: 'psql -d hill -c "alter system set fsync = on" -c "select pg_reload_conf()"',
  },
];
