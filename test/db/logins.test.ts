// The serving logins and the queue's: none has more power than its door needs, and each start makes the same ones.
import { Logger, run } from 'graphile-worker';
import { describe, expect, inject, test } from 'vitest';
import { checkLogin, doors, makeLogins } from '../../src/db/logins.ts';
import { prepareDatabase } from '../../src/db/migrate.ts';
import { useDatabase } from '../support/hill/database.ts';

const db = useDatabase();

describe('the serving logins', () => {
  test.each(doors)('%s has no power beside the roles of its door', async (door) => {
    const { rows } = await db.as(door).query(`
      select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
             pg_has_role(session_user, 'hill_owner', 'MEMBER') or pg_has_role(session_user, datdba, 'MEMBER') as can_become_owner,
             has_database_privilege(current_database(), 'CREATE, TEMPORARY') as can_make_things
        from pg_roles, pg_database
       where rolname = session_user and datname = current_database()`);

    expect(Object.values(rows[0])).toEqual(Array(7).fill(false));
  });

  test.each([
    ['web', ['hill_agent', 'hill_human', 'hill_oauth', 'hill_public'], 'USAGE'],
    ['worker', ['hill_worker'], 'USAGE'],
    ['console', ['hill_staff'], 'SET'],
  ] as const)('%s acts as %s', async (door, expected, how) => {
    const { rows } = await db
      .as(door)
      .query(
        "select rolname from pg_roles where rolname like 'hill%' and pg_has_role(session_user, oid, $1) and rolname <> session_user order by 1",
        [how],
      );

    expect(rows.map(({ rolname }) => rolname)).toEqual(expected);
  });

  test('the console has no right of the staff until it takes the role on', async () => {
    const { rows } = await db
      .as('console')
      .query("select pg_has_role(session_user, 'hill_staff', 'USAGE') as by_itself");

    expect(rows).toEqual([{ by_itself: false }]);
  });

  test.each(doors)('%s cannot connect to the other databases of the embedded cluster', async (door) => {
    const elsewhere = db.pool(Object.assign(new URL(db.url(door)), { pathname: '/postgres' }).href, 1);

    await expect(elsewhere.query('select 1')).rejects.toMatchObject({ code: '42501' });
  });

  test('are the same for every server that the owner starts', async () => {
    expect(await makeLogins(db.ownerUrl)).toEqual(await makeLogins(db.ownerUrl));
  });

  test('two servers can make them at once', async () => {
    await expect(Promise.all([1, 2, 3, 4].map(() => makeLogins(db.ownerUrl)))).resolves.toHaveLength(4);
  });

  test('may be named by the operator', async () => {
    const url = Object.assign(new URL(db.ownerUrl), { username: `${db.name}_site`, password: 'a b@c' }).href;

    const logins = await makeLogins(db.ownerUrl, { web: url }, ['web']);

    const { rows } = await db.pool(logins.web, 1).query('select session_user as me');
    expect(rows).toEqual([{ me: `${db.name}_site` }]);
  });

  test.each([
    ['worker', 'hill_worker'],
    ['web', 'hill_public'],
    ['console', 'hill_dba'],
    ['worker', 'hill_api_worker'],
  ] as const)('the %s may not be %s, a role that logins act as, and that stays as it was', async (door, name) => {
    const rights = () =>
      db.owner.query(
        `select r.rolcanlogin, array(select m.roleid::regrole::text from pg_auth_members m where m.member = r.oid order by 1) as roles,
                has_database_privilege(r.oid, current_database(), 'connect') as connects
           from pg_roles r where r.rolname = $1`,
        [name],
      );
    const { rows: before } = await rights();
    const url = Object.assign(new URL(db.ownerUrl), { username: name, password: 'x' }).href;
    await expect(makeLogins(db.ownerUrl, { [door]: url }, [door])).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(
        new RegExp(`^${door.toUpperCase()}_DATABASE_URL: ${name} is a role of Hill's own.* hill_${door}_login`),
      ),
    });
    expect((await rights()).rows).toEqual(before);
  });

  test.each(['the owner', 'a superuser'])('may not be %s', async (who) => {
    const url = who === 'the owner' ? db.ownerUrl : Object.assign(new URL(db.ownerUrl), { username: 'postgres' }).href;

    await expect(makeLogins(db.ownerUrl, { web: url })).rejects.toThrow(/WEB_DATABASE_URL: its login is the owner/);
    await expect(db.owner.query('select 1')).resolves.toBeDefined();
  });
});

