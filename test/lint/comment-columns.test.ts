// The fault that comment-columns.ts looks for, planted.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commentColumns } from './comment-columns.ts';

test('names each comment past 120 columns, and no code', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-columns-'));
  fs.mkdirSync(path.join(folder, 'src/deep'), { recursive: true });
  const long = 'é'.repeat(120);
  fs.writeFileSync(
    path.join(folder, 'src/deep/a.ts'),
    `// ${'é'.repeat(117)}\nconst a = '${long}';\n  // ${long}\n/**\n * ${long}\n */\n`,
  );
  fs.writeFileSync(path.join(folder, 'src/deep/a.sql'), `-- ${long}\n`);

  expect(commentColumns(folder, ['src'])).toEqual([
    'src/deep/a.ts:3: a comment of 125 columns',
    'src/deep/a.ts:5: a comment of 123 columns',
  ]);
  fs.rmSync(folder, { recursive: true });
});
