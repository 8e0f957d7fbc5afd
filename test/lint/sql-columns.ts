// How sql/ is laid out: lines of at most 120 columns, and functions named without their arguments, since no name stands
// for two.
import fs from 'node:fs';
import path from 'node:path';
import { sqlFolder } from '../../src/db/sql-folder.ts';

const widest = 120;

/** What is wrong, as file:line. */
export function sqlColumns(folder = sqlFolder): string[] {
  const made = new Map<string, string>();
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .flatMap((file) => {
      const text = fs.readFileSync(path.join(folder, file), 'utf8');
      const at = (index: number) => `sql/${file}:${text.slice(0, index).split('\n').length}`;
      const wide = text
        .split('\n')
        .flatMap((line, index) =>
          [...line].length > widest ? [`sql/${file}:${index + 1}: ${[...line].length} columns`] : [],
        );
      const withArguments = [
        ...text.matchAll(/^(?:comment|grant|revoke)\s[^;'$]*?\bon function\s+(?<names>[^;'$]*?)\s(?:is|to|from)\s/gm),
      ].flatMap(({ index, groups }) =>
        groups?.names?.includes('(') ? [`${at(index)}: a function with its arguments`] : [],
      );
      const overloads = [...text.matchAll(/^create (?:or replace )?function ([\w.]+)/gm)].flatMap(
        ({ index, 1: name = '' }) => {
          const before = made.get(name);
          made.set(name, before ?? at(index));
          return before ? [`${at(index)}: ${name} is defined at ${before} too`] : [];
        },
      );
      return [...wide, ...withArguments, ...overloads];
    });
}
