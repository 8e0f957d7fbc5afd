// What a witness holds: of each log the last checkpoint that it signed, in a file of SQLite. Rules 20.32.
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TreeHead } from '../log/checkpoint.ts';

/** For another process that writes. */
const patienceMs = 2_000;

interface Held {
  /** Of no entries, if it never signed one. */
  readonly size: number;
  readonly root: Uint8Array;
  /** As the witness signed it. Null: never. */
  readonly note: string | null;
}

export interface Memory {
  of(origin: string): Held;
  /**
   * On the disk when it returns. False, and nothing is changed, if the log is no longer at that size: somebody else
   * signed meanwhile.
   */
  move(from: Held, to: TreeHead, note: string): boolean;
  close(): void;
}

/** Several processes may open one file. */
export function openMemory(file: string, empty: Uint8Array): Memory {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const db = new DatabaseSync(file, { timeout: patienceMs });
  db.exec('pragma synchronous = extra'); // a commit outlives a loss of power
  db.exec(
    'create table if not exists logs (origin text primary key, size integer not null, root blob not null, note text) strict',
  );
  const read = db.prepare('select size, root, note from logs where origin = ?');
  const begin = db.prepare('insert into logs (origin, size, root, note) values (?, ?, ?, ?) on conflict do nothing');
  const go = db.prepare('update logs set size = ?, root = ?, note = ? where origin = ? and size = ? and root = ?');
  return {
    of(origin) {
      const row = read.get(origin) as { size: number; root: Uint8Array; note: string } | undefined;
      return row ? { ...row, root: row.root } : { size: 0, root: empty, note: null };
    },
    move(from, { origin, size, root }, note) {
      const { changes } =
        from.note === null
          ? begin.run(origin, size, root, note)
          : go.run(size, root, note, origin, from.size, from.root);
      return Number(changes) === 1;
    },
    close: () => db.close(),
  };
}
