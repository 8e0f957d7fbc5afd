// npm run backup: copies a hill into a folder, while it serves. docs/backup.md.
import path from 'node:path';
import { backUp } from '../backup/backup.ts';
import { inBytes, inThousands, progressOn } from '../backup/progress.ts';
import { rememberBackup } from '../backup/record.ts';
import { withBackupDatabase } from '../db/owner-database.ts';
import type { Config } from '../process/config.ts';
import { StartError } from '../process/start-error.ts';

export async function run(config: Config, args: string[]): Promise<number> {
  const [folder, ...more] = args;
  if (!folder || folder.startsWith('-') || more.length > 0)
    throw new StartError('Name a new folder: npm run backup -- backups/2027-01-01');
  const target = path.resolve(folder);
  const began = performance.now();
  const manifest = await withBackupDatabase(config, (url, setting) => backUp(url, setting, target, progressOn()));
  const forgotten = rememberBackup(config.dataDir, { folder: target, taken_at: manifest.taken_at });
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = manifest.tables.reduce((sum, table) => sum + table.bytes, 0);
  const took = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    [
      `Backed up to ${target} in ${took} s: ${inThousands(rows)} rows of ${manifest.tables.length} tables, ${inBytes(bytes)} before compression.`,
      `It is the hill of ${instant(manifest.taken_at)}; ${nightOf(manifest)}.`,
      "Whoever reads it reads tonight's sealed moves. It has no secret: keep HILL_SIGNING_SECRET elsewhere, for a restore needs it.",
      ...(forgotten === null ? [] : [`npm run doctor will not know of it: ${forgotten}. Set HILL_DATA_DIR.`]),
    ].join('\n'),
  );
  return 0;
}

/** "2027-01-01 03:00:00 UTC" */
const instant = (iso: string) => `${iso.slice(0, 19).replace('T', ' ')} UTC`;

const nightOf = ({ last_night }: { readonly last_night: number }) =>
  last_night === 0 ? 'no night has been published' : `its last published night is ${last_night}`;
