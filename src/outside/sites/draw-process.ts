// Draws one picture, in a process of its own: reads a PNG, JPEG, WebP, GIF or ICO, and writes 64 x 64 pixels, RGBA. It
// has no environment, no connection and no secret, and drawing.ts limits its time and memory: its decoders read what
// strangers wrote.

import { drawEnd } from './draw-end.ts';
import { bestEntry } from './ico.ts';
import { iconPixels } from './icon-links.ts';
import { isPicture } from './picture-kind.ts';

/** Whatever is wider or higher is no icon, and is not decoded. */
const longestSide = 2_048;

// Imported here, where it may be missing.
const sharp = await import('sharp').then(
  (module) => module.default,
  () => process.exit(drawEnd.notInstalled),
);
sharp.cache(false);
sharp.concurrency(1);
// What is not named here has no decoder, should drawing.ts ever let it in: SVG, TIFF, HEIF, PDF and others.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
});

const options = { limitInputPixels: longestSide ** 2, failOn: 'error' } as const;
const clear = { r: 0, g: 0, b: 0, alpha: 0 };

function opened(bytes: Buffer) {
  if (isPicture(bytes)) return sharp(bytes, options);
  const entry = bestEntry(bytes, iconPixels);
  if (!('file' in entry))
    return sharp(entry.pixels, { ...options, raw: { width: entry.width, height: entry.height, channels: 4 } });
  return sharp(entry.file, options);
}

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);

try {
  const picture = opened(Buffer.concat(chunks));
  const { width, height } = await picture.metadata();
  if (Math.max(width, height) > longestSide) process.exit(drawEnd.tooLarge);
  const pixels = await picture
    .autoOrient()
    .toColourspace('srgb')
    .resize(iconPixels, iconPixels, { fit: 'contain', background: clear })
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer();
  process.stdout.end(pixels);
} catch (error) {
  process.exitCode = /pixel limit/.test(String(error)) ? drawEnd.tooLarge : drawEnd.damaged;
}
