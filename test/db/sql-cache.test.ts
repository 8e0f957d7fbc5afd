// What is kept of sql/ between processes: used while it fits the files, made again when it does not, and never needed.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { rule } from '../../src/db/rules.ts';
import { cached } from '../../src/db/sql-cache.ts';
import { readConstants } from '../../src/db/sql-items.ts';
import { checkout } from '../../src/process/config.ts';
import { bare } from '../support/hill/hill-process.ts';

let folder: string;
let reads: number;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-kept-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  reads = 0;
});

const answer = async (value: number, at: string | undefined = folder) => {
  const text = `create function engine.answer() returns integer language sql return ${value};`;
  const constants = await cached(
    'constants',
    [{ file: 'constants.sql', firstLine: 1, text }],
    async (segments) => {
      reads += 1;
      return readConstants(segments);
    },
    at,
  );
  return constants.get('engine.answer');
};

test('what was read is kept until the text changes', async () => {
  expect([await answer(42), await answer(42), reads]).toEqual([42, 42, 1]);
  expect([await answer(43), await answer(43), reads]).toEqual([43, 43, 2]);
  expect(fs.readdirSync(folder)).toEqual(['hill-constants.json']);
});

test.each([
  ['empty', () => ''],
  ['cut short', (whole: string) => whole.slice(0, -3)],
  ['changed', (whole: string) => whole.replace('42', '24')],
  ['changed in its hash', (whole: string) => `0${whole.slice(1)}0`],
  ['of other bytes', () => '\u0000\n\n'],
])('a file that is %s is read anew and replaced', async (_how, damage) => {
  await answer(42);
  const file = path.join(folder, 'hill-constants.json');
  const whole = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, damage(whole));

  expect([await answer(42), reads]).toEqual([42, 2]);
  expect(fs.readFileSync(file, 'utf8')).toBe(whole);
});

test('a folder that cannot be written to, or none, is no error', async () => {
  const file = path.join(folder, 'file');
  fs.writeFileSync(file, '');
  expect([await answer(42, path.join(file, 'below')), await answer(42, path.join(folder, 'absent'))]).toEqual([42, 42]);
  expect([reads, fs.readdirSync(folder)]).toEqual([2, ['file']]);
});

test.each([
  ['has no right to write', { NODE_COMPILE_CACHE: '/dev/null/below' }],
  ['is told to keep nothing', { NODE_DISABLE_COMPILE_CACHE: '1' }],
  ['keeps it in a folder of its own', { NODE_COMPILE_CACHE: 'here' }],
])('a process that %s reads the same numbers', (_what, settings: Record<string, string>) => {
  const at = settings.NODE_COMPILE_CACHE === 'here' ? { NODE_COMPILE_CACHE: folder } : settings;
  const program = "import { rule } from './src/db/rules.ts'; console.log(rule('slot_count'))";
  const output = execFileSync(
    process.execPath,
    ['--import', './src/process/check-node.mjs', '--input-type=module', '--eval', program],
    {
      cwd: checkout,
      env: { ...bare(), ...at },
      encoding: 'utf8',
    },
  );

  expect(output).toBe(`${rule('slot_count')}\n`);
  const here = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('hill-constants.json'));
  expect(here).toHaveLength('NODE_COMPILE_CACHE' in at && at.NODE_COMPILE_CACHE === folder ? 1 : 0);
});
