// Each fault that test/lint/budgets.ts looks for, planted.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { budgets } from './budgets.ts';

test('names each room over its budget or without one, and each long function', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-budgets-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const long = (name: string) =>
    `create or replace function ${name}()\nreturns integer\nlanguage sql as $$\n${'select 1;\n'.repeat(80)}$$;\n`;
  for (const [file, text] of Object.entries({
    'src/main.ts': 'four',
    'src/small/a.ts': 'x'.repeat(10),
    'src/large/deep/a.ts': 'x'.repeat(11),
    'sql/new/a.sql': `select 1;\n${long('engine.long')}${long('engine.allowed')}`,
    'test/snapshots/a.txt': 'x'.repeat(99),
    'docs/a.md': 'x',
  })) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
  }

  const given = {
    rooms: { 'src/': 4, 'src/small': 10, 'src/large': 10, docs: 1, 'sql/old': 5 },
    uncounted: ['test/snapshots/'],
    longFunctions: ['engine.allowed'],
  };
  expect(budgets(folder, given)).toEqual([
    'src/large has 11 bytes, and may have 10',
    'sql/new has no budget in test/lint/budgets.json',
    'sql/old has a budget in test/lint/budgets.json, and nothing in it',
    'sql/new/a.sql:2: engine.long has 84 lines, and may have 80',
  ]);
});
