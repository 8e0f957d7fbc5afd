// The tables of a run, as files: written as worlds end, each after the one before it.
import fs from 'node:fs';
import path from 'node:path';
import { type FileName, fileNames, headOf, type WorldFigures } from './figures.ts';

export interface Tables {
  add(figures: WorldFigures): void;
  end(): void;
}

export function openTables(folder: string): Tables {
  fs.mkdirSync(folder, { recursive: true });
  const files = new Map<FileName, number>(
    fileNames.map((name) => {
      const file = fs.openSync(path.join(folder, `${name}.csv`), 'w');
      fs.writeSync(file, headOf(name));
      return [name, file];
    }),
  );
  return {
    add({ csv }) {
      for (const [name, file] of files) fs.writeSync(file, csv[name]);
    },
    end() {
      for (const file of files.values()) fs.closeSync(file);
    },
  };
}
