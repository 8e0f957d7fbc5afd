// The loader of sql/ on a hill that is in use: it brings in what has changed, takes away what is gone, and leaves
// everything as it was if one item fails.
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { loadSqlFolder } from '../../src/db/load-sql.ts';
import { useDatabase } from '../support/hill/database.ts';
import { aFolder, type Folder } from '../support/hill/sql-folder.ts';

const db = useDatabase();

const files = {
  'load.sql': 'create schema sample;\ngrant usage on schema sample to public;\n\\ir answer.sql\n\\ir things.sql\n',
  'answer.sql': [
    '-- the answer, and who may ask for it',
    'create or replace function sample.answer(of text) returns integer language sql immutable',
    "return 42; -- the answer's answer",
    "comment on function sample.answer(text) is 'What it is.';",
    'grant execute on function sample.answer to hill_public;',
    'create or replace function sample.twice() returns integer language sql immutable',
    "begin atomic select 2 * sample.answer('it'); end;",
  ].join('\n'),
  'things.sql': [
    'alter table sample_tables.things enable row level security, force row level security;',
    "create policy read on sample_tables.things for select to hill_public using (id < sample.answer('it'));",
    'grant select on sample_tables.things to hill_public;',
  ].join('\n'),
};

describe('the loader of sql/', () => {
  let client: pg.Client;
  let sample: Folder;

  const load = () => loadSqlFolder(client, 'a state', sample.folder);
  const value = async <T>(query: string): Promise<T | undefined> =>
    Object.values((await db.owner.query(query)).rows[0] ?? {})[0] as T;
  const oid = () => value<number>("select 'sample.answer'::regproc::oid");
  const granted = () =>
    value<string[]>(
      "select array(select a.grantee::regrole::text from pg_proc p, aclexplode(p.proacl) a where p.oid = 'sample.answer'::regproc and a.grantee not in (0, p.proowner) order by 1)",
    );

  beforeEach(async () => {
    client = new pg.Client(db.ownerUrl);
    await client.connect();
    await client.query(`
      drop schema if exists sample, sample_tables cascade;
      drop table if exists graphile_migrate.sql_items, graphile_migrate.sql_folder;
      create schema sample_tables; create table sample_tables.things (id integer primary key)`);
    sample = aFolder(files);
    await load();
  });
  afterEach(() => client.end());

  test('has nothing to do where nothing has changed, and only what has changed otherwise', async () => {
    expect(await load()).toEqual([]);
    const before = await oid();

    sample.edit('answer.sql', 'return 42', 'return 43');
    expect(await load()).toEqual(['function sample.answer']);

    expect(await value('select sample.twice()')).toBe(86);
    expect(await oid()).toBe(before); // under the eyes of whoever calls it
    expect(await granted()).toEqual(['hill_public']);
  });

  test('makes a function anew that has other arguments or another answer, and with it what depends on it', async () => {
    sample.edit('answer.sql', 'answer(of text)', "answer(of text, how text default '')");
    sample.edit('answer.sql', 'answer(text)', 'answer(text, text)');
    expect(await load()).toEqual(
      expect.arrayContaining([
        'function sample.answer',
        'function sample.twice',
        'policy read on sample_tables.things',
      ]),
    );
    expect(await value("select count(*)::int from pg_proc where proname = 'answer'")).toBe(1);
    expect(await value('select sample.twice()')).toBe(84);
    expect(await granted()).toEqual(['hill_public']);

    sample.edit(
      'answer.sql',
      'returns integer language sql immutable\nreturn 42',
      'returns bigint language sql immutable\nreturn 42',
    );
    sample.edit('answer.sql', 'twice() returns integer', 'twice() returns bigint');
    await load();
    expect(await value("select pg_typeof(sample.answer('it'))::text")).toBe('bigint');
    expect(await value("select policyname::text from pg_policies where schemaname = 'sample_tables'")).toBe('read');
  });

  test('takes back what is no longer defined: functions, policies, grants', async () => {
    sample.edit('answer.sql', 'grant execute on function sample.answer to hill_public;', '');
    sample.edit('things.sql', 'grant select on sample_tables.things to hill_public;', '');
    await load();
    expect(await granted()).toEqual([]);
    expect(await value("select has_table_privilege('hill_public', 'sample_tables.things', 'select')")).toBe(false);

    sample.write({ 'answer.sql': '', 'things.sql': '' });
    await load();
    expect(await value("select count(*)::int from pg_proc p where p.pronamespace = 'sample'::regnamespace")).toBe(0);
    expect(await value("select count(*)::int from pg_policies where schemaname = 'sample_tables'")).toBe(0);
  });

  test('makes anew what somebody dropped by hand, once the folder has changed at all', async () => {
    await client.query('drop function sample.answer(text) cascade');
    sample.edit('load.sql', '\\ir answer.sql', '-- a word\n\\ir answer.sql');

    await load();

    expect(await value('select sample.twice()')).toBe(84);
    expect(await value("select count(*)::int from pg_policies where schemaname = 'sample_tables'")).toBe(1);
  });

  test('changes a table in the same load as functions of other roles', async () => {
    sample.edit(
      'load.sql',
      '\\ir answer.sql',
      '\\ir answer.sql\nset local role hill_api_oauth;\n\\ir other.sql\nreset role;',
    );
    sample.edit('load.sql', 'grant usage on schema sample to public', 'grant usage, create on schema sample to public');
    sample.write({ 'other.sql': 'create function sample.other() returns integer language sql return 1;' });
    sample.edit('things.sql', 'select to hill_public', 'all to hill_public');
    expect(await load()).toEqual(
      expect.arrayContaining(['function sample.other', 'policy read on sample_tables.things']),
    );
  });

  test('makes a type anew with the types and functions that are made of it', async () => {
    const types = (type: string) =>
      `create type sample.inner as (a ${type});\ncreate type sample.outer as (i sample.inner, b text);\n` +
      'create or replace function sample.of(o sample.outer) returns text language sql immutable return (o).b || ((o).i).a;\n';
    sample.write({ 'things.sql': types('integer') });
    await load();

    sample.write({ 'things.sql': types('bigint') });
    await load();

    expect(await value("select sample.of(row(row(9999999999)::sample.inner, 'x')::sample.outer)")).toBe('x9999999999');
  });

  test('waits for nobody for long: who reads meanwhile is not kept waiting, and it is tried until the table is free', async () => {
    const reader = new pg.Client(db.ownerUrl);
    await reader.connect();
    onTestFinished(() => reader.end());
    await reader.query('begin; select * from sample_tables.things');
    sample.edit('things.sql', 'id <', 'id <=');
    const loading = load();
    await expect
      .poll(() =>
        value("select count(*)::int from pg_locks where relation = 'sample_tables.things'::regclass and not granted"),
      )
      .toBe(1);

    // whoever comes now stands behind the loader, until that gives up for a moment
    const other = new pg.Client({ connectionString: db.ownerUrl, statement_timeout: 5_000 });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query('select * from sample_tables.things');

    await reader.query('commit');
    expect(await loading).toEqual(['policy read on sample_tables.things']);
  });

  test('does not come into the middle of a bell', async () => {
    const bell = new pg.Client(db.ownerUrl);
    await bell.connect();
    onTestFinished(() => bell.end());
    await bell.query('begin; lock table hill.day_lock in exclusive mode');
    sample.edit('answer.sql', 'return 42', 'return 43');

    const loading = load();
    const first = await Promise.race([loading, new Promise((resolve) => setTimeout(resolve, 700, 'waits'))]);

    expect(first).toBe('waits');
    await bell.query('commit');
    expect(await loading).toEqual(['function sample.answer']);
  });

  test('names file and line of an error, and leaves everything as it was', async () => {
    sample.edit('answer.sql', '-- the answer, and', '-- é, two bytes, and');
    sample.edit('answer.sql', 'return 42', 'return wrong_answer()');
    await expect(load()).rejects.toThrow(/answer\.sql:3: function wrong_answer\(\) does not exist/);
    expect(await value("select sample.answer('it')")).toBe(42);

    sample.edit('answer.sql', 'return wrong_answer()', 'returns 42');
    await expect(load()).rejects.toThrow(/answer\.sql:3: syntax error at or near "42"/);
  });

  describe('with many new items', () => {
    const many = (wrong?: number) =>
      Array.from({ length: 300 }, (_, i) =>
        [
          `create function sample.f${i}() returns text language sql security definer`,
          `return '${i}'${i === wrong ? '::sample.nothing' : ''}; -- of ${i}`,
          `grant execute on function sample.f${i} to hill_public;`,
          '',
        ].join('\n'),
      ).join('');

    test('does not ask the server for each', async () => {
      sample.write({ 'things.sql': `set local role hill_api_oauth;\n${many()}reset role;` });
      sample.edit(
        'load.sql',
        'grant usage on schema sample to public',
        'grant usage, create on schema sample to public',
      );
      const asked = vi.spyOn(client, 'query');

      expect(await load()).toHaveLength(304); // they, the grant on the schema, and the three that are gone

      expect(asked.mock.calls.length).toBeLessThan(40);
      expect(
        await value(
          "select count(*)::int from pg_proc where proname ~ '^f[0-9]+$' and proowner = 'hill_api_oauth'::regrole",
        ),
      ).toBe(300);
      expect(
        await value(
          "select bool_and(has_function_privilege('hill_public', oid, 'execute')) from pg_proc where proname ~ '^f[0-9]+$'",
        ),
      ).toBe(true);
    });

    test('names the one that is wrong', async () => {
      sample.write({ 'things.sql': many(257) });
      await expect(load()).rejects.toThrow(/things\.sql:773: type "sample.nothing" does not exist/);
      expect(await value("select count(*)::int from pg_proc where proname ~ '^f[0-9]+$'")).toBe(0);
    });
  });

  test('grants a schema as a whole to each function above, again when that is made anew, and takes it back', async () => {
    const grant =
      'do $all$ begin grant execute on all functions in schema sample to hill_public, hill_oauth; end $all$;';
    const may = () =>
      value<string>(
        `select string_agg(p.proname || ' ' || a.grantee::regrole, ', ' order by p.proname, a.grantee::regrole::text) from pg_proc p, aclexplode(p.proacl) a
          where p.pronamespace = 'sample'::regnamespace and a.grantee <> p.proowner and a.grantee <> 0`,
      );
    const both = ['answer', 'twice']
      .flatMap((name) => ['hill_oauth', 'hill_public'].map((role) => `${name} ${role}`))
      .join(', ');
    sample.edit('load.sql', 'things.sql\n', `things.sql\n${grant}\n`);
    await load();
    expect(await may()).toBe(both);

    sample.edit('answer.sql', 'return 42', 'return 43');
    expect(await load()).toEqual(['function sample.answer']);
    expect(await may()).toBe(both);

    sample.edit('load.sql', `${grant}\n`, '');
    await load();
    expect(await may()).toBe('answer hill_public');
  });

  test('grants no schema as a whole in which a function runs with the rights of its owner', async () => {
    sample.edit(
      'load.sql',
      'things.sql\n',
      'things.sql\ndo $all$ begin grant execute on all functions in schema sample to hill_public; end $all$;\n',
    );
    await load();
    sample.edit(
      'answer.sql',
      'twice() returns integer language sql immutable',
      'twice() returns integer language sql security definer',
    );

    await expect(load()).rejects.toThrow(
      /answer\.sql:6: sample\.twice runs with the rights of its owner, and its schema is granted as a whole\./,
    );

    expect(await value("select prosecdef from pg_proc where oid = 'sample.twice'::regproc")).toBe(false);
  });

  test('takes back what a trigger called once the trigger calls something else, and not before', async () => {
    const trigger = (name: string) =>
      `create function sample.${name}() returns trigger language plpgsql as $f$ begin return new; end $f$;\n` +
      `create or replace trigger follows after insert on sample_tables.things for each row execute function sample.${name}();\n`;
    sample.write({ 'things.sql': trigger('former') });
    await load();
    const asked = vi.spyOn(client, 'query');

    sample.write({ 'things.sql': trigger('latter') });
    await load();

    const sent = asked.mock.calls.map(([query]) => String(query));
    const at = (what: RegExp) => sent.findIndex((text) => what.test(text));
    expect(at(/execute function sample\.latter/)).toBeGreaterThan(-1);
    expect(at(/drop function sample\.former/)).toBeGreaterThan(at(/execute function sample\.latter/));
    expect(await value("select tgfoid::regproc::text from pg_trigger where tgname = 'follows'")).toBe('sample.latter');
  });

  test('refuses what it could not bring in piece by piece', async () => {
    sample.write({ 'things.sql': 'create table sample.more (id integer);' });
    await expect(load()).rejects.toThrow(/things\.sql:1: sql\/ has no place for this statement \(CreateStmt\)/);

    sample.write({ 'things.sql': files['answer.sql'] });
    await expect(load()).rejects.toThrow(/things\.sql:2: function sample\.answer is defined twice/);
  });
});
