// Folders like sql/, that a test writes.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { sqlFolder } from '../../../src/db/sql-folder.ts';

export interface Folder {
  readonly folder: string;
  write(files: Record<string, string>): void;
  /** Replaces a text that stands in a file. */
  edit(file: string, from: string, to: string): void;
}

/** Gone after the test. */
export function aFolder(files: Record<string, string>): Folder {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-sql-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const write = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      fs.writeFileSync(path.join(folder, name), text);
    }
  };
  write(files);
  return {
    folder,
    write,
    edit(file, from, to) {
      const text = fs.readFileSync(path.join(folder, file), 'utf8');
      if (!text.includes(from)) throw new Error(`${file} has no "${from}"`);
      fs.writeFileSync(path.join(folder, file), text.replace(from, to));
    },
  };
}

/** The hill's own, to be changed. */
export function aCopyOfSql(): Folder {
  const copy = aFolder({});
  fs.cpSync(sqlFolder, copy.folder, { recursive: true });
  return copy;
}
