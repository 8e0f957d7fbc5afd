// A folder of files with their checksums: whole, or not there. Anyone can check it with "sha256sum -c SHA256SUMS".
import { createHash, type Hash } from 'node:crypto';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { messageOf, StartError } from '../process/start-error.ts';
import { inBytes } from './progress.ts';

const sums = 'SHA256SUMS';
export const manifestFile = 'manifest.json';
/** The level that takes as long as the database needs to send the rows. */
const level = 4;

/** What went into a file. */
interface Written {
  /** Before it was compressed. */
  readonly bytes: number;
}

export interface NewFolder {
  /** Writes a file, compressed if its name ends in .gz. */
  write(
    name: string,
    content: AsyncIterable<Buffer | string> | NodeJS.ReadableStream,
    onBytes?: (bytes: number) => void,
  ): Promise<Written>;
}

/**
 * Makes a folder of the files that `fill` writes and of the manifest that it returns. It is written beside its place
 * under another name, and renamed when everything is on disk: whoever finds the folder finds all of it. What is left of
 * a failure is removed; what a kill leaves has the other name.
 */
export async function makeFolder(
  target: string,
  mode: { readonly folder: number; readonly file: number },
  stopping: AbortSignal,
  fill: (folder: NewFolder) => Promise<object>,
): Promise<void> {
  const draft = `${target}.unfinished`;
  refuseExisting(target, 'Name a new folder.');
  refuseExisting(draft, 'It is being written by another command, or was left by one that was killed: then delete it.');
  try {
    await fsp.mkdir(draft, { mode: mode.folder });
  } catch (error) {
    throw new StartError(
      `${path.dirname(target)}: cannot make a folder there (${codeOf(error)}). Name a folder in one that exists and can be written to.`,
    );
  }
  try {
    const lines: string[] = [];
    const folder: NewFolder = {
      async write(name, content, onBytes = () => {}) {
        const raw = meter(onBytes);
        const stored = meter();
        const file = fs.createWriteStream(path.join(draft, name), { mode: mode.file, flags: 'wx', flush: true });
        if (name.endsWith('.gz'))
          await pipeline(content, raw.through, createGzip({ level }), stored.through, file, { signal: stopping });
        else await pipeline(content, raw.through, stored.through, file, { signal: stopping });
        lines.push(`${stored.hash.digest('hex')}  ${name}\n`);
        return { bytes: raw.bytes() };
      },
    };
    const manifest = await fill(folder);
    await folder.write(manifestFile, asStream(`${JSON.stringify(manifest, null, 2)}\n`));
    await fsp.writeFile(path.join(draft, sums), lines.join(''), { mode: mode.file, flush: true });
    await syncFolder(draft);
    refuseExisting(target, 'It has come to be meanwhile.');
    await fsp.rename(draft, target);
    await syncFolder(path.dirname(target));
  } catch (error) {
    await fsp.rm(draft, { recursive: true, force: true });
    throw explained(error, target);
  }
}

function refuseExisting(name: string, advice: string): void {
  if (fs.existsSync(name)) throw new StartError(`${name} exists. ${advice}`);
}

/** Before anything is written: whether the disk has room. */
export async function checkRoom(folder: string, bytes: number, what: string): Promise<void> {
  let at = path.resolve(folder);
  while (!fs.existsSync(at)) at = path.dirname(at);
  const { bavail, bsize } = await fsp.statfs(at);
  const free = bavail * bsize;
  if (free < bytes)
    throw new StartError(
      `${at} has ${inBytes(free)} free, and ${what} may need ${inBytes(bytes)}. Make room, or name a folder on another disk.`,
    );
}

/** The names of the files, each of which is as it was written. Throws a StartError that names the first that is not. */
export async function checkFolder(folder: string, onFile: (name: string) => void = () => {}): Promise<Set<string>> {
  const names = new Set<string>();
  const lines = (await textOf(folder, sums)).split('\n');
  if (lines.pop() !== '') throw damaged(folder, sums, 'is cut short');
  for (const line of lines) {
    const [, sum, name] = /^([0-9a-f]{64}) {2}([\w.-]+)$/.exec(line) ?? [];
    if (!sum || !name) throw damaged(folder, sums, 'has a line that is no checksum');
    onFile(name);
    const hash = createHash('sha256');
    try {
      for await (const chunk of fs.createReadStream(path.join(folder, name))) hash.update(chunk as Buffer);
    } catch (error) {
      throw damaged(folder, name, `cannot be read (${codeOf(error)})`);
    }
    if (hash.digest('hex') !== sum)
      throw damaged(folder, name, `is not as it was written: its SHA-256 differs from the one in ${sums}`);
    names.add(name);
  }
  if (!names.has(manifestFile)) throw damaged(folder, sums, `has no line for ${manifestFile}`);
  return names;
}

export async function textOf(folder: string, name: string): Promise<string> {
  try {
    return await fsp.readFile(path.join(folder, name), 'utf8');
  } catch (error) {
    throw damaged(folder, name, `cannot be read (${codeOf(error)})`);
  }
}

export const damaged = (folder: string, name: string, how: string): StartError =>
  new StartError(
    `${path.join(folder, name)} ${how}. This is no whole folder of Hill's: take another copy. Nothing was changed.`,
  );

async function* asStream(text: string): AsyncGenerator<string> {
  yield text;
}

/** Counts and hashes what goes through. */
function meter(onBytes: (bytes: number) => void = () => {}): { through: Transform; hash: Hash; bytes: () => number } {
  const hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      onBytes(chunk.length);
      done(null, chunk);
    },
  });
  return { through, hash, bytes: () => bytes };
}

/** So that the names in it survive a crash of the machine. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await fsp.open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? messageOf(error);

function explained(error: unknown, target: string): unknown {
  if ((error as Error).name === 'AbortError')
    return new StartError('Stopped before the end. What was written was removed.');
  const code = codeOf(error);
  if (!/^E(NOSPC|DQUOT|IO|ROFS|FBIG|ACCES|PERM)$/.test(code)) return error;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return new StartError(
    `${target}: ${full ? 'the disk is full' : `cannot be written (${code})`}. What was written was removed.`,
    {
      cause: error,
    },
  );
}
