// The fonts of pictures: Inter for what it has, Unifont for every other letter. They come as packages, packed for
// browsers (WOFF 1.0), and are unpacked for the library that draws, which reads files and knows no WOFF. Decisions 180,
// 307.
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

const inflate = promisify(zlib.inflate);
const require = createRequire(import.meta.url);
const wanted = /^(inter-[a-z-]+-(400|600|800)|unifontex-latin-400)-normal\.woff$/;

/** By weight. The last name of each is for letters that Inter does not have. */
export const families = {
  plain: 'Inter, UnifontExMono',
  semi: 'Inter SemiBold, UnifontExMono',
  bold: 'Inter ExtraBold, UnifontExMono',
} as const;

const packages = [
  require.resolve('@fontsource/inter/package.json'),
  require.resolve('@fontsource/unifontex/package.json'),
];
const config = 'fonts.conf';
/** To be raised with what is written below. */
const form = 1;

let folder: string | undefined;

/**
 * Has the fonts found, and no others: a picture is the same on every machine. To be called before each picture, because
 * temporary files are cleared away some day.
 */
export async function fontsAtHand(): Promise<void> {
  folder = await fontsIn(tmpdir(), folder);
  // Fontconfig reads the first when it begins; on macOS the second has it asked at all.
  Object.assign(process.env, { FONTCONFIG_FILE: path.join(folder, config), PANGOCAIRO_BACKEND: 'fontconfig' });
}

/**
 * The folder with the unpacked fonts. Every process of this user finds the same one again: 14 MB that each unpacks for
 * itself would stay behind wherever one is killed. `before` is the one that this process had last.
 */
export async function fontsIn(temporary: string, before?: string): Promise<string> {
  sources ??= await Promise.all(packages.map(fontsOf));
  const files = sources.flatMap(({ files }) => files);
  const sort = createHash('sha256').update(JSON.stringify([form, sources.map(({ version }) => version)]));
  const shared =
    before ?? path.join(temporary, `hill-fonts-${process.getuid?.() ?? 'own'}-${sort.digest('hex').slice(0, 12)}`);
  await mkdir(shared, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  // Anybody may have made a folder of that name, to put other files there.
  const folder = (await isOwn(shared)) ? shared : await folderForOnce(temporary);

  const there = new Set(await readdir(folder));
  if (there.has(config) && files.every((file) => there.has(unpackedName(file)))) return folder;
  for (const file of files) await put(folder, unpackedName(file), await unpacked(await readFile(file)));
  await put(
    folder,
    config,
    `<?xml version="1.0"?><fontconfig><dir>${folder}</dir><cachedir>${folder}</cachedir><config><rescan><int>0</int></rescan></config></fontconfig>`,
  );
  // what was being written when a process was killed
  for (const file of there) if (file.endsWith(part)) await rm(path.join(folder, file), { force: true });
  return folder;
}

let sources: Awaited<ReturnType<typeof fontsOf>>[] | undefined;

async function fontsOf(of: string) {
  const { name, version } = JSON.parse(await readFile(of, 'utf8')) as { name: string; version: string };
  const from = path.join(path.dirname(of), 'files');
  const files = (await readdir(from)).filter((file) => wanted.test(file)).map((file) => path.join(from, file));
  return { version: `${name}@${version}`, files };
}

const unpackedName = (file: string) => path.basename(file).replace(/woff$/, 'ttf');

/**
 * Whether it is a folder of this user, into which nobody else can write. Windows has a folder of temporary files for
 * each user.
 */
async function isOwn(folder: string): Promise<boolean> {
  const { uid, mode } = await lstat(folder);
  return (
    (mode & 0o170000) === 0o040000 &&
    (process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0))
  );
}

async function folderForOnce(temporary: string): Promise<string> {
  const made = await mkdtemp(path.join(temporary, 'hill-fonts-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}

const part = '.part';

/** Writes a file whole: another process sees all of it or nothing, and may write the same. */
async function put(folder: string, name: string, bytes: Buffer | string): Promise<void> {
  const file = path.join(folder, `${name}.${process.pid}${part}`);
  await writeFile(file, bytes);
  await rename(file, path.join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error; // it was taken for a leaving, by who had put its own
  });
}

/** The tables of a font, inflated, behind a directory of their own. WOFF 1.0, 3 to 5. */
async function unpacked(woff: Buffer): Promise<Buffer> {
  const count = woff.readUInt16BE(12);
  const directory = Buffer.alloc(12 + count * 16);
  woff.copy(directory, 0, 4, 8); // which kind of outlines
  const power = Math.floor(Math.log2(count));
  [count, 2 ** power * 16, power, (count - 2 ** power) * 16].forEach((n, i) => {
    directory.writeUInt16BE(n, 4 + i * 2);
  });
  const tables: Buffer[] = [];
  let end = directory.length;
  for (let i = 0; i < count; i++) {
    const entry = woff.subarray(44 + i * 20, 64 + i * 20);
    const [offset, packed, length] = [entry.readUInt32BE(4), entry.readUInt32BE(8), entry.readUInt32BE(12)];
    const stored = woff.subarray(offset, offset + packed);
    const record = directory.subarray(12 + i * 16);
    entry.copy(record, 0, 0, 4); // its name
    entry.copy(record, 4, 16, 20); // its checksum
    record.writeUInt32BE(end, 8);
    record.writeUInt32BE(length, 12);
    tables.push(packed < length ? await inflate(stored) : stored, Buffer.alloc(-length & 3));
    end += length + (-length & 3);
  }
  return Buffer.concat([directory, ...tables]);
}
