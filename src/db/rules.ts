// db/rules.ts · the numbers of the game, for texts that are made before there is a database: read from where the rules write them.
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

/** A number of sql/rules/constants.sql, by its name there. One that is not there stops the start. */
export function rule(name: string): number {
  return found(constants, name);
}

/** A time of the day (UTC) there, such as 22:00. */
export function ruleTime(name: string): string {
  return found(hours, name);
}

function found<T>(known: ReadonlyMap<string, T>, name: string): T {
  const value = known.get(name);
  if (value === undefined) throw new Error(`sql/rules/constants.sql has no ${name}`);
  return value;
}
