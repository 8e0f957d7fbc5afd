// test/sql/replay/functions.test.ts · sql/verify/functions.sql: what a DBA reads of the functions, in a size that can be read.
import { expect, test } from 'vitest';
import { useHill } from '../../support/hill/index.ts';
import { hasPsql, psql } from '../../support/hill/psql.ts';
import { useDbaLogins } from './logins.ts';

const hill = useHill();
const urls = useDbaLogins(hill);
const script = 'sql/verify/functions.sql';

test.skipIf(!hasPsql)('tells every function once, with arguments and comment, and no more than can be read', async () => {
  const { code, stdout, stderr } = await psql(urls.dba, script);

  expect([code, stderr]).toEqual([0, '']);
  expect(Buffer.byteLength(stdout)).toBeLessThan(300_000);
  const [{ functions } = { functions: 0 }] = await hill.rows<{ functions: number }>(
    "select count(*) as functions from pg_proc p where p.pronamespace::regnamespace::text ~ '^(engine|trusted|api_[a-z]+)$'",
  );
  expect(stdout.match(/^(engine|trusted|api_\w+)\.\w+\(.*\) returns .+$/gm)).toHaveLength(functions);
  expect(stdout).toContain('engine.rent_cents(days_held integer) returns numeric\n  Rent in cents of a PEACE by an account');
  expect(stdout).not.toContain('Says nothing of itself');
  expect(stdout).not.toMatch(/^ *(begin|declare|select) /m);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(1_000);
});

test.skipIf(!hasPsql)('tells those of a name, and refuses one that there is not', async () => {
  const { code, stdout } = await psql(urls.dba, script, { like: 'engine.%seniority' });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^engine\.wrong_seniority\(.*\) returns boolean\n {2}Whether a seniority/);

  expect(await psql(urls.dba, script, { like: 'nothing' })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('No function has such a name.'),
  });
});
