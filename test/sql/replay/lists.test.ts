// sql/verify/functions.sql, tables.sql and sizes.sql: what a DBA reads of functions and tables, in a size that can be
// read.
import { expect, test } from 'vitest';
import { anAccount, useHill } from '../../support/hill/index.ts';
import { hasPsql, psql } from '../../support/hill/psql.ts';
import { useDbaLogins } from './logins.ts';

const hill = useHill();
const urls = useDbaLogins(hill);
const functions = 'sql/verify/functions.sql';
const tables = 'sql/verify/tables.sql';

test.skipIf(!hasPsql)(
  'tells every function that has a comment once, with its arguments, and no more than can be read',
  async () => {
    const { code, stdout, stderr } = await psql(urls.dba, functions);

    expect([code, stderr]).toEqual([0, '']);
    expect(Buffer.byteLength(stdout)).toBeLessThan(300_000);
    const [{ there } = { there: 0 }] = await hill.rows<{ there: number }>(
      "select count(*) as there from pg_proc p where p.pronamespace::regnamespace::text ~ '^(engine|trusted|api_[a-z]+)$' and obj_description(p.oid, 'pg_proc') is not null",
    );
    expect(stdout.match(/^(engine|trusted|api_\w+)\.\w+\(.*\) returns .+$/gm)).toHaveLength(there);
    expect(stdout).toContain('engine.resolve_night(night jsonb) returns jsonb\n  ');
    expect(stdout).not.toMatch(/^ *(begin|declare|select) /m);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(1_000);
  },
);

test.skipIf(!hasPsql)('tells each table once with its columns, however many nights there are', async () => {
  const { code, stdout, stderr } = await psql(urls.dba, tables);

  expect([code, stderr]).toEqual([0, '']);
  const there = await hill.rows<{ name: string }>(
    "select schemaname || '.' || tablename as name from pg_tables where schemaname in ('hill', 'oauth') and tablename !~ '_[0-9]{6}$' order by 1",
  );
  expect(stdout.match(/^(hill|oauth)\.\w+$/gm)?.toSorted()).toEqual(there.map(({ name }) => name));
  expect(stdout).toContain('    stake_cents bigint: What it stakes (cents); 0 unless it is WAR.\n');
  expect(stdout).toContain('    verdict hill.verdict, null: How the bell judged it; null before. Rules 6.3.\n');
});

test.skipIf(!hasPsql)('tells those of a name, and refuses one that there is not', async () => {
  for (const [script, like, told, none] of [
    [
      functions,
      'engine.resolve_n%',
      /^engine\.resolve_night\(.*\) returns jsonb\n {2}\w/,
      'No function has such a name.',
    ],
    [tables, 'hill.mov%', /^hill\.moves\n {2}\w/, 'No table has such a name.'],
  ] as const) {
    expect(await psql(urls.dba, script, { like })).toMatchObject({ code: 0, stdout: expect.stringMatching(told) });
    expect(await psql(urls.dba, script, { like: 'nothing' })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(none),
    });
  }
});

test.skipIf(!hasPsql)(
  'tells how large tables are, all nights together, and nothing of what is deposited tonight',
  async () => {
    const ann = await anAccount(hill, { credits: 10_000 });
    const sizes = async () => {
      await hill.root.query('vacuum analyze');
      const { code, stdout, stderr } = await psql(urls.dba, 'sql/verify/sizes.sql');
      expect([code, stderr]).toEqual([0, '']);
      return stdout;
    };
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    for (let night = 0; night < 2; night++) await hill.clock.ringBell();
    const before = await sizes();
    expect(before).toMatch(/^ hill\.moves +\| +2 \| +1 \| 8192 bytes +\| /m);
    for (let slot = 1; slot < 3; slot++) await hill.asAgent(ann).play({ slot, move: 'PEACE' });
    expect(await sizes()).toBe(before);
  },
);
