// Who may log in, and who could see or become what no login should.
import { checkLogin, type DoorLogin, doorLogins, doors, elsewhere, settingOf, trustedLogins } from '../../db/logins.ts';
import { messageOf, StartError } from '../../process/start-error.ts';
import { type Check, fail, none, ok, warn } from '../check.ts';

const loginsWith = (found: readonly DoorLogin[], bad: (login: DoorLogin) => boolean) =>
  [...new Set(found.filter(bad).map(({ name }) => name))].join(', ');

export const roles: readonly Check[] = [
  {
    code: 'roles.missing',
    look: ({ asAnybody }) =>
      asAnybody(async (client) => {
        const found = await doorLogins(client);
        const without = doors.filter((door) => !found.some((login) => login.door === door && login.connects));
        if (without.length === 0) return ok('web, worker and console have logins');
        const [door] = without;
        return fail(
          `no login that is let in serves the ${without.join(', the ')}`,
          `${settingOf(door as 'web')}=postgres://…, then npm run migrate, which makes that login. If it is there: alter role … login, and grant connect on database hill to …`,
        );
      }),
    type: 'npm run migrate',
  },
  {
    code: 'roles.mighty',
    look: ({ asAnybody }) =>
      asAnybody(async (client) => {
        const mighty = loginsWith(await doorLogins(client), (login) => login.mighty);
        return mighty === ''
          ? ok('none can become the owner')
          : fail(
              `${mighty} serves, and could become the owner, or somebody whom no policy binds`,
              `psql -d hill -c '\\drg ${mighty.split(', ')[0]}', then for what is too much: revoke … from ${mighty}, or alter role ${mighty} nocreaterole`,
            );
      }),
    type: 'revoke hill from hill_web_login',
  },
  {
    code: 'roles.login',
    async look({ config }) {
      const named = doors.filter((door) => config.loginUrls[door]);
      if (named.length === 0) return none('the logins of web, worker and console are not named in settings');
      for (const door of named)
        try {
          await checkLogin(config.loginUrls[door] as string, door);
        } catch (error) {
          if (error instanceof StartError) return fail(messageOf(error));
          throw error;
        }
      return ok(`${named.map(settingOf).join(', ')} let in`);
    },
    type: 'npm run migrate, with that setting',
  },
  {
    code: 'roles.members',
    look: ({ asAnybody }) =>
      asAnybody(async (client) => {
        const found = await trustedLogins(client);
        const [first] = found;
        if (!first) return ok('nobody else owns or watches');
        const all = found.map(({ name, role }) => `${name} in ${role}`).join(', ');
        const type = `psql -d hill -c 'revoke ${first.role} from ${first.name}'`;
        return found.every(({ role }) => role === 'pg_monitor')
          ? warn(`sees from statistics when moves are deposited: ${all}`, type)
          : fail(`could change the hill, or have code of his own run by it: ${all}`, type);
      }),
    type: 'revoke hill_owner from …',
  },
  {
    code: 'roles.elsewhere',
    look: ({ asAnybody }) =>
      asAnybody(async (client) => {
        const others = await elsewhere(client);
        return others.length === 0
          ? ok('none is let into another database')
          : warn(
              `the hill's logins, or DBAs, are let into other databases (${others.join(', ')}), where nothing was closed to them`,
              `psql -c 'revoke connect, temporary on database ${others.join(', ')} from public'`,
            );
      }),
    type: 'revoke connect, temporary on database postgres, template1 from public',
  },
  {
    code: 'roles.ending',
    look: ({ asAnybody }) =>
      asAnybody(async (client) => {
        const { rows } = await client.query<{ may: boolean }>(
          "select pg_has_role('hill_owner', 'pg_signal_backend', 'usage') and pg_has_role('hill_owner', 'pg_read_all_stats', 'usage') as may",
        );
        return rows[0]?.may
          ? ok('the worker may end who is in the way of a bell')
          : warn('the worker may not end sessions that are in the way of a bell');
      }),
    type: 'psql -d hill -f sql/harden.sql, as a superuser, and then npm run migrate',
  },
];
