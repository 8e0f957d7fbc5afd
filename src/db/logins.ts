// The logins that serve: web, worker and console. None of them can become the owner.
import { createHmac } from 'node:crypto';
import pg from 'pg';
import { StartError } from '../process/start-error.ts';
import { type Place, urlOf, withClient } from './connect.ts';
import { roleName } from './role-name.ts';
import { scramVerifier } from './scram.ts';

export const doors = ['web', 'worker', 'console'] as const;
export type Door = (typeof doors)[number];
export type LoginUrls = Readonly<Record<Door, string>>;

/** The roles of each door. The console takes its role for each query, so that it can read nothing by accident. */
const memberships: Record<Door, { roles: readonly string[]; how: string }> = {
  web: { roles: ['hill_public', 'hill_agent', 'hill_human', 'hill_oauth'], how: 'inherit true, set false' },
  worker: { roles: ['hill_worker'], how: 'inherit true, set false' },
  console: { roles: ['hill_staff'], how: 'inherit false, set true' },
};

export const settingOf = (door: Door) => `${door.toUpperCase()}_DATABASE_URL`;

/**
 * Makes the three logins, or brings them up to date, and returns their URLs. A URL that is given names its own login
 * and password.
 *
 * Other passwords are derived from a random secret in the database and the owner's password. So two servers on one
 * database agree on them, and neither a copy of the database nor the owner's password is enough to compute them.
 */
export async function makeLogins<D extends Door = Door>(
  place: Place,
  given: Partial<Record<Door, string | null>> = {},
  which: readonly D[] = doors as readonly Door[] as readonly D[],
): Promise<Record<D, string>> {
  const urls = await withClient(place, 'DATABASE_URL', async (owner) => {
    const secret = await loginSecret(owner);
    // Two sessions that alter one role at once get "tuple concurrently updated".
    await owner.query('begin; lock table graphile_migrate.login_secret in exclusive mode');
    const made = {} as Record<D, string>;
    for (const door of which) {
      const url = new URL(given[door] ?? urlOf(place));
      if (!given[door]) {
        url.username = roleName(owner.database as string, `${door}_login`);
        url.password = createHmac('sha256', secret)
          .update(`${url.username}\n${owner.password ?? ''}`)
          .digest('base64url');
      }
      await makeLogin(owner, door, decodeURIComponent(url.username), decodeURIComponent(url.password));
      made[door] = url.href;
    }
    await owner.query('commit');
    return made;
  });
  // all at once; of several that are wrong the first is named
  for (const checked of await Promise.allSettled(which.map((door) => checkLogin(urls[door], door))))
    if (checked.status === 'rejected') throw checked.reason;
  return urls;
}

async function loginSecret(owner: pg.Client): Promise<Buffer> {
  await owner.query(`
    create table if not exists graphile_migrate.login_secret (
      one     boolean primary key default true check (one),
      secret  bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    );
    insert into graphile_migrate.login_secret default values on conflict do nothing`);
  const { rows } = await owner.query<{ secret: Buffer }>('select secret from graphile_migrate.login_secret');
  return (rows[0] as { secret: Buffer }).secret;
}

/** What migrations make. Logins act as these roles, and none of these is a login. */
const ownRole = /^hill_(owner|dba|queue|public|agent|human|staff|oauth|worker|api(_\w+)?)$/;

async function makeLogin(owner: pg.Client, door: Door, name: string, password: string): Promise<void> {
  if (ownRole.test(name))
    throw new StartError(
      `${settingOf(door)}: ${name} is a role of Hill's own, and no login. Name another one there, such as hill_${door}_login, or leave the setting out to have one made.`,
    );
  const role = pg.escapeIdentifier(name);
  const { rows } = await owner.query<{ mighty: boolean; ours: boolean }>(
    `select ${mighty} as mighty, pg_has_role(current_user, r.oid, 'USAGE WITH ADMIN OPTION') or me.rolsuper as ours
       from pg_roles r, pg_roles me
      where r.rolname = $1 and me.rolname = current_user`,
    [name],
  );
  if (rows[0]?.mighty) throw tooMighty(door);
  // A login that somebody else made is only checked, below.
  if (rows[0] && !rows[0].ours) return;
  // A new role has no superuser, createdb and the like; an old one that has them was refused above.
  await owner.query(`${rows[0] ? 'alter' : 'create'} role ${role} login inherit password '${scramVerifier(password)}'`);
  await allowDatabase(owner, owner.database as string, [name]);
  await setMemberships(owner, door, name);
  if (door === 'worker') {
    await allowReserve(owner, role);
    await allowEnding(owner);
  }
}

