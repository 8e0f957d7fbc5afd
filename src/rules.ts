// rules.ts · the numbers of the game, for texts that are made before there is a database: read from where the rules write them.
import fs from 'node:fs';
import path from 'node:path';
import { sqlFolder } from './db/sql-folder.ts';

const text = fs.readFileSync(path.join(sqlFolder, 'rules', 'constants.sql'), 'utf8');
const constants = new Map(
  [...text.matchAll(/^create function engine\.(\w+)\(\) returns (?:integer|bigint) .* return (\d+);$/gm)].map(
    ([, name, value]) => [name as string, Number(value)] as const,
  ),
);

/** A number of sql/rules/constants.sql, by its name there. One that is not there stops the start. */
export function rule(name: string): number {
  const value = constants.get(name);
  if (value === undefined) throw new Error(`sql/rules/constants.sql has no number ${name}`);
  return value;
}
