// How large the project may grow: each room has a budget of bytes, and a function of SQL 80 lines. Functions of
// TypeScript are measured by biome. A change that needs more raises the budget in budgets.json, and says in its message
// why a user needs it.
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from '../../src/process/config.ts';

interface Budgets {
  /** Bytes of a folder, with all that is in it. */
  readonly rooms: Readonly<Record<string, number>>;
  /** Written by a command, or a picture: not counted. */
  readonly uncounted: readonly string[];
  /** Functions that read best as one piece. */
  readonly longFunctions: readonly string[];
}

const longest = 80;
/** Folders whose rooms have a budget each. */
const houses = ['src', 'sql', 'test'];

/** What is over its budget, and what has none. */
export function budgets(
  folder = checkout,
  given: Budgets = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, 'budgets.json'), 'utf8')),
): string[] {
  const files = [...houses, 'docs'].flatMap((house) =>
    fs
      .readdirSync(path.join(folder, house), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
      .filter((file) => !file.includes('node_modules/') && !given.uncounted.some((start) => file.startsWith(start))),
  );
  const sizes = new Map<string, number>();
  for (const file of files) {
    const [house = '', room = ''] = file.split('/');
    const name = houses.includes(house) ? `${house}/${room.includes('.') ? '' : room}` : house;
    sizes.set(name, (sizes.get(name) ?? 0) + fs.statSync(path.join(folder, file)).size);
  }
  const over = [...sizes].flatMap(([room, bytes]) => {
    const budget = given.rooms[room];
    if (budget === undefined) return [`${room} has no budget in test/lint/budgets.json`];
    return bytes > budget ? [`${room} has ${bytes} bytes, and may have ${budget}`] : [];
  });
  const gone = Object.keys(given.rooms).filter((room) => !sizes.has(room));
  return [
    ...over,
    ...gone.map((room) => `${room} has a budget in test/lint/budgets.json, and nothing in it`),
    ...files
      .filter((file) => file.endsWith('.sql'))
      .flatMap((file) => longFunctions(folder, file, given.longFunctions)),
  ];
}

function longFunctions(folder: string, file: string, allowed: readonly string[]): string[] {
  const text = fs.readFileSync(path.join(folder, file), 'utf8');
  const whole =
    /^create (?:or replace )?(?:function|procedure) (?<name>[\w.]+)\(.*?(?:^\$\$;|^end;|^return\b[^;]*;)/gms;
  return [...text.matchAll(whole)].flatMap(({ 0: body, index, groups }) => {
    const lines = body.split('\n').length;
    const name = groups?.name ?? '';
    if (lines <= longest || allowed.includes(name)) return [];
    return [`${file}:${text.slice(0, index).split('\n').length}: ${name} has ${lines} lines, and may have ${longest}`];
  });
}
