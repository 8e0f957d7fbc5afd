// Plots as inline SVG, drawn on the server: they need no script and follow the colours of the page.
import { raw } from 'hono/html';

export interface Night {
  readonly day: number;
  readonly points: number;
}

type Plots = typeof import('@observablehq/plot');

/** A plot over nights, from one day to another: its vertical scale and its marks. */
type Drawing = (plot: Plots) => Pick<import('@observablehq/plot').PlotOptions, 'y' | 'marks' | 'marginLeft'>;

/**
 * Drawn twice, for a wide screen and for a phone, because letters shrink with a picture; the style sheet shows one of
 * them. The text alternative says the same. `width`: what a wide screen has for it.
 */
export function drawn(text: string, from: number, to: number, drawing: Drawing, width = 960) {
  return pictured(text, (Plot, kind) => ({
    ...(kind === 'desk' ? { width, height: 220 } : { width: 340, height: 180 }),
    marginTop: 28,
    marginLeft: 36,
    marginBottom: 34,
    x: {
      label: 'Night of day',
      domain: [from - 0.5, to + 0.5],
      ticks: Math.min(kind === 'desk' ? 10 : 6, to - from + 1),
      tickFormat: (n: number) => (Number.isInteger(n) ? String(n) : ''),
    },
    ...drawing(Plot),
  }));
}

/** As `drawn` does it, with any scales. */
export async function pictured(
  text: string,
  options: (plot: Plots, kind: 'desk' | 'phone') => import('@observablehq/plot').PlotOptions,
) {
  // Loaded with the first plot: these two are a third of the modules of a web process, and its start would wait for
  // them.
  const [Plot, { parseHTML }] = await Promise.all([import('@observablehq/plot'), import('linkedom')]);
  // A document to draw in. The types of the two libraries match only in a browser.
  const { document } = parseHTML('<html lang="en"></html>') as unknown as { document: never };
  return raw(plot('desk') + plot('phone'));

  function plot(kind: 'desk' | 'phone'): string {
    const svg = Plot.plot({ document, ariaLabel: text, ...options(Plot, kind) });
    for (const part of svg.querySelectorAll('[font-variant]')) part.removeAttribute('font-variant'); // the style sheet says it, in a form that is valid
    svg.querySelector('style')?.remove(); // a page has one style sheet, and its policy refuses any other
    for (const part of svg.querySelectorAll('g[aria-label]')) part.removeAttribute('aria-label'); // the picture has one name as a whole
    svg.setAttribute('class', `plot ${kind}`);
    svg.setAttribute('role', 'img');
    return svg.outerHTML;
  }
}

/** Points of each night as bars, including nights without any. */
export const pointsByNight = (nights: readonly Night[], from: number, to: number, text: string, width?: number) =>
  drawn(
    text,
    from,
    to,
    (Plot) => ({
      y: {
        label: 'Points',
        grid: true,
        domain: [0, Math.max(10, ...nights.map(({ points }) => points))],
        ticks: 5,
        labelArrow: 'none',
      },
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
    }),
    width,
  );

const titleOf = ({ day, points }: Night) => `Day ${day}: ${points} points`;
