// The numbers that texts are made with are those that the database decides by.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rule, ruleTime } from '../../src/db/rules.ts';
import { sqlFolder } from '../../src/db/sql-folder.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();

test('every number of sql/rules/constants.sql is read as the database has it', async () => {
  const file = fs.readFileSync(path.join(sqlFolder, 'rules', 'constants.sql'), 'utf8');
  const names = [...file.matchAll(/create or replace function engine\.(\w+)\(\)\s+returns (?:integer|bigint)/g)].map(
    ([, name]) => name as string,
  );
  expect(names.length).toBeGreaterThan(20);

  const rows = await hill.rows<{ name: string; value: number }>(
    names.map((name) => `select '${name}' as name, engine.${name}()::integer as value`).join(' union all '),
  );
  expect(names.map((name) => [name, rule(name)])).toEqual(rows.map(({ name, value }) => [name, value]));
});

test('and the time at which announcements close', async () => {
  const [row] = await hill.rows<{ close: string }>("select to_char(engine.announcements_close(), 'HH24:MI') as close");
  expect(ruleTime('announcements_close')).toBe(row?.close);
});

test('a name that is no number of the rules is told', () => {
  expect(() => rule('pieces_of_eight')).toThrow('pieces_of_eight');
});
