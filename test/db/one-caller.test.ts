// Functions of the database are called in one place, db/call.ts, and deposits, which travel together, in
// db/deposits.ts. Others may read what a function gives as rows of a larger query. src/verify/ asks the database of an
// engine that another hill's log names, and src/lab/ calls for all accounts of a world in one statement.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkout } from '../../src/process/config.ts';

test('one file of src/ writes the call of a function, and one the deposits', () => {
  const src = path.join(checkout, 'src');
  const callers = fs
    .readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        file.endsWith('.ts') &&
        !['verify', 'lab'].includes(file.split(path.sep)[0] ?? '') &&
        /\bselect\s+(engine|trusted|api_\w+|\$\{\w+\})\.\w+\s*\(/.test(fs.readFileSync(path.join(src, file), 'utf8')),
    );
  expect(callers.sort()).toEqual([path.join('db', 'call.ts'), path.join('db', 'deposits.ts')]);
});
