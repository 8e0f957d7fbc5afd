// The worker's login writes the rows of its queue and owns nothing of it: what it might make of the queue's tables
// would run for staff who read them. And what runs in a session of the database finds no bearer token in its settings.
// Decisions 231 and 490.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { useConsole } from '../support/doors/console.ts';
import { anAccount, refusalOf, useHill } from '../support/hill/index.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const staff = useConsole(hill);
let cookie: string;

beforeAll(async () => {
  await anAccount(hill, { name: 'Ann' });
  cookie = await staff.signIn('Sam');
});

/** What a notice says that `act` makes a session of the database send. */
async function spiedBy(act: () => Promise<unknown>): Promise<{ as: string; session: string }> {
  const worker = await hill.as('worker').connect();
  const heard: string[] = [];
  worker.on('notification', ({ payload = '' }) => heard.push(payload));
  try {
    await worker.query('listen spied');
    await act();
    await until('the notice', async () => heard.length > 0);
  } finally {
    worker.release(true);
  }
  return JSON.parse(heard[0] as string);
}

const spy = (name: string) => `
  create function ${name}() returns boolean language plpgsql as $$
  begin
    perform pg_notify('spied', json_build_object('as', current_user, 'session', current_setting('hill.staff_session', true))::text);
    return true;
  end $$`;

describe("the worker's login", () => {
  test.each([
    'create policy spy on graphile_worker._private_jobs for select using (true)',
    'alter policy worker_works on graphile_worker._private_jobs using (false)',
    'alter table graphile_worker._private_jobs disable row level security',
    'alter table graphile_worker._private_jobs add column more text default now()',
    'alter table graphile_worker._private_jobs rename to away',
    'create trigger spy before insert on graphile_worker._private_jobs execute function suppress_redundant_updates_trigger()',
    'create rule spy as on insert to graphile_worker._private_jobs do also notify spied',
    'create index on graphile_worker._private_jobs (lower(last_error))',
    'drop view graphile_worker.jobs',
    'create view graphile_worker.more as select 1',
    'create or replace function graphile_worker.remove_job(job_key text) returns graphile_worker._private_jobs language sql as $$ select null $$',
    'alter function graphile_worker.show_jobs() security invoker',
    'drop schema graphile_worker cascade',
    'truncate graphile_worker._private_jobs',
    'set role hill_queue',
    spy('spy'),
    spy('graphile_worker.spy'),
    spy('pg_temp.spy'),
  ])('cannot %s', async (statement) => {
    const told = await hill
      .as('worker')
      .query(statement)
      .then(
        () => 'done',
        (error: unknown) => refusalOf(error).code,
      );
    // no schema stands first in its search_path that it could make anything in
    expect(told).toMatch(/^(42501|3F000)$/);
  });

  test('may write the rows of every table that the library has, and has no other right there', async () => {
    const rights = await hill.rows<{ table: string; may: string }>(`
      select c.relname as table, string_agg(a.privilege_type, ' ' order by a.privilege_type) as may
        from pg_class c, aclexplode(c.relacl) a
       where c.relnamespace = 'graphile_worker'::regnamespace and c.relkind in ('r', 'v') and a.grantee = 'hill_worker'::regrole
       group by 1 order by 1`);
    const tables = await hill.rows<{ table: string }>(
      "select relname as table from pg_class where relnamespace = 'graphile_worker'::regnamespace and relkind in ('r', 'v') order by 1",
    );
    const all = 'DELETE INSERT SELECT UPDATE';
    expect(rights).toEqual(tables.map(({ table }) => ({ table, may: table.startsWith('_private_') ? all : 'SELECT' })));
  });
});

describe('what runs in a session of the database', () => {
  test('where staff read the queue has no right but on the queue, and no session of theirs, whatever its tables were made of', async () => {
    await hill.as('worker').query("select graphile_worker.add_job('look')");
    await hill.asRoot((root) =>
      root.query(`
        begin; set local role hill_queue; ${spy('graphile_worker.spy')};
        alter table graphile_worker._private_jobs rename to away;
        create view graphile_worker._private_jobs as select * from graphile_worker.away where graphile_worker.spy();
        commit`),
    );
    try {
      const asked = '{ jobs { totalCount } accountBySlug(slug: "ann") { name } staffName }';
      let answer: unknown;
      expect(await spiedBy(async () => (answer = await staff.data(cookie, asked)))).toEqual({
        as: 'hill_queue',
        session: '',
      });
      // and the same request reads on as who it was
      expect(answer).toEqual({ jobs: { totalCount: 1 }, accountBySlug: { name: 'Ann' }, staffName: 'Sam' });
      const then = `select count(*)::int from api_staff.jobs() union all select count(*)::int from hill.accounts where api_staff.staff_name() is not null`;
      expect(await hill.asStaff().query(then)).toEqual([{ count: 1 }, { count: 1 }]);
    } finally {
      await hill.asRoot((root) =>
        root.query(`
          drop view graphile_worker._private_jobs; alter table graphile_worker.away rename to _private_jobs; drop function graphile_worker.spy()`),
      );
    }
  });

  test('where staff read anything else finds a hash that lets nobody in', async () => {
    await hill.asRoot((root) =>
      root.query(
        `${spy('public.spy')}; create policy spy on hill.accounts as restrictive for select to hill_staff using (public.spy())`,
      ),
    );
    try {
      const { as, session } = await spiedBy(() => staff.graphql(cookie, '{ accountBySlug(slug: "ann") { id } }'));
      expect(as).toBe('hill_staff');
      expect(cookie).not.toContain(session);
      const answer = await staff.graphql(`hill_staff=${session}`, '{ staffName }');
      expect(answer.errors?.[0]).toMatchObject({ extensions: { code: 'INVALID_TOKEN' } });
      // nor is what the database keeps of it worth anything in that setting
      const [{ kept } = { kept: '' }] = await hill.rows<{ kept: string }>(
        "select encode(token_hash, 'hex') as kept from oauth.staff_sessions",
      );
      expect(session).not.toBe(Buffer.from(kept, 'hex').toString('base64url'));
    } finally {
      await hill.asRoot((root) => root.query('drop policy spy on hill.accounts; drop function public.spy()'));
    }
  });

  test('finds in the settings of Hill whom and what a call is for, and no bearer token', () => {
    const files = ['src', 'sql'].flatMap((folder) =>
      (fs.readdirSync(folder, { recursive: true }) as string[])
        .filter((file) => /\.(ts|sql)$/.test(file))
        .map((file) => path.join(folder, file)),
    );
    const set = files.flatMap((file) => {
      const text = fs.readFileSync(file, 'utf8');
      const given = [...text.matchAll(/pgSettings: \{[^}]*\}/g)].flatMap(([settings]) => [
        ...settings.matchAll(/'(hill\.[a-z_]+)'/g),
      ]);
      return [
        ...given,
        ...text.matchAll(/(?:(?:set_config|current_setting)\(\s*'|set (?:local |session )?)(hill\.[a-z_]+)\b(?! *\()/g),
      ];
    });

    expect([...new Set(set.map(([, name]) => name))].sort()).toEqual([
      'hill.account_id',
      'hill.accounts',
      'hill.agent_id',
      'hill.bell',
      'hill.changed',
      'hill.grant_id',
      'hill.staff_session', // a hash: src/console/staff.ts
    ]);
  });
});
