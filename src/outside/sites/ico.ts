// Reads an ICO file as far as it is needed: its directory, and the bitmaps in it, which no image library that we have
// reads.

/** An entry that is a file of its own (a PNG), or pixels, 8 bits RGBA, the topmost row first. */
export type Entry =
  | { readonly file: Buffer }
  | { readonly pixels: Buffer; readonly width: number; readonly height: number };

const mostEntries = 64;
const directoryEntry = 16;
const bitmapHeader = 40;

/**
 * The smallest entry of at least so many pixels, otherwise the largest. Throws a RangeError for a file that contradicts
 * itself.
 */
export function bestEntry(bytes: Buffer, pixels: number): Entry {
  const entries = Array.from({ length: Math.min(bytes.readUInt16LE(4), mostEntries) }, (_, i) => {
    const at = 6 + i * directoryEntry;
    const size = bytes.readUInt32LE(at + 8);
    const from = bytes.readUInt32LE(at + 12);
    return { width: bytes.readUInt8(at) || 256, bits: bytes.readUInt16LE(at + 6), from, size };
  });
  const [best] = entries
    .filter(({ from, size }) => size > bitmapHeader && from + size <= bytes.length)
    .sort((a, b) => rank(a.width, pixels) - rank(b.width, pixels) || b.bits - a.bits);
  if (!best) throw new RangeError('no entry lies within the file');
  const entry = bytes.subarray(best.from, best.from + best.size);
  return entry.readUInt32BE(0) === 0x89504e47 ? { file: entry } : bitmap(entry);
}

const rank = (width: number, pixels: number): number => (width >= pixels ? width : 1_000 - width);

/**
 * A device-independent bitmap: colours from the bottom row up, then a mask of one bit a pixel. Reads beyond its end
 * throw a RangeError.
 */
function bitmap(bytes: Buffer): Entry {
  const width = bytes.readInt32LE(4);
  const height = bytes.readInt32LE(8) / 2; // colours and mask are counted together
  const depth = bytes.readUInt16LE(14);
  if (bytes.readUInt32LE(0) !== bitmapHeader || bytes.readUInt32LE(16) !== 0 || ![1, 4, 8, 24, 32].includes(depth))
    throw new RangeError('a bitmap of another kind');
  if (!(width >= 1 && width <= 256 && Number.isInteger(height) && height >= 1 && height <= 256))
    throw new RangeError('not of an icon’s size');

  const colours = depth <= 8 ? bytes.readUInt32LE(32) || 1 << depth : 0;
  const rows = bitmapHeader + colours * 4;
  const stride = Math.ceil((width * depth) / 32) * 4;
  const mask = rows + stride * height;
  const maskStride = Math.ceil(width / 32) * 4;
  const masked = mask + maskStride * height <= bytes.length;
  if (depth < 32 && !masked) throw new RangeError('no mask');

  const pixels = Buffer.alloc(width * height * 4);
  let seen = false;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const up = height - 1 - y;
      const bit = x * depth;
      const at = rows + up * stride + (bit >> 3);
      const from =
        depth > 8 ? at : bitmapHeader + ((bytes.readUInt8(at) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)) * 4;
      const bgr = bytes.readUIntLE(from, 3);
      const alpha = depth === 32 ? bytes.readUInt8(at + 3) : 255 * (1 - maskBit(bytes, mask + up * maskStride, x));
      seen ||= alpha > 0;
      pixels.writeUInt32BE(((bgr << 8) | alpha) >>> 0, (y * width + x) * 4);
    }
  // Old programs left the fourth byte empty: then the mask counts.
  if (depth === 32 && !seen && masked)
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1)
        pixels[(y * width + x) * 4 + 3] = 255 * (1 - maskBit(bytes, mask + (height - 1 - y) * maskStride, x));
  return { pixels, width, height };
}

const maskBit = (bytes: Buffer, row: number, x: number): number =>
  (bytes.readUInt8(row + (x >> 3)) >> (7 - (x & 7))) & 1;
