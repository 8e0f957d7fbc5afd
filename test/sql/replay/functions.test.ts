// sql/verify/functions.sql: what a DBA reads of the functions, in a size that can be read.
import { expect, test } from 'vitest';
import { useHill } from '../../support/hill/index.ts';
import { hasPsql, psql } from '../../support/hill/psql.ts';
import { useDbaLogins } from './logins.ts';

const hill = useHill();
const urls = useDbaLogins(hill);
const script = 'sql/verify/functions.sql';

test.skipIf(!hasPsql)(
  'tells every function that has a comment once, with its arguments, and no more than can be read',
  async () => {
    const { code, stdout, stderr } = await psql(urls.dba, script);

    expect([code, stderr]).toEqual([0, '']);
    expect(Buffer.byteLength(stdout)).toBeLessThan(300_000);
    const [{ functions } = { functions: 0 }] = await hill.rows<{ functions: number }>(
      "select count(*) as functions from pg_proc p where p.pronamespace::regnamespace::text ~ '^(engine|trusted|api_[a-z]+)$' and obj_description(p.oid, 'pg_proc') is not null",
    );
    expect(stdout.match(/^(engine|trusted|api_\w+)\.\w+\(.*\) returns .+$/gm)).toHaveLength(functions);
    expect(stdout).toContain('engine.resolve_night(night jsonb) returns jsonb\n  ');
    expect(stdout).not.toMatch(/^ *(begin|declare|select) /m);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(1_000);
  },
);

test.skipIf(!hasPsql)('tells those of a name, and refuses one that there is not', async () => {
  const { code, stdout } = await psql(urls.dba, script, { like: 'engine.resolve_n%' });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^engine\.resolve_night\(.*\) returns jsonb\n {2}\w/);

  expect(await psql(urls.dba, script, { like: 'nothing' })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('No function has such a name.'),
  });
});
