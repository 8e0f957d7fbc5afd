// npm run export: published nights as files that anyone can load, and resolve again with "npm run -s resolve".
// docs/backup.md.
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { type NightRange, nightLines, publishedNights } from '../backup/export.ts';
import { makeFolder } from '../backup/folder.ts';
import { progressOn } from '../backup/progress.ts';
import { beginReading } from '../backup/reading.ts';
import { withClient } from '../db/connect.ts';
import { withOwnerDatabase } from '../db/owner-database.ts';
import type { Config } from '../process/config.ts';
import { StartError } from '../process/start-error.ts';

const usage =
  'Say which nights, and a new folder: npm run export -- --nights 1..30 exports/nights (without a folder: the night files to standard output)';

export async function run(config: Config, args: string[]): Promise<number> {
  const { range, folder } = parse(args);
  return withOwnerDatabase(config, (ownerUrl) =>
    withClient(ownerUrl, 'DATABASE_URL', async (reader) => {
      await beginReading(reader);
      const published = await publishedNights(reader, range);
      const days = published.nights.map(({ day }) => day);
      if (folder === undefined) return print(reader, days);
      const progress = progressOn();
      await makeFolder(folder, { folder: 0o755, file: 0o644 }, progress.stopping, async (files) => {
        for (const what of ['nights', 'results'] as const)
          await files.write(
            `${what}.jsonl`,
            Readable.from(nightLines(reader, what, days, (day) => progress.show(`${what}: day ${day}`))),
          );
        return { format: 'hill nights 1', ...published };
      });
      progress.clear();
      console.log(
        [
          `Exported ${days.length === 1 ? `night ${days[0]}` : `nights ${days[0]} to ${days.at(-1)}`} to ${folder}. To check the files, and the nights:`,
          '',
          `  cd ${folder} && sha256sum -c SHA256SUMS`,
          `  npm run -s resolve < ${path.join(folder, 'nights.jsonl')} | diff - ${path.join(folder, 'results.jsonl')} && echo equal`,
        ].join('\n'),
      );
      return 0;
    }),
  );
}

/** A reader that closes the pipe early, as head does, is no error. */
async function print(reader: pg.Client, days: readonly number[]): Promise<number> {
  await pipeline(Readable.from(nightLines(reader, 'nights', days)), process.stdout, { end: false }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    },
  );
  return 0;
}

function parse(args: string[]): { range: NightRange | null; folder: string | undefined } {
  let parsed: { values: { nights?: string | undefined }; positionals: string[] };
  try {
    parsed = parseArgs({ args, options: { nights: { type: 'string' } }, allowPositionals: true });
  } catch {
    throw new StartError(usage);
  }
  const { values, positionals } = parsed;
  if (positionals.length > 1) throw new StartError(usage);
  const folder = positionals[0] === undefined ? undefined : path.resolve(positionals[0]);
  if (values.nights === undefined) return { range: null, folder };
  const [, first, last = first] = /^(\d{1,9})(?:\.\.(\d{1,9}))?$/.exec(values.nights) ?? [];
  const range = { first: Number(first), last: Number(last) };
  if (!(range.first >= 1 && range.first <= range.last))
    throw new StartError(`--nights takes days, such as 7 or 1..30. ${usage}`);
  return { range, folder };
}
