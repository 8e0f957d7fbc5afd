// What a backtest came to: in a few lines, as a table, and as a page.
import fs from 'node:fs';
import path from 'node:path';
import { html } from 'hono/html';
import { columnsOf, csvHead, csvLine } from '../archives/csv.ts';
import { dollars } from '../html/words.ts';
import type { Tested, Tried } from './backtest.ts';
import { hues, lines, type Series } from './plots.ts';
import { key, page, section } from './report.ts';
import { table } from './summary.ts';

const hidden = [
  'Held fixed: all others play on as if your strategy were not there. Nobody answers its WAR, shares with it or leaves because of it, and nobody believes what it announces.',
  'Seats, rents, evictions, reputations and the queue do follow from its moves, by the functions of the bell.',
  'The longer it plays, and the more it takes from others, the less they would have played on like that. A night is nearer to the truth than a month.',
] as const;

const ofDollar = ({ points, cents }: Tried): string => (cents === 0 ? 'none' : (points / (cents / 100)).toFixed(2));

export function tell({ hill, first, last, mine, real, fixed, controlled }: Tested): string {
  const [best] = fixed as [Tried];
  const efficient = [...fixed].sort((a, b) => b.points / (b.cents || 1) - a.points / (a.cents || 1))[0] as Tried;
  const rows = [mine, ...(real ? [real] : []), best, ...(efficient === best ? [] : [efficient])];
  return [
    `Nights ${first} to ${last} of ${hill}, each of them checked against its log.`,
    `Control: ${controlled} nights played again as they were came to the same, for every account, to the point and the cent.`,
    '',
    table(
      ['', 'points', 'cost', 'points per $'],
      rows.map((tried) => [tried.name, tried.points.toFixed(1), dollars(tried.cents), ofDollar(tried)]),
    ),
    '',
    `Regret against the best fixed choice, ${best.name} every night: ${(best.points - mine.points).toFixed(1)} points, and ${dollars(mine.cents - best.cents)} of cost. ${efficient.name} has most points for a dollar.`,
    ...hidden,
  ].join('\n');
}

interface Row {
  readonly way: string;
  readonly day: number;
  readonly points: number;
  readonly cents: number;
}

export async function write(folder: string, tested: Tested): Promise<void> {
  const { mine, real, fixed } = tested;
  const ways = [mine, ...(real ? [real] : []), ...fixed];
  const columns = columnsOf<Row>('way', 'day', 'points', 'cents');
  const rows = ways.flatMap(({ name, nights }) => nights.map((night) => csvLine(columns, { way: name, ...night })));
  fs.writeFileSync(path.join(folder, 'backtest.csv'), csvHead(columns) + rows.join(''));
  fs.writeFileSync(path.join(folder, 'report.html'), String(await pageOf(tested)));
}

function pageOf(tested: Tested) {
  const { hill, first, last, mine, real, fixed } = tested;
  const shown = [mine, ...(real ? [real] : []), ...fixed.slice(0, 3)];
  const series = (of: 'points' | 'cents', scale: number): Series[] =>
    shown.map(({ name, nights }, n) => {
      let sum = 0;
      return { name, hue: hues[n] as string, values: nights.map((night) => (sum += night[of] / scale)) };
    });
  const days = mine.nights.map(({ day }) => day);
  const [best] = fixed as [Tried];
  return page(
    'A backtest',
    `${mine.name} on the nights ${first} to ${last} of ${hill}, with the moves of all others as they were. All nights were checked against the log of the hill. Played again as they were, they come to the same for every account.`,
    html`
${section(`${mine.points.toFixed(1)} points, and ${best.points.toFixed(1)} of the best fixed choice`, `All points since night ${first}. A fixed choice makes the same move on the same place every night; ${best.name} would have had most.`, key(series('points', 1)), lines('Points since the first night', 'Night', 'Points', series('points', 1), days))}
${section(`${dollars(mine.cents)} of cost`, 'What they were charged since then: rent and stakes.', key(series('cents', 100)), lines('Dollars since the first night', 'Night', 'Dollars', series('cents', 100), days))}
<section><h2>What held fixed hides</h2>${hidden.map((sentence) => html`<p>${sentence}</p>`)}</section>`,
  );
}
