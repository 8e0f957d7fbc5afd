// Each fault that test/lint/sql-columns.ts looks for, planted.
import { expect, test } from 'vitest';
import { aFolder } from '../support/hill/sql-folder.ts';
import { sqlColumns } from './sql-columns.ts';

test('names each line past 120 columns, each function with its arguments, and each name that stands for two', () => {
  const { folder } = aFolder({
    'load.sql': '\\ir deep/good.sql\n',
    'deep/good.sql': `-- ${'é'.repeat(117)}
create or replace function sample.answer(of integer) returns integer language sql return 42;
comment on function sample.answer is 'A comment on function sample.answer(integer) is text.';
grant execute on function
  sample.answer
  to public;
`,
    'deep/wide.sql': `select 1;\n-- ${'x'.repeat(118)}\n`,
    'named.sql': `comment on function sample.answer(integer) is 'An answer.';
grant execute on function
  sample.answer,
  sample.other(text)
  to public;
revoke execute on function sample.answer() from public;
`,
    'overload.sql': '\ncreate function sample.answer() returns integer language sql return 42;\n',
  });

  expect(sqlColumns(folder)).toEqual([
    'sql/deep/wide.sql:2: 121 columns',
    'sql/named.sql:1: a function with its arguments',
    'sql/named.sql:2: a function with its arguments',
    'sql/named.sql:6: a function with its arguments',
    'sql/overload.sql:2: sample.answer is defined at sql/deep/good.sql:2 too',
  ]);
});
