// The numbers of the game, for texts that are made before there is a database: read from sql/rules/constants.sql.
import fs from 'node:fs';
import path from 'node:path';
import { cached } from './sql-cache.ts';
import { sqlFolder } from './sql-folder.ts';
import { readConstants } from './sql-items.ts';

const file = path.join(sqlFolder, 'rules', 'constants.sql');
const constants = await cached(
  'constants',
  [{ file, firstLine: 1, text: fs.readFileSync(file, 'utf8') }],
  readConstants,
);

/** A number of sql/rules/constants.sql, by its name there. An unknown name stops the start. */
export function rule(name: string): number {
  const value = constants.get(`engine.${name}`);
  if (typeof value !== 'number') throw new Error(`sql/rules/constants.sql has no number ${name}`);
  return value;
}

/** A time of day (UTC) there, such as 22:00. */
export function ruleTime(name: string): string {
  const [, hours] = /^(\d+) hours$/.exec(String(constants.get(`engine.${name}`))) ?? [];
  if (hours === undefined) throw new Error(`sql/rules/constants.sql has no time ${name}`);
  return `${hours.padStart(2, '0')}:00`;
}
