// Money of each day as bars: in above the line, out below it.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import { drawn } from '../../html/plot.ts';
import { dollars } from '../../html/words.ts';
import type { Row } from './read.ts';

const kinds = [
  { name: 'paid in', fill: 'var(--peak)', cents: (row: Row) => Number(row.paid_in_cents) },
  { name: 'granted', fill: 'var(--house)', cents: (row: Row) => Number(row.granted_cents) },
  {
    name: 'rent and lone stakes',
    fill: 'var(--vacant)',
    cents: (row: Row) => -(Number(row.rent_cents) + Number(row.stakes_cents)),
  },
  { name: 'burned', fill: 'var(--burn)', cents: (row: Row) => -Number(row.burned_cents) },
  {
    name: 'taken back, expired, lapsed, revoked',
    fill: 'var(--war)',
    cents: (row: Row) =>
      -(
        Number(row.taken_back_cents) +
        Number(row.expired_cents) +
        Number(row.lapsed_cents) +
        Number(row.revoked_cents)
      ),
  },
] as const;

/** `days` as api_staff.money gives them. */
export async function moneyPlot(days: readonly Row[]): Promise<Markup> {
  const numbers = days.map(({ day }) => Number(day));
  const bars = days.flatMap((row) =>
    kinds.flatMap(({ name, fill, cents }) => {
      const dollarsOf = cents(row) / 100;
      return dollarsOf === 0 ? [] : [{ day: Number(row.day), name, fill, dollars: dollarsOf }];
    }),
  );
  const sum = (sign: 1 | -1) => bars.reduce((all, bar) => all + Math.max(0, sign * bar.dollars), 0);
  const text = `Money of days ${Math.min(...numbers)} to ${Math.max(...numbers)}: ${dollars(sum(1) * 100)} came in, ${dollars(sum(-1) * 100)} went out.`;
  const highest = (sign: 1 | -1) =>
    Math.max(
      10,
      ...numbers.map((day) =>
        bars.filter((bar) => bar.day === day).reduce((all, bar) => all + Math.max(0, sign * bar.dollars), 0),
      ),
    );
  const picture = await drawn(text, Math.min(...numbers), Math.max(...numbers), (Plot) => ({
    marginLeft: 56,
    y: { label: 'Dollars', grid: true, ticks: 6, labelArrow: 'none', domain: [-highest(-1), highest(1)] },
    marks: [
      Plot.rectY(bars, {
        x1: ({ day }: { day: number }) => day - 0.4,
        x2: ({ day }: { day: number }) => day + 0.4,
        y: 'dollars',
        fill: 'fill',
        title: ({ day, name, dollars: amount }: (typeof bars)[number]) =>
          `Day ${day}, ${name}: ${dollars(Math.abs(amount) * 100)}`,
      }),
      Plot.ruleY([0], { stroke: 'currentColor', strokeOpacity: 0.5 }),
    ],
  }));
  return html`<figure>${picture}<figcaption>${text}</figcaption>
<ul class="key">${kinds.map(({ name, fill }) => html`<li><svg width="11" height="11" aria-hidden="true"><rect width="11" height="11" rx="2" fill="${fill}"/></svg> ${name}</li>`)}</ul></figure>`;
}
