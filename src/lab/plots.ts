// The plots of a run, by the library of the site's own.
import type * as Plot from '@observablehq/plot';
import { pictured } from '../html/plot.ts';
import type { Gathered, Mean, Shares } from './gather.ts';
import type { Meeting } from './tournament.ts';

type Plots = typeof Plot;
type Kind = 'desk' | 'phone';

const wide = (kind: Kind, height: number) => (kind === 'desk' ? { width: 960, height } : { width: 340, height });
const axis = (label: string) => ({ label, labelArrow: 'none' as const });
const base = (plot: Plots) => plot.ruleY([0], { stroke: 'currentColor', strokeOpacity: 0.5 });
const whole = (n: number) => (Number.isInteger(n) ? String(n) : '');

interface Bar {
  readonly name: string;
  readonly of: Mean;
}

/** A mean with its interval for each strategy. */
export const means = (text: string, label: string, bars: readonly Bar[]) =>
  pictured(text, (plot, kind) => ({
    ...wide(kind, 60 + 22 * bars.length),
    marginBottom: 42,
    marginLeft: kind === 'desk' ? 160 : 130,
    marginRight: 24,
    x: { ...axis(label), grid: true, zero: true, ticks: kind === 'desk' ? 8 : 4 },
    y: { label: null, domain: bars.map(({ name }) => name) },
    marks: [
      plot.barX(bars, { x: ({ of }: Bar) => of.mean, y: 'name', fill: 'var(--peak)', fillOpacity: 0.35 }),
      plot.ruleY(bars, {
        x1: ({ of }: Bar) => of.mean - (of.within ?? 0),
        x2: ({ of }: Bar) => of.mean + (of.within ?? 0),
        y: 'name',
        stroke: 'currentColor',
        strokeWidth: 2,
      }),
      plot.dot(bars, { x: ({ of }: Bar) => of.mean, y: 'name', fill: 'currentColor', r: 3 }),
    ],
  }));

const outcomes = ['PEACE', 'WAR', 'BURN', 'VACANT'] as const;

/** What places come to, as shares of the nights. */
export const places = (text: string, gathered: Gathered) => {
  const rows = gathered.places.flatMap((place, n) => {
    const nights = outcomes.reduce((sum, outcome) => sum + place[outcome], 0);
    return outcomes.map((outcome) => ({ place: n + 1, outcome, share: (100 * place[outcome]) / nights }));
  });
  return pictured(text, (plot, kind) => ({
    ...wide(kind, 240),
    marginLeft: 44,
    x: { ...axis('Place'), tickFormat: String },
    y: { ...axis('% of nights'), grid: true, ticks: 5 },
    color: { domain: outcomes, range: outcomes.map((outcome) => `var(--${outcome.toLowerCase()})`) },
    marks: [
      plot.barY(rows, { x: 'place', y: 'share', fill: 'outcome', order: [...outcomes], fillOpacity: 0.8, inset: 1 }),
      base(plot),
    ],
  }));
};

/** Bars over whole numbers, such as nights. */
export const counts = (text: string, label: string, of: string, values: readonly number[], first = 0) =>
  pictured(text, (plot, kind) => {
    const bars = values.map((count, n) => ({ n, count })).filter(({ n }) => n >= first);
    return {
      ...wide(kind, 200),
      marginLeft: 56,
      marginBottom: 34,
      x: { ...axis(label), ticks: Math.min(kind === 'desk' ? 20 : 8, bars.length), tickFormat: whole },
      y: { ...axis(of), grid: true, ticks: 5 },
      marks: [
        plot.rectY(bars, {
          x1: ({ n }: { n: number }) => n - 0.4,
          x2: ({ n }: { n: number }) => n + 0.4,
          y: 'count',
          fill: 'var(--peak)',
        }),
        base(plot),
      ],
    };
  });

/** Series that stand out on light and on dark. */
export const hues = ['#3b82c4', '#d9772b', '#3f9a5b', '#c4527f', '#8a6fc0', '#a3862a', '#2f9c9c', '#b8483a'];
const others = '#8b8f88';