const reserve = 'pg_use_reserved_connections';

/**
 * The bell must ring even when others have taken every connection: the worker may use reserved ones, if the owner can
 * grant that.
 */
async function allowReserve(owner: pg.Client, role: string): Promise<void> {
  const { rows } = await owner.query<{ may: boolean }>(
    `select pg_has_role(current_user, '${reserve}', 'MEMBER WITH ADMIN OPTION') as may`,
  );
  if (rows[0]?.may) await owner.query(`grant ${reserve} to ${role} with inherit true, set false`);
}

/**
 * trusted.free_server, which only the worker may call, ends sessions that are in the way of a bell: it runs as
 * hill_owner, which may see and end them if the owner of the database can grant that. See sql/harden.sql.
 */
async function allowEnding(owner: pg.Client): Promise<void> {
  for (const power of ['pg_signal_backend', 'pg_read_all_stats']) {
    const { rows } = await owner.query<{ wanted: boolean }>(
      `select pg_has_role(current_user, '${power}', 'MEMBER WITH ADMIN OPTION') and not pg_has_role('hill_owner', '${power}', 'USAGE') as wanted`,
    );
    if (rows[0]?.wanted) await owner.query(`grant ${power} to hill_owner with inherit true, set false`);
  }
}

async function setMemberships(owner: pg.Client, door: Door, name: string): Promise<void> {
  const role = pg.escapeIdentifier(name);
  const { roles, how } = memberships[door];
  const { rows } = await owner.query<{ rolname: string }>(
    'select distinct g.rolname from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = $1::regrole',
    [role],
  );
  // What an older version granted and this one does not is revoked.
  for (const { rolname } of rows)
    if (!roles.includes(rolname) && !(door === 'worker' && rolname === reserve))
      await owner.query(`revoke ${pg.escapeIdentifier(rolname)} from ${role}`);
  for (const granted of roles) await owner.query(`grant ${granted} to ${role} with ${how}`);
}

/** Lets the logins connect to this database, and nobody else. */
export async function allowDatabase(
  owner: pg.Client | pg.Pool,
  database: string,
  logins: readonly string[],
): Promise<void> {
  const quoted = pg.escapeIdentifier(database);
  await owner.query(`revoke connect, temporary on database ${quoted} from public`);
  await owner.query(
    `grant connect on database ${quoted} to ${logins.map((name) => pg.escapeIdentifier(name)).join(', ')}`,
  );
}

/**
 * Connects as the login, and refuses one with more power than its door needs: the last line of defence against a
 * mixed-up URL.
 */
export async function checkLogin(url: string, door: Door, setting = settingOf(door)): Promise<void> {
  await withClient(url, setting, async (login) => {
    const { rows } = await login.query<{ mighty: boolean; missing: string[]; owners: string[] }>(
      `select ${mighty} as mighty,
              array(select w from unnest($1::text[]) w where not exists (
                select from pg_roles g where g.rolname = w and pg_has_role(r.oid, g.oid, 'MEMBER'))) as missing,
              -- who owns a table can have code of his own run by whoever uses it
              array(select g.rolname::text from pg_roles g where g.oid <> r.oid and pg_has_role(r.oid, g.oid, 'MEMBER') and exists (
                select from pg_shdepend d join pg_database b on b.oid = d.dbid
                 where b.datname = current_database() and d.refclassid = 'pg_authid'::regclass and d.refobjid = g.oid and d.deptype = 'o')) as owners
         from pg_roles r where r.rolname = session_user`,
      [memberships[door].roles],
    );
    const { mighty: tooMuch, missing, owners } = rows[0] as { mighty: boolean; missing: string[]; owners: string[] };
    if (tooMuch) throw tooMighty(door, setting);
    if (owners.length > 0)
      throw new StartError(
        `${setting}: its login is a member of ${owners.join(', ')}, which owns what others use. Take that from it: revoke ${owners.join(', ')} from its login.`,
      );
    if (missing.length > 0)
      throw new StartError(
        `${setting}: its login is no member of ${missing.join(', ')}: run "npm run migrate" with this setting, which grants that.`,
      );
  });
}

