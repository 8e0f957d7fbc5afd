// The frame of a picture to share, and its parts: the look of the pages, in SVG that a library without style sheets
// draws.
import { html } from 'hono/html';
import { fitted, widthOf, wrapped } from './drawing.ts';
import { families } from './fonts.ts';
import { type Markup, pictureSize } from './layout.ts';
import { colours } from './style.ts';

export const colour = (name: string): string => colours[name]?.[0] ?? '';

/** Between two colours, by their names. */
export function mixed(one: string, other: string, share: number): string {
  const [from, to] = [colour(one), colour(other)];
  const part = (text: string, at: number) => Number.parseInt(text.slice(at, at + 2), 16);
  return `#${[1, 3, 5]
    .map((at) =>
      Math.round(part(from, at) + (part(to, at) - part(from, at)) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}
export const stepColour = (slot: number): string => mixed('peak', 'foot', (slot - 1) * 0.11);
export const onStep = (slot: number): string => colour(slot < 6 ? 'on-hill' : 'on-foot');

export interface Written {
  readonly size: number;
  readonly weight?: keyof typeof families;
  readonly fill?: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** In pixels: a longer text ends in an ellipsis. */
  readonly width?: number;
}

/** Letters of a heavier weight are broader. */
const broader = { plain: 1, semi: 1.04, bold: 1.07 } as const;

export const write = (
  x: number,
  y: number,
  text: string,
  { size, weight = 'plain', fill = colour('ink'), anchor, width }: Written,
): Markup =>
  html`<text x="${x}" y="${y}" font-family="${families[weight]}" font-size="${size}" fill="${fill}"${anchor ? html` text-anchor="${anchor}"` : ''}>${drawable(width === undefined ? text : fitted(text, size * broader[weight], width))}</text>`;

export const box = (
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  round = 10,
  more: Markup | '' = '',
): Markup => html`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}" fill="${fill}"${more}/>`;

export const card = (x: number, y: number, width: number, height: number): Markup =>
  box(x, y, width, height, colour('card'), 10, html` stroke="${colour('line')}" stroke-width="1.5"`);

/** A word on its own colour, such as an outcome. It ends at x. */
export function tag(x: number, y: number, word: string, of: string): Markup {
  const width = widthOf(word, 16) * 1.12 + 20;
  return html`${box(x - width, y - 19, width, 26, mixed('card', of, 0.13))}${write(x - width / 2, y, word, { size: 16, weight: 'bold', fill: colour(of), anchor: 'middle' })}`;
}

/** XML has no place for these; names should not have them either. */
const drawable = (text: string): string => text.toWellFormed().replace(/\p{Cc}|[\ufffe\uffff]/gu, '\ufffd');

export const margin = 56;

export interface Frame {
  /** At the top, on the right. */
  readonly corner: string;
  readonly title: string;
  /** Below the title, smaller. */
  readonly line?: string;
  readonly body: Markup;
  /** At the foot, on the left and on the right. */
  readonly foot: string;
  readonly site: string;
}

/** Of titles, the first that fits: the size of the letters, and in how many lines. */
const alone = [[60, 1], ...[52, 46, 42, 38, 34, 30].map((size) => [size, 2] as const)] as const;
const aboveLine = [
  ...[52, 46, 42, 38].map((size) => [size, 1] as const),
  ...[42, 38, 34, 30].map((size) => [size, 2] as const),
] as const;
/** Of the line below. */
const lineSizes = [26, 24, 22, 20, 18] as const;
/** Where the body of a picture may begin. */
export const bodyTop = 226;

const lineSize = (line: string, room: number) =>
  lineSizes.find((size) => widthOf(line, size) <= room) ?? (lineSizes.at(-1) as number);

export async function picture({ corner, title, line, body, foot, site }: Frame): Promise<string> {
  const { width, height } = pictureSize;
  const room = width - 2 * margin;
  const set = (size: number) => wrapped(title, size * broader.bold, room, 2);
  const fits = ([size, most]: readonly [number, number]) => set(size).length <= most && set(size).join(' ') === title;
  const [size] = (line === undefined ? alone : aboveLine).find(fits) ?? [30];
  const lines = set(size);
  const leading = size * 1.16;
  const middle = line === undefined ? 162 : 142;
  const [first, below] = lines.length === 1 ? [middle + 4, 194] : [middle - leading / 2, 210];
  const host = site.replace(/^https?:\/\//, '');
  return String(
    await html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" fill="${colour('paper')}"/>
<rect width="${width}" height="10" fill="${colour('peak')}"/>
<path transform="translate(${margin} 38) scale(1.25)" d="M0 23 12 3q3-5 6 0l12 20z" fill="${colour('peak')}"/>
${write(margin + 48, 66, 'Hill', { size: 32, weight: 'bold' })}
${write(width - margin, 64, corner, { size: 24, fill: colour('soft'), anchor: 'end', width: 760 })}
${lines.map((text, i) => write(margin, first + i * leading, text, { size, weight: 'bold' }))}
${line === undefined ? '' : write(margin, below, line, { size: lineSize(line, room), fill: colour('soft'), width: room })}
${body}
${write(margin, 602, foot, { size: 22, fill: colour('soft'), width: room - widthOf(host, 22) - 30 })}
${write(width - margin, 602, host, { size: 22, weight: 'semi', fill: colour('peak'), anchor: 'end' })}
</svg>`,
  );
}
