// Draws pictures to share: SVG in, PNG out, one at a time and in a thread of the library, so that pages do not wait.
// Decisions 180.
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { Failure, rateLimited } from '../db/errors.ts';
import { fontsAtHand } from './fonts.ts';

/** No picture of ours is longer. */
export const longestPicture = 150_000;
/** Pictures drawn lately, by what they were drawn from: most states of the hill are asked for more than once. */
const drawn = new LRUCache<string, Buffer>({
  maxSize: 12_000_000,
  sizeCalculation: (png, svg) => png.length + svg.length * 2,
});
const turn = pLimit(1);
const mostWaiting = 40;

/** Throws rate_limited when too many wait, and NO_PICTURES where the library is not installed for this machine. */
export async function draw(svg: string): Promise<Buffer> {
  const before = drawn.get(svg);
  if (before) return before;
  if (turn.pendingCount >= mostWaiting) throw rateLimited(5, 'Too many pictures are asked for at once.');
  return turn(async () => {
    const meanwhile = drawn.get(svg);
    if (meanwhile) return meanwhile;
    await fontsAtHand();
    // with the first picture: nothing else here needs it
    const { default: sharp } = await import('sharp').catch((cause) => {
      throw new Failure('NO_PICTURES', cause);
    });
    sharp.cache(false);
    const png = await sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
    drawn.set(svg, png);
    return png;
  });
}

// Widths of letters in thousandths of their size, near enough to say what fits; what is still too long is cut at the
// edge by the picture.
const known = new Map(
  Object.entries({
    "Iijl !',.:;`": 300,
    'ft()/[]|r': 390,
    '1"-': 460,
    XYKBPRST: 710,
    w: 830,
    '…': 870,
    'Mm%@': 970,
    'W—ÆŒЖШЩЮ': 1_045,
  }).flatMap(([letters, width]) => [...letters].map((letter) => [letter, width] as const)),
);
const capital = /^\p{Lu}/u;
const wide =
  /[\u1100-\u11ff\u2600-\u27bf\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]|[\u{10000}-\u{3ffff}]/u;
let segmenter: Intl.Segmenter | undefined;
/** Made with the first picture: it takes a start some 20 ms. */
const graphemesOf = (text: string) => {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return [...segmenter.segment(text)];
};

/** In pixels. */
export const widthOf = (text: string, size: number): number =>
  graphemesOf(text).reduce(
    (sum, { segment }) =>
      sum + (known.get(segment) ?? (wide.test(segment) ? 1_000 : capital.test(segment) ? 770 : 640)),
    0,
  ) *
  (size / 1_000);

/** The text, or its beginning and an ellipsis. */
export function fitted(text: string, size: number, width: number): string {
  if (widthOf(text, size) <= width) return text;
  const letters = graphemesOf(text).map(({ segment }) => segment);
  while (letters.length > 0 && widthOf(`${letters.join('')}…`, size) > width) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}

/**
 * The text in lines of about the same length, each at most so wide; the last one ends in an ellipsis if they are too
 * few.
 */
export function wrapped(text: string, size: number, width: number, most: number): string[] {
  const lines = broken(text, size, width);
  let narrower = width;
  while (narrower > width / 2 && broken(text, size, narrower - 20).length === lines.length) narrower -= 20;
  const even = broken(text, size, narrower);
  return [...even.slice(0, most - 1), even.slice(most - 1).join(' ')]
    .filter((line) => line !== '')
    .map((line) => fitted(line, size, width));
}

function broken(text: string, size: number, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