export interface DoorLogin {
  readonly door: Door;
  readonly name: string;
  readonly mighty: boolean;
  /** May connect to this database. */
  readonly connects: boolean;
  /** Its own limit of connections; -1 for none. */
  readonly most: number;
  readonly reserved: boolean;
}

/** Every login that serves a door, as the catalog shows it to anybody. */
export async function doorLogins(client: pg.Client): Promise<DoorLogin[]> {
  const { rows } = await client.query<DoorLogin>(
    `select d.door, r.rolname::text as name, ${mighty} as mighty, has_database_privilege(r.oid, current_database(), 'connect') as connects,
            r.rolconnlimit as most, pg_has_role(r.oid, '${reserve}', 'USAGE') as reserved
       from unnest($1::text[], $2::text[]) d (door, role)
       join pg_auth_members m on m.roleid = to_regrole(d.role) and (m.inherit_option or m.set_option)
       join pg_roles r on r.oid = m.member and r.rolcanlogin and not r.rolsuper and coalesce(r.rolvaliduntil > now(), true)
      where r.oid <> (select b.datdba from pg_database b where b.datname = current_database())
      group by d.door, r.oid, r.rolname, r.rolcreaterole, r.rolconnlimit order by d.door, r.rolname`,
    [doors, doors.map((door) => memberships[door].roles[0])],
  );
  return rows;
}

export interface Trusted {
  readonly name: string;
  readonly role: string;
}

/** Logins beside superusers and the owner that are members of what owns the hill, or sees PostgreSQL's statistics. */
export async function trustedLogins(client: pg.Client): Promise<Trusted[]> {
  const { rows } = await client.query<Trusted>(
    `select r.rolname::text as name, g.rolname::text as role
       from pg_roles r
       join pg_roles g on g.rolname in ('hill_owner', 'hill_queue', 'pg_monitor') and pg_has_role(r.oid, g.oid, 'MEMBER')
       join pg_database d on d.datname = current_database()
      where r.rolcanlogin and not r.rolsuper and r.oid <> d.datdba
      order by 1, 2`,
  );
  return rows;
}

/** Other databases into which a login of the hill, or a DBA's, is let. */
export async function elsewhere(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select d.datname::text as name from pg_database d
      where d.datallowconn and d.datname <> current_database() and exists (
        select from pg_roles r join pg_auth_members m on m.member = r.oid join pg_roles g on g.oid = m.roleid
         where r.rolcanlogin and not r.rolsuper and r.oid <> (select b.datdba from pg_database b where b.datname = current_database())
           and g.rolname = any ($1) and has_database_privilege(r.oid, d.oid, 'connect'))
      order by 1`,
    [[...doors.flatMap((door) => memberships[door].roles), 'hill_dba']],
  );
  return rows.map(({ name }) => name);
}

/**
 * Whether a row r of pg_roles could become the owner of the database or the tables, or a role that bypasses row-level
 * security, such as that of backups.
 */
const mighty = `(
  r.rolcreaterole
  or exists (select from pg_roles g where (g.rolsuper or g.rolbypassrls or g.rolreplication) and pg_has_role(r.oid, g.oid, 'MEMBER'))
  or exists (select from pg_database d where d.datname = current_database() and pg_has_role(r.oid, d.datdba, 'MEMBER'))
  or exists (select from pg_namespace n where n.nspname = 'hill' and pg_has_role(r.oid, n.nspowner, 'MEMBER')))`;

const tooMighty = (door: Door, setting = settingOf(door)) =>
  new StartError(
    `${setting}: its login is the owner, or could become it. Name a login of its own there, or leave the setting out to have one made.`,
  );
