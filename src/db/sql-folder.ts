// db/sql-folder.ts · loads sql/: functions, views, policies, grants. All of it is built anew, in one transaction, whenever a file has changed.
//
// sql/load.sql is plain SQL and lines of the form `\ir path.sql`, which psql understands too. graphile-migrate 1.4 has no include of its own.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { checkout } from '../config.ts';
import { StartError } from '../start-error.ts';

export const sqlFolder = path.join(checkout, 'sql');

/** A run of lines of one file, between two includes. */
export interface Segment {
  readonly file: string;
  readonly firstLine: number;
  readonly text: string;
}

/** What loading the folder executes, in order. */
export function sqlFolderSegments(folder = sqlFolder): Segment[] {
  return expand(path.join(folder, 'load.sql'), []);
}

function expand(file: string, includedBy: readonly string[]): Segment[] {
  if (includedBy.includes(file)) throw new StartError(`${shown(file)} includes itself.`);
  const segments: Segment[] = [];
  let pending: string[] = [];
  let firstLine = 1;
  const flush = (nextLine: number) => {
    if (pending.some((line) => line.trim() !== '')) segments.push({ file, firstLine, text: pending.join('\n') });
    pending = [];
    firstLine = nextLine;
  };
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    const [, included] = /^\\ir\s+(\S+)\s*$/.exec(line) ?? [];
    if (included === undefined) {
      pending.push(line);
      continue;
    }
    flush(index + 2);
    const target = path.resolve(path.dirname(file), included);
    if (!fs.existsSync(target)) throw new StartError(`${shown(file)}:${index + 1}: there is no file ${included}.`);
    segments.push(...expand(target, [...includedBy, file]));
  }
  flush(lines.length + 1);
  return segments;
}

/** Returns whether there was something to do. `schemaState` stands for the tables below: when they change, everything above is built anew. */
export async function loadSqlFolder(client: pg.Client, schemaState: string, folder = sqlFolder): Promise<boolean> {
  const segments = sqlFolderSegments(folder);
  const hash = createHash('sha256')
    .update(JSON.stringify([schemaState, ...segments.map(({ file, text }) => [path.relative(folder, file), text])]))
    .digest('hex');
  await client.query('begin');
  try {
    await client.query("select pg_advisory_xact_lock(hashtextextended('hill sql folder', 0))");
    await client.query(`
      create table if not exists graphile_migrate.sql_folder (
        one        boolean primary key default true check (one),
        hash       text not null,
        loaded_at  timestamptz not null default now()
      )`);
    const { rows } = await client.query<{ hash: string }>('select hash from graphile_migrate.sql_folder');
    const stale = rows[0]?.hash !== hash;
    if (stale) {
      for (const segment of segments) await client.query(segment.text).catch((error) => fail(error, segment));
      await client.query(
        `insert into graphile_migrate.sql_folder (hash) values ($1)
         on conflict (one) do update set hash = excluded.hash, loaded_at = excluded.loaded_at`,
        [hash],
      );
    }
    await client.query('commit');
    return stale;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

function fail(error: pg.DatabaseError, { file, firstLine, text }: Segment): never {
  // Position counts characters, from 1; an error that PostgreSQL finds only when it executes has none.
  const line = error.position ? firstLine + [...text].slice(0, Number(error.position) - 1).filter((c) => c === '\n').length : firstLine;
  const more = [error.detail, error.hint && `Hint: ${error.hint}`, error.where?.split('\n')[0]].filter(Boolean).map((text) => ` ${text}`);
  throw new StartError(`${shown(file)}:${line}: ${error.message}.${more.join('')}`, { cause: error });
}

const shown = (file: string) => path.relative(checkout, file);
