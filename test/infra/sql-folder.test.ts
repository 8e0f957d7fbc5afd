import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSqlFolder, sqlFolder, sqlFolderSegments } from '../../src/db/sql-folder.ts';
import { useDatabase } from '../support/database.ts';

const db = useDatabase();

test('sql/load.sql includes every file of sql/ once, but for the scripts that are run by hand', () => {
  const byHand = /^(replay|verify)\/|^harden\.sql$/;
  const present = fs
    .readdirSync(sqlFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql') && file !== 'load.sql' && !byHand.test(file));
  const included = sqlFolderSegments()
    .filter(({ firstLine }) => firstLine === 1)
    .map(({ file }) => path.relative(sqlFolder, file))
    .filter((file) => file !== 'load.sql');

  expect(included.toSorted()).toEqual(present.toSorted());
});

describe('the loader', () => {
  let folder: string;
  let client: pg.Client;

  const write = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      fs.writeFileSync(path.join(folder, name), text);
    }
  };
  const load = (state = 'a state') => loadSqlFolder(client, state, folder);
  const answer = async () => (await client.query<{ answer: number }>('select sample.answer() as answer')).rows[0]?.answer;

  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-sql-'));
    client = new pg.Client(db.ownerUrl);
    await client.connect();
    write({
      'load.sql':
        'drop schema if exists sample cascade;\ncreate schema sample;\n\\ir deep/all.sql\ngrant usage on schema sample to public;\n',
      'deep/all.sql': '-- what is below this folder\n\\ir answer.sql\n',
      'deep/answer.sql': "create function sample.answer() returns integer language sql immutable\nreturn 42; -- the answer's answer\n",
    });
  });
  afterEach(async () => {
    await client.end();
    fs.rmSync(folder, { recursive: true });
  });

  test('expands includes in place', () => {
    expect(sqlFolderSegments(folder).map(({ file, firstLine }) => [path.relative(folder, file), firstLine])).toEqual([
      ['load.sql', 1],
      ['deep/all.sql', 1],
      ['deep/answer.sql', 1],
      ['load.sql', 4],
    ]);
  });

  test('loads what changed, or lies on changed tables, and nothing else', async () => {
    expect(await load()).toBe(true);
    expect(await load()).toBe(false);
    expect(await answer()).toBe(42);

    write({ 'deep/answer.sql': 'create function sample.answer() returns integer language sql immutable\nreturn 43;\n' });
    expect(await load()).toBe(true);
    expect(await answer()).toBe(43);

    expect(await load('another state')).toBe(true);
  });

  test('names file and line of an error, and leaves everything as it was', async () => {
    await load();
    write({
      'deep/answer.sql': '-- é, two bytes\n\ncreate function sample.answer() returns integer language sql\nreturn wrong_answer();\n',
    });

    await expect(load()).rejects.toThrow(/deep\/answer\.sql:4: function wrong_answer\(\) does not exist/);

    expect(await answer()).toBe(42);
  });

  test('counts lines from the top of the file, also behind an include', async () => {
    write({ 'load.sql': 'drop schema if exists sample cascade; create schema sample;\n\\ir deep/all.sql\n\nselect nothing;\n' });

    await expect(load()).rejects.toThrow(/load\.sql:4: column "nothing" does not exist/);
  });

  test('names the line that includes a file that is not there, and a circle', () => {
    write({ 'deep/all.sql': '\n\\ir lost.sql\n' });
    expect(() => sqlFolderSegments(folder)).toThrow(/deep\/all\.sql:2: there is no file lost\.sql/);

    write({ 'deep/all.sql': '\\ir ../load.sql\n' });
    expect(() => sqlFolderSegments(folder)).toThrow(/load\.sql includes itself/);
  });
});
