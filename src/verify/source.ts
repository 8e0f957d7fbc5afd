// What of the sources of an engine makes it. Rules 20.9.
import { text } from '../log/bytes.ts';
import { type Files, filesIn } from '../log/tar.ts';

const alone = 'sql/engine.sql';

/**
 * What makes the engine in an empty database, in order: its package, sql/engine.sql; or all tables and functions, of
 * sources from before there was one.
 */
export function engineSql(source: Uint8Array): string[] {
  const files = filesIn(source);
  return files.has(alone) ? [expanded(files, alone)] : wholeSql(source);
}

/** What makes all tables and functions in an empty database, in order. */
export function wholeSql(source: Uint8Array): string[] {
  const files = filesIn(source);
  const migrations = [...files].filter(([name]) => name.startsWith('migrations/'));
  return [...migrations.map(([, bytes]) => text(bytes)), `begin;\n${expanded(files, 'sql/load.sql')}\ncommit;`];
}

/** Views of graphile-worker's tables, which a worker makes and nothing that resolves a night needs. */
const ofTheQueue = /^sql\/(looking|api\/staff)\/.*queue/;

/** A file with what it includes, as psql's \ir does. */
function expanded(files: Files, file: string): string {
  const bytes = files.get(file);
  if (!bytes) throw new Error(`The sources of the engine have no ${file}.`);
  const folder = file.slice(0, file.lastIndexOf('/'));
  return text(bytes).replace(/^\\ir\s+(\S+)\s*$/gm, (_, included: string) => {
    const name = `${folder}/${included}`;
    return ofTheQueue.test(name) ? '' : expanded(files, name);
  });
}
