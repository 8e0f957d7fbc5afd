// What a hill serves, as files: kept while it is checked, and checked again without a network. Rules 20.48.
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../../process/start-error.ts';
import { fileOf, type Manifest, manifest, manifestFile } from '../archive.ts';
import { type Ask, askAt, Missing, reading, type Served } from '../reading.ts';

const manifestIn = (folder: string): string => path.join(folder, manifestFile);

/** Writes each answer down before it is read. */
export function savedTo(folder: string, url: string, ask: Ask): Served {
  return reading(url, async (address) => {
    const file = path.join(folder, fileOf(address));
    const answer = await ask(address);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    await pipeline(answer, fs.createWriteStream(`${file}.part`));
    fs.renameSync(`${file}.part`, file);
    return opened(file);
  });
}

/** A folder that is new, empty, or an archive of that hill, which is brought up to date. */
export function beginArchive(folder: string, url: string): void {
  if (fs.existsSync(manifestIn(folder))) {
    if (openArchive(folder).url !== url) throw new StartError(`${folder} is an archive of another hill.`);
    fs.rmSync(manifestIn(folder));
  } else if (fs.existsSync(folder) && fs.readdirSync(folder).length > 0)
    throw new StartError(`${folder} is no archive, and is not empty. Name a folder that is new.`);
  fs.mkdirSync(folder, { recursive: true });
}

/** The text of archive.json. */
export const manifestOf = (url: string, nights: Manifest['nights']): string =>
  `${JSON.stringify({ format: 'hill archive 1', url, savedAt: new Date().toISOString(), nights }, null, 2)}\n`;

export function endArchive(folder: string, url: string, nights: Manifest['nights']): void {
  fs.writeFileSync(manifestIn(folder), manifestOf(url, nights));
}

/** An archive that a web server serves, as of a mirror: its files by the paths that they have. */
export async function openServedArchive(address: string): Promise<Manifest & { readonly hill: Served }> {
  const ask = askAt(address.replace(/\/$/, ''));
  const parsed = manifest.safeParse(await reading(address, ask).json('/archive.json'));
  if (!parsed.success) throw new StartError(`${address} serves no archive.`);
  return { ...parsed.data, hill: reading(parsed.data.url, (path) => ask(`/${encodeURI(fileOf(path))}`)) };
}

export function openArchive(folder: string): Manifest & { readonly hill: Served } {
  let about: Manifest;
  try {
    about = manifest.parse(JSON.parse(fs.readFileSync(manifestIn(folder), 'utf8')));
  } catch (error) {
    throw new StartError(
      `${folder} is no archive, or one that was not finished: it has no archive.json that can be read.`,
      {
        cause: error,
      },
    );
  }
  return { ...about, hill: reading(about.url, (address) => opened(path.join(folder, fileOf(address)))) };
}

const opened = (file: string): Promise<fs.ReadStream> =>
  new Promise((resolve, reject) => {
    const stream = fs.createReadStream(file);
    stream.once('open', () => resolve(stream));
    stream.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new Missing(`${file} is not there.`) : error),
    );
  });
