// The numbers that texts are made with are those that the database decides by.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rule, ruleTime } from '../../src/db/rules.ts';
import { sqlFolder } from '../../src/db/sql-folder.ts';
import { readConstants } from '../../src/db/sql-items.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();

test('every number of sql/rules/constants.sql is read as the database has it', async () => {
  const file = fs.readFileSync(path.join(sqlFolder, 'rules', 'constants.sql'), 'utf8');
  const names = [...file.matchAll(/create or replace function engine\.(\w+)\(\)\s+returns (?:integer|bigint)/g)].map(
    ([, name]) => name as string,
  );
  expect(names.length).toBeGreaterThan(50);

  const rows = await hill.rows<{ name: string; value: number }>(
    names.map((name) => `select '${name}' as name, engine.${name}()::integer as value`).join(' union all '),
  );
  expect(names.map((name) => [name, rule(name)])).toEqual(rows.map(({ name, value }) => [name, value]));
});

test('and the time at which announcements close', async () => {
  const [row] = await hill.rows<{ close: string }>("select to_char(engine.announcements_close(), 'HH24:MI') as close");
  expect(ruleTime('announcements_close')).toBe(row?.close);
});

test('an unknown name is refused, and so is a number of the wrong kind', () => {
  expect(() => rule('pieces_of_eight')).toThrow('pieces_of_eight');
  expect(() => rule('announcements_close')).toThrow('announcements_close');
  expect(() => ruleTime('slot_count')).toThrow('slot_count');
});

test('a constant is read in any layout, and one that is computed is refused', async () => {
  const read = (text: string) => readConstants([{ file: 'constants.sql', firstLine: 1, text }]);
  const numbers = `create function engine.nothing() returns integer language sql return 0;
    create or replace function engine.much()
    returns bigint language sql
    immutable return 5000000000;`;
  expect(Object.fromEntries(await read(numbers))).toEqual({ 'engine.nothing': 0, 'engine.much': 5_000_000_000 });
  await expect(read('create function engine.sum() returns integer language sql return 1 + 1')).rejects.toThrow(
    'engine.sum',
  );
});
