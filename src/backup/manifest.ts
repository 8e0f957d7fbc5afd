// What a backup says of itself, beside the rows of each table.
import { z } from 'zod';
import { checkFolder, damaged, manifestFile, textOf } from './folder.ts';

const table = z.object({
  /** With its schema, as the snapshot had it. */
  schema: z.enum(['hill', 'oauth']),
  name: z.string().regex(/^[a-z0-9_]+$/),
  /** The table that it is the partition of a day of. */
  partition_of: z
    .string()
    .regex(/^[a-z0-9_]+$/)
    .nullable(),
  day: z.int().nullable(),
  columns: z.array(z.string().regex(/^[a-z0-9_]+$/)).min(1),
  rows: z.int(),
  bytes: z.int(),
  file: z.string(),
});
export type BackedUpTable = z.output<typeof table>;

const manifest = z.object({
  format: z.literal('hill backup 1'),
  hill: z.string(),
  postgresql: z.string(),
  /** The instant of the snapshot, by the clock of the database's machine. */
  taken_at: z.iso.datetime({ offset: true }),
  clock: z.enum(['real', 'simulated']),
  day_one: z.iso.date(),
  last_night: z.int(),
  last_bell_at: z.iso.datetime({ offset: true }).nullable(),
  last_deposit_at: z.iso.datetime({ offset: true }).nullable(),
  /** As graphile-migrate keeps them: which tables there were. */
  migrations: z.array(z.object({ filename: z.string().regex(/^\d{6}\.sql$/), hash: z.string() })),
  /** Sealed with HILL_SIGNING_SECRET, in base64: tells whether a secret is the one of this hill. */
  signing_key: z.object({ kid: z.string(), sealed_private: z.string() }).nullable(),
  sequences: z.array(
    z.object({
      schema: z.enum(['hill', 'oauth']),
      name: z.string().regex(/^[a-z0-9_]+$/),
      last: z.string(),
      called: z.boolean(),
    }),
  ),
  tables: z.array(table),
});
export type Manifest = z.output<typeof manifest>;

/** The manifest of a backup that is whole: every file is there, and as it was written. */
export async function openBackup(folder: string, onFile?: (name: string) => void): Promise<Manifest> {
  const names = await checkFolder(folder, onFile);
  const parsed = manifest.safeParse(parse(await textOf(folder, manifestFile)));
  if (!parsed.success)
    throw damaged(folder, manifestFile, 'is not the manifest of a backup that this version can read');
  for (const { file } of parsed.data.tables)
    if (!names.has(file)) throw damaged(folder, file, 'is in the manifest and has no checksum');
  return parsed.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