export interface Series {
  readonly name: string;
  readonly hue: string;
  readonly values: readonly number[];
  /** How far from each the true one lies in 19 of 20 cases. */
  readonly within?: readonly (number | null)[];
}

/** The largest as series of their own, the rest as one. */
export function largest(shares: readonly Shares[], of: 'accounts' | 'points', over: number): Series[] {
  const nights = shares[0]?.accounts.length ?? 0;
  const smooth = shares.map(({ name, ...series }) => ({
    name,
    values: Array.from({ length: nights }, (_, n) =>
      series[of].slice(Math.max(0, n - over + 1), n + 1).reduce((sum, one) => sum + one, 0),
    ),
  }));
  const totals = Array.from({ length: nights }, (_, n) =>
    smooth.reduce((sum, { values }) => sum + (values[n] ?? 0), 0),
  );
  const parts = smooth
    .map(({ name, values }) => ({ name, values: values.map((one, n) => (100 * one) / (totals[n] || 1)) }))
    .sort((a, b) => (b.values.at(-1) ?? 0) - (a.values.at(-1) ?? 0));
  const shown = parts.slice(0, parts.length > hues.length ? hues.length - 1 : hues.length);
  const rest = parts.slice(shown.length);
  return [
    ...shown.map((part, n) => ({ ...part, hue: hues[n] as string })),
    ...(rest.length === 0
      ? []
      : [
          {
            name: `${rest.length} others`,
            hue: others,
            values: Array.from({ length: nights }, (_, n) =>
              rest.reduce((sum, { values }) => sum + (values[n] ?? 0), 0),
            ),
          },
        ]),
  ];
}

/** Lines over nights, steps or values. */
export const lines = (text: string, x: string, y: string, series: readonly Series[], at?: readonly number[]) =>
  pictured(text, (plot, kind) => {
    const points = series.flatMap(({ name, values, within }) =>
      values.map((value, n) => ({ name, n: at?.[n] ?? n + 1, value, within: within?.[n] ?? 0 })),
    );
    type Point = (typeof points)[number];
    return {
      ...wide(kind, 280),
      marginLeft: 48,
      marginRight: 16,
      marginBottom: 34,
      x: { ...axis(x), ticks: kind === 'desk' ? 10 : 5, tickFormat: whole },
      y: { ...axis(y), grid: true, zero: true, ticks: 6 },
      color: { domain: series.map(({ name }) => name), range: series.map(({ hue }) => hue) },
      marks: [
        plot.line(points, { x: 'n', y: 'value', stroke: 'name', strokeWidth: 2 }),
        plot.ruleX(
          points.filter(({ within }) => within > 0),
          {
            x: 'n',
            y1: ({ value, within }: Point) => value - within,
            y2: ({ value, within }: Point) => value + within,
            stroke: 'name',
          },
        ),
        base(plot),
      ],
    };
  });

/** Strategy against strategy: what the one on the left earns of the one above. */
export const meetings = (text: string, names: readonly string[], all: readonly Meeting[]) =>
  pictured(text, (plot, kind) => {
    const most = Math.max(...all.map(({ points }) => points.mean), 0.001);
    const shade = ({ points }: Meeting) =>
      `color-mix(in oklab, var(--peak) ${Math.round((75 * points.mean) / most)}%, var(--card))`;
    const small = kind === 'phone' || names.length > 12;
    return {
      ...(kind === 'desk' ? { width: 960 } : { width: 340 }),
      height: (kind === 'desk' ? 110 : 150) + names.length * (kind === 'desk' ? 34 : 18),
      marginLeft: kind === 'desk' ? 160 : 125,
      marginTop: kind === 'desk' ? 110 : 130,
      x: { label: null, domain: names, axis: 'top', tickRotate: kind === 'desk' ? -40 : -90 },
      y: { label: null, domain: names },
      marks: [
        plot.cell(all, { x: 'against', y: 'name', fill: { value: shade, scale: null }, inset: 1 }),
        ...(kind === 'desk'
          ? [
              plot.text(all, {
                x: 'against',
                y: 'name',
                text: ({ points }: Meeting) => points.mean.toFixed(small ? 1 : 2),
                className: 'values',
              }),
            ]
          : []),
      ],
    };
  });
