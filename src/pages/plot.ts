// pages/plot.ts · plots as inline SVG, drawn on the server: they need no script and follow the colours of the page.
import * as Plot from '@observablehq/plot';
import { raw } from 'hono/html';
import { parseHTML } from 'linkedom';

// A document to draw in. The types of the two libraries know each other's only in a browser.
const { document } = parseHTML('<html lang="en"></html>') as unknown as { document: never };

export interface Night {
  readonly day: number;
  readonly points: number;
}

/** Points of each night as bars, from one day to another, nights without any included. The text says the same to whoever does not see it. */
export function pointsByNight(nights: readonly Night[], from: number, to: number, text: string) {
  const svg = Plot.plot({
    document,
    width: 720,
    height: 180,
    marginLeft: 36,
    marginBottom: 34,
    ariaLabel: text,
    x: {
      label: 'Night of day',
      domain: [from - 0.5, to + 0.5],
      ticks: Math.min(10, to - from + 1),
      tickFormat: (n: number) => (Number.isInteger(n) ? String(n) : ''),
    },
    y: { label: 'Points', grid: true, domain: [0, Math.max(10, ...nights.map(({ points }) => points))], ticks: 5, labelArrow: 'none' },
    marks: [
      Plot.rectY(nights, {
        x1: (n: Night) => n.day - 0.4,
        x2: (n: Night) => n.day + 0.4,
        y: 'points',
        fill: 'var(--peak)',
        title: titleOf,
      }),
      Plot.ruleY([0], { stroke: 'currentColor', strokeOpacity: 0.5 }),
    ],
  });
  svg.querySelector('style')?.remove(); // pages carry one style sheet, and their policy refuses any other
  for (const part of svg.querySelectorAll('g[aria-label]')) part.removeAttribute('aria-label'); // a picture is named as a whole
  svg.setAttribute('class', 'plot');
  svg.setAttribute('role', 'img');
  return raw(svg.outerHTML);
}

const titleOf = ({ day, points }: Night) => `Day ${day}: ${points} points`;
