// What is remembered of backups: where this machine made them, and in each whether a restore of it was tried. For npm
// run doctor; nothing else depends on it.
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const made = z.array(z.object({ folder: z.string(), taken_at: z.iso.datetime({ offset: true }) }));
const tried = z.object({ restored_at: z.iso.datetime({ offset: true }), good: z.boolean() });

export type MadeBackup = z.output<typeof made>[number];
export type TriedRestore = z.output<typeof tried>;

const mostKept = 100;

const listIn = (dataDir: string): string => path.join(dataDir, 'backups.json');
/** In the folder of the backup, beside what its checksums cover. */
const markIn = (folder: string): string => path.join(folder, 'restored.json');

/** The backups that were made with this data directory, the last one last. */
export const madeBackups = (dataDir: string): readonly MadeBackup[] => read(listIn(dataDir), made) ?? [];

/** How the last restore of this backup went; none if none is known. */
export const triedRestore = (folder: string): TriedRestore | undefined => read(markIn(folder), tried);

/** Returns why that could not be remembered; null if it was. */
export const rememberBackup = (dataDir: string, backup: MadeBackup): string | null =>
  write(listIn(dataDir), [...madeBackups(dataDir), backup].slice(-mostKept));

export const rememberRestore = (folder: string, good: boolean, at = new Date()): string | null =>
  write(markIn(folder), { restored_at: at.toISOString(), good });

function read<T>(file: string, form: z.ZodType<T>): T | undefined {
  try {
    const parsed = form.safeParse(JSON.parse(fs.readFileSync(file, 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function write(file: string, value: object): string | null {
  const next = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(next, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    fs.renameSync(next, file);
    return null;
  } catch (error) {
    fs.rmSync(next, { force: true });
    return `${file} cannot be written (${(error as NodeJS.ErrnoException).code})`;
  }
}
