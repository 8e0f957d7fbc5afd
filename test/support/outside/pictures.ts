// Pictures as sites serve them, and as they are made against decoders.
import zlib from 'node:zlib';
import sharp from 'sharp';
import type { Random } from '../random.ts';

export const aPicture = (colour: string, width = 96, height = width) =>
  sharp({ create: { width, height, channels: 4, background: colour } });

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length);
  ends.writeUInt32BE(zlib.crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
};

/** A PNG of these bytes, however many its head promises. */
export function aPng(
  width: number,
  height: number,
  pixels: Uint8Array,
  { depth = 8, colour = 6, interlaced = 0 } = {},
): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([depth, colour, 0, 0, interlaced], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('tEXt', Buffer.from('Comment\0FOREIGN')),
    chunk('IDAT', zlib.deflateSync(pixels, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Each frame has the size of the whole, and data for one pixel. */
export function aGif(width: number, height: number, frames: number): Buffer {
  const head = Buffer.from('47494638396101000100800000ff000000ff00', 'hex');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  const frame = Buffer.from('2c0000000001000100000202440100', 'hex');
  frame.writeUInt16LE(width, 5);
  frame.writeUInt16LE(height, 7);
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from(';')]);
}

/** Entries without an address have the body, which follows the directory. */
export function anIco(entries: readonly { width: number; from?: number; size?: number }[], body: Buffer): Buffer {
  const head = Buffer.alloc(6 + 16 * entries.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(entries.length, 4);
  entries.forEach(({ width, from = head.length, size = body.length }, i) => {
    const at = 6 + i * 16;
    head.set([width & 255, width & 255], at);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(size, at + 8);
    head.writeUInt32LE(from, at + 12);
  });
  return Buffer.concat([head, body]);
}

/** A bitmap as an ICO holds it: one colour (as written, #rrggbb), and a mask that leaves out the right half. */
export function aBitmap(size: number, depth: 1 | 4 | 8 | 24 | 32, colour: string): Buffer {
  const [red, green, blue] = Buffer.from(colour.slice(1), 'hex');
  const head = Buffer.alloc(40 + (depth <= 8 ? 4 << depth : 0));
  head.writeUInt32LE(40);
  head.writeInt32LE(size, 4);
  head.writeInt32LE(size * 2, 8);
  head.writeUInt16LE(1, 12);
  head.writeUInt16LE(depth, 14);
  if (depth <= 8) head.set([blue as number, green as number, red as number], 40); // the first of the palette
  const rows = Buffer.alloc(Math.ceil((size * depth) / 32) * 4 * size);
  if (depth > 8)
    for (let i = 0; i < size * size; i += 1) {
      const at = Math.floor(i / size) * (rows.length / size) + ((i % size) * depth) / 8;
      rows.set([blue as number, green as number, red as number], at);
    }
  const stride = Math.ceil(size / 32) * 4;
  const mask = Buffer.alloc(stride * size);
  for (let y = 0; y < size; y += 1)
    for (let x = size / 2; x < size; x += 1)
      mask.writeUInt8(mask.readUInt8(y * stride + (x >> 3)) | (128 >> (x & 7)), y * stride + (x >> 3));
  return Buffer.concat([head, rows, mask]);
}

/** One good file of each kind. */
export const goodPictures = async (colour = '#c02040'): Promise<Record<string, Buffer>> => ({
  PNG: await aPicture(colour).png().toBuffer(),
  'interlaced PNG with 16 bits': await aPicture(colour).toColourspace('rgb16').png({ progressive: true }).toBuffer(),
  JPEG: await aPicture(colour)
    .withMetadata({ exif: { IFD0: { Copyright: 'FOREIGN' } } })
    .jpeg({ quality: 100 })
    .toBuffer(),
  'lossless WebP': await aPicture(colour).webp({ lossless: true }).toBuffer(),
  WebP: await aPicture(colour).webp({ quality: 100 }).toBuffer(),
  GIF: await aPicture(colour).gif().toBuffer(),
  'ICO with a PNG': anIco([{ width: 96 }], await aPicture(colour).png().toBuffer()),
  ...Object.fromEntries(
    ([1, 4, 8, 24, 32] as const).map((depth) => [
      `ICO with a bitmap of ${depth} bits`,
      anIco([{ width: 48 }], aBitmap(48, depth, colour)),
    ]),
  ),
});

/**
 * What fuzzers do to a file: cut it, flip bytes, put in numbers at the edge of their range, repeat or drop a piece,
 * splice it with another.
 */
export function malformed(random: Random, good: readonly Buffer[]): Buffer {
  const bytes = Buffer.from(random.pick(good));
  const at = () => random.below(bytes.length);
  const edges = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];
  switch (random.below(6)) {
    case 0:
      return bytes.subarray(0, at());
    case 1:
      for (let n = 1 + random.below(8); n > 0; n -= 1) bytes[at()] = random.below(256);
      return bytes;
    case 2: {
      // lengths and sizes mostly stand near the beginning
      const from = random.below(Math.min(bytes.length, 64) - 4);
      if (random.chance(0.5)) bytes.writeUInt32BE(random.pick(edges), from);
      else bytes.writeUInt32LE(random.pick(edges), from);
      return bytes;
    }
    case 3: {
      const [from, to] = [at(), at()].sort((a, b) => a - b) as [number, number];
      const piece = bytes.subarray(from, to);
      return Buffer.concat([
        bytes.subarray(0, to),
        ...Array.from({ length: 1 + random.below(20) }, () => piece),
        bytes.subarray(to),
      ]);
    }
    case 4: {
      const [from, to] = [at(), at()].sort((a, b) => a - b) as [number, number];
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
    }
    default: {
      const other = random.pick(good);
      return Buffer.concat([bytes.subarray(0, at()), other.subarray(random.below(other.length))]);
    }
  }
}
