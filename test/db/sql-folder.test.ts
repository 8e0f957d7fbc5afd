// sql/ as one text: load.sql names every file once, and each line knows where it came from.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sqlFolder, sqlFolderSegments } from '../../src/db/sql-folder.ts';
import { aFolder } from '../support/hill/sql-folder.ts';

test('sql/load.sql includes every file of sql/ once, but for the scripts that are run by hand', () => {
  const byHand = /^(replay|verify)\/|^(harden|engine)\.sql$/;
  const present = fs
    .readdirSync(sqlFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql') && !byHand.test(file));
  const included = sqlFolderSegments()
    .filter(({ firstLine }) => firstLine === 1)
    .map(({ file }) => path.relative(sqlFolder, file));

  expect(included.toSorted()).toEqual(present.toSorted());
});

test('sql/load.sql includes folders, and each folder its own files', () => {
  const lists = fs
    .readdirSync(sqlFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|\/)load\.sql$/.test(file));
  const astray = lists.flatMap((list) =>
    [...fs.readFileSync(path.join(sqlFolder, list), 'utf8').matchAll(/^\\ir (\S+)$/gm)]
      .map(([, included]) => included as string)
      .filter((included) => (list === 'load.sql' ? !included.endsWith('/load.sql') : included.includes('/')))
      .map((included) => `${list} includes ${included}`),
  );

  // policies of every folder call the one, and functions of the engine give the rows of the other
  expect(astray).toEqual(['load.sql includes api/staff/staff_name.sql', 'load.sql includes api/staff/types.sql']);
});

test('includes are expanded in place, and lines are counted on behind them', () => {
  const { folder } = aFolder({
    'load.sql': 'create schema sample;\n\\ir deep/all.sql\ngrant usage on schema sample to public;\n',
    'deep/all.sql': '-- what is below this folder\n\\ir answer.sql\n',
    'deep/answer.sql': 'select 42;\n',
  });

  expect(sqlFolderSegments(folder).map(({ file, firstLine }) => [path.relative(folder, file), firstLine])).toEqual([
    ['load.sql', 1],
    ['deep/all.sql', 1],
    ['deep/answer.sql', 1],
    ['load.sql', 3],
  ]);
});

test('the line is named that includes a file that is not there, or makes a circle', () => {
  const { folder, write } = aFolder({ 'load.sql': '\n\\ir deep/all.sql\n', 'deep/all.sql': '\n\n\\ir lost.sql\n' });
  expect(() => sqlFolderSegments(folder)).toThrow(/deep\/all\.sql:3: there is no file lost\.sql/);

  write({ 'deep/all.sql': '\\ir ../load.sql\n' });
  expect(() => sqlFolderSegments(folder)).toThrow(/load\.sql includes itself/);
});
