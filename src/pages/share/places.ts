// The ten places in a picture, as steps of the hill, in two columns.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import { bodyTop, card, colour, margin, onStep, stepColour, write } from '../../html/picture.ts';

export interface Place {
  readonly slot: number;
  /** Who sits there, at most two. */
  readonly names: readonly string[];
  /** What stands there instead of names. */
  readonly free: string;
  /** At its right end: above, a tag or a figure that ends at x and stands on y; below, a few words. */
  above(x: number, y: number): Markup;
  readonly below: string;
}

const height = 60;
const gap = 8;
const width = 534;

export const places = (all: readonly Place[]): Markup =>
  html`${all.map((place, i) => drawn(place, margin + Math.floor(i / 5) * (width + 20), bodyTop + 4 + (i % 5) * (height + gap)))}`;

function drawn({ slot, names, free, above, below }: Place, x: number, y: number): Markup {
  const step = 56 + (slot - 1) * 5;
  const from = x + step + 22;
  const room = x + width - 150 - from;
  const [one, two] = names;
  return html`${card(x, y, width, height)}
<path d="M${x + 10} ${y}h${step - 10}v${height}h${10 - step}a10 10 0 0 1-10-10v${20 - height}a10 10 0 0 1 10-10z" fill="${stepColour(slot)}"/>
${write(x + step - 16, y + 40, String(slot), { size: 28, weight: 'bold', fill: onStep(slot), anchor: 'end' })}
${
  one === undefined
    ? write(from, y + 38, free, { size: 22, fill: colour('soft') })
    : two === undefined
      ? write(from, y + 38, one, { size: 23, weight: 'semi', width: room })
      : html`${write(from, y + 26, one, { size: 20, weight: 'semi', width: room })}${write(from, y + 50, two, { size: 20, weight: 'semi', width: room })}`
}
${above(x + width - 14, y + (below === '' ? 38 : 27))}
${write(x + width - 16, y + 50, below, { size: 16, fill: colour('soft'), anchor: 'end' })}`;
}
