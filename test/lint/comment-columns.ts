// Comments of TypeScript have at most 120 columns, as its code has by biome's formatter and sql/ by sql-columns.ts.
// The starters have their own width: each is one file to copy.
import fs from 'node:fs';
import path from 'node:path';

const widest = 120;
const root = path.resolve(import.meta.dirname, '../..');

/** What is wrong, as file:line. */
export function commentColumns(folder = root, rooms = ['src', 'test', 'bench']): string[] {
  return rooms
    .flatMap((room) =>
      fs.readdirSync(path.join(folder, room), { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
    )
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules/'))
    .sort()
    .flatMap((file) =>
      fs
        .readFileSync(path.join(folder, file), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          /^\s*(?:\/\/|\/\*\*|\*)\s/.test(line) && [...line].length > widest
            ? [`${file}:${index + 1}: a comment of ${[...line].length} columns`]
            : [],
        ),
    );
}
