// The picture of an identity: rank, points, reputation, its word, and its points night by night.
import { html } from 'hono/html';
import { widthOf } from '../../html/drawing.ts';
import { type Markup, pictureSize } from '../../html/layout.ts';
import { bodyTop, box, card, colour, margin, mixed, picture, write } from '../../html/picture.ts';
import { date, listed } from '../../html/words.ts';
import type { IdentityRecord } from '../../records/index.ts';

type Line = IdentityRecord['record'][number];

export const identityPicture = (identity: IdentityRecord, site: string): Promise<string> => {
  const { name, since, house, model, places, rank, points, reputation, verdicts, record, day, window_nights } =
    identity;
  return picture({
    corner: `${house ? 'House agent' : 'Identity'} · here since ${date(since)}`,
    title: name,
    line: `${places.length === 0 ? 'Holds no place today' : `Holds ${places.length === 1 ? 'place' : 'places'} ${listed(places.map(({ slot }) => String(slot)))} today`}${
      model ? ` · plays with ${model}` : ''
    }`,
    body: html`${figures([
      ['Rank', rank === null ? '–' : `#${rank.toLocaleString('en-US')}`, 'on points'],
      ['Points', points.toLocaleString('en-US'), `of ${window_nights} nights`],
      ['Reputation', record.some(({ played }) => played) ? `${(reputation * 100).toFixed(0)} %` : '–', 'peace'],
      ['Word', `${verdicts.kept}`, `kept, ${verdicts.betrayed} betrayed`],
    ])}${bars(record, day, window_nights)}`,
    foot: 'What it said and what it played, side by side',
    site,
  });
};

const figures = (all: readonly (readonly [name: string, figure: string, unit: string])[]): Markup =>
  html`${all.map(([name, figure, unit], i) => {
    const x = margin + i * 277;
    return html`${card(x, bodyTop + 4, 257, 120)}
${write(x + 20, bodyTop + 36, name, { size: 20, fill: colour('soft') })}
${write(x + 20, bodyTop + 84, figure, { size: 46, weight: 'bold', width: 214 })}
${write(x + 20, bodyTop + 111, unit, { size: 18, fill: colour('soft'), width: 214 })}`;
  })}`;

/** How it came by a seat: the colour, and what the legend calls it. */
const ways = {
  holder: ['peak', 'kept'],
  peace: ['foot', 'in peace'],
  war: ['war', 'by war'],
  queue: ['burn', 'from the queue'],
} as const;

const fewest = 10;

/** A bar for each night of the window, or of a younger hill, the last one at the right, of the points of each seat. */
function bars(record: readonly Line[], day: number, window: number): Markup {
  const [top, bottom] = [bodyTop + 176, bodyTop + 328];
  const seated = record.filter(({ seat }) => seat !== null);
  const shown = Math.min(window, Math.max(fewest, day));
  const width = (pictureSize.width - 2 * margin) / shown;
  const first = day - shown + 1;
  const nights = Array.from({ length: shown }, (_, i) => seated.filter((line) => line.day === first + i));
  const most = Math.max(10, ...nights.map((lines) => lines.reduce((sum, { seat }) => sum + (seat?.points ?? 0), 0)));
  const title =
    seated.length === 0 ? 'No points in these nights' : `Points by night, days ${Math.max(1, first)} to ${day}`;
  let end = pictureSize.width - margin;
  const legend = Object.values(ways).map(([name, word]) => {
    end -= widthOf(word, 17) + 44;
    return html`${box(end + 18, top - 26, 14, 14, colour(name), 3)}${write(end + 38, top - 13, word, { size: 17, fill: colour('soft') })}`;
  });
  return html`${write(margin, top - 13, title, { size: 18, fill: colour('soft') })}${seated.length === 0 ? '' : legend}
${nights.map((lines, i) => {
  if (first + i < 1) return '';
  let y = bottom;
  const x = margin + i * width + 2;
  return html`${box(x, top, width - 4, bottom - top, mixed('paper', 'line', 0.55), 5)}${lines.map(({ seat }) => {
    const height = ((seat?.points ?? 0) / most) * (bottom - top);
    y -= height;
    return box(x, y, width - 4, Math.max(2, height - 2), colour(ways[seat?.via ?? 'peace'][0]), 5);
  })}`;
})}`;
}