describe('the queue', () => {
  test('belongs to hill_queue alone', async () => {
    const { rows } = await db.owner.query(`
      select distinct pg_get_userbyid(owner) as owner
        from (select relowner as owner from pg_class where relnamespace = 'graphile_worker'::regnamespace
              union select proowner from pg_proc where pronamespace = 'graphile_worker'::regnamespace
              union select nspowner from pg_namespace where nspname = 'graphile_worker')`);

    expect(rows).toEqual([{ owner: 'hill_queue' }]);
  });

  test('is looked at for another version of its library, and by no other start', async () => {
    const root = db.pool(Object.assign(new URL(inject('adminUrl')), { pathname: `/${db.name}` }).href, 1);
    const version = async () =>
      (await root.query<{ version: string }>('select version from graphile_migrate.queue')).rows[0]?.version;
    const installed = await version();
    // the library would begin again from nothing, and fail
    await root.query('alter table graphile_worker.migrations rename to away');
    await prepareDatabase(db.ownerUrl);

    await root.query("update graphile_migrate.queue set version = '0.0.1'");
    await expect(prepareDatabase(db.ownerUrl)).rejects.toThrow('already exists');
    expect(await version()).toBe('0.0.1');

    await root.query('drop table graphile_worker.migrations; alter table graphile_worker.away rename to migrations');
    await prepareDatabase(db.ownerUrl);
    expect(await version()).toBe(installed);

    // an operator who begins the queue anew
    await root.query('drop schema graphile_worker cascade; create schema graphile_worker authorization hill_queue');
    await prepareDatabase(db.ownerUrl);
    expect((await root.query("select to_regclass('graphile_worker._private_jobs') is not null as made")).rows).toEqual([
      { made: true },
    ]);
    await db.as('worker').query("select graphile_worker.add_job('look')");
    await root.query('set role hill_api_staff');
    expect((await root.query('select task from graphile_worker.show_jobs()')).rows).toEqual([{ task: 'look' }]);
    await root.query('reset role; delete from graphile_worker._private_jobs');
  });

  test('is taken from a login that was a member of its owner, and no such login serves', async () => {
    const { worker } = await makeLogins(db.ownerUrl);
    const name = new URL(worker).username;
    const grant = () => db.owner.query(`grant hill_queue to ${name} with inherit true, set false`);
    await grant();
    await expect(checkLogin(worker, 'worker')).rejects.toThrow(
      /WORKER_DATABASE_URL: its login is a member of hill_queue/,
    );

    await makeLogins(db.ownerUrl);
    await expect(checkLogin(worker, 'worker')).resolves.toBeUndefined();
  });

  test('leaves no login behind that made it', async () => {
    const { rows } = await db.owner.query("select rolname from pg_roles where rolname like '%queue_setup'");

    expect(rows).toEqual([]);
  });

  test("runs jobs with the worker's login", async () => {
    const done = Promise.withResolvers<unknown>();
    const runner = await run({
      pgPool: db.as('worker'),
      noHandleSignals: true,
      logger: new Logger(() => () => {}),
      taskList: { greet: async (payload) => done.resolve(payload) },
      crontab: '0 0 * * * greet',
    });
    await runner.addJob('greet', { name: 'hill' });

    await expect(done.promise).resolves.toEqual({ name: 'hill' });

    await runner.stop();
    await runner.promise;
  });
});
