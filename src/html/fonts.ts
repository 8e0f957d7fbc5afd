// html/fonts.ts · the fonts of pictures: Inter for what it has, Unifont for every other letter. They come as packages, packed for browsers (WOFF 1.0),
// and are unpacked for the library that draws, which reads files and knows no WOFF.
import { rmSync } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
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

let folder: string | undefined;

/**
 * Unpacks the fonts into a folder of this process, which goes with it, and has these found and no others: a picture is the same on every machine. To be
 * called before each picture, because temporary files are cleared away some day: what was read least goes first, which is the configuration.
 */
export async function fontsAtHand(): Promise<void> {
  folder ??= await ownFolder();
  const config = path.join(folder, 'fonts.conf');
  if (
    await access(config).then(
      () => true,
      () => false,
    )
  )
    return;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const font of [require.resolve('@fontsource/inter/package.json'), require.resolve('@fontsource/unifontex/package.json')]) {
    const from = path.join(path.dirname(font), 'files');
    for (const file of (await readdir(from)).filter((file) => wanted.test(file)))
      await writeFile(path.join(folder, file.replace(/woff$/, 'ttf')), await unpacked(await readFile(path.join(from, file))));
  }
  await writeFile(
    config,
    `<?xml version="1.0"?><fontconfig><dir>${folder}</dir><cachedir>${folder}</cachedir><config><rescan><int>0</int></rescan></config></fontconfig>`,
  );
  // Fontconfig reads the first when it begins; on macOS the second has it asked at all.
  Object.assign(process.env, { FONTCONFIG_FILE: config, PANGOCAIRO_BACKEND: 'fontconfig' });
}

async function ownFolder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'hill-fonts-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
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
