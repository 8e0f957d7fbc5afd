// db/rules.ts · the numbers of the game, read from sql/rules/constants.sql, for code that has no database at hand.
import fs from 'node:fs';
import path from 'node:path';
import { sqlFolder } from './sql-folder.ts';

const text = fs.readFileSync(path.join(sqlFolder, 'rules', 'constants.sql'), 'utf8');
const constants = new Map(
  [...text.matchAll(/^create or replace function engine\.(\w+)\(\) returns (?:integer|bigint) .* return (\d+);$/gm)].map(
    ([, name, value]) => [name as string, Number(value)] as const,
  ),
);
const hours = new Map(
  [...text.matchAll(/^create or replace function engine\.(\w+)\(\) returns interval .* return interval '(\d+) hours';$/gm)].map(
    ([, name, value]) => [name as string, `${(value as string).padStart(2, '0')}:00`] as const,
  ),
);

/** A number of sql/rules/constants.sql by its name. An unknown name stops the process at its start. */
export function rule(name: string): number {
  return found(constants, name);
}

/** A time of day (UTC) of that file, such as 22:00. */
export function ruleTime(name: string): string {
  return found(hours, name);
}

function found<T>(known: ReadonlyMap<string, T>, name: string): T {
  const value = known.get(name);
  if (value === undefined) throw new Error(`sql/rules/constants.sql has no ${name}`);
  return value;
}
