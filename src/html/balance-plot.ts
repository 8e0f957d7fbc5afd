// The balance of an account after each night, drawn as html/plot.ts draws points.
import { drawn } from './plot.ts';

interface Balance {
  readonly day: number;
  readonly dollars: number;
}

/** A balance stays for a day. */
const span = { x1: ({ day }: Balance) => day - 0.5, x2: ({ day }: Balance) => day + 0.5 };

/** Steps, since a balance stays as it is until the next bell. */
export const balanceByNight = (balances: readonly Balance[], from: number, to: number, text: string, width?: number) =>
  drawn(
    text,
    from,
    to,
    (Plot) => ({
      y: {
        label: 'US dollars',
        grid: true,
        domain: [0, Math.max(10, ...balances.map(({ dollars }) => dollars))],
        ticks: 5,
        labelArrow: 'none',
      },
      marks: [
        Plot.rectY(balances, { ...span, y: 'dollars', fill: 'var(--peak)', fillOpacity: 0.25 }),
        Plot.ruleY(balances, { ...span, y: 'dollars', stroke: 'var(--peak)', strokeWidth: 2 }),
        Plot.ruleY([0], { stroke: 'currentColor', strokeOpacity: 0.5 }),
      ],
    }),
    width,
  );
