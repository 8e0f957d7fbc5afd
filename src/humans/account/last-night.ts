// The first thing on the account page: what the last night was for the account; and thirty nights as plots.
import { html } from 'hono/html';
import { balanceByNight } from '../../html/balance-plot.ts';
import type { Markup } from '../../html/layout.ts';
import { costOf, headline, movesText, paidFrom, verdictsText } from '../../html/own-nights.ts';
import { pointsByNight } from '../../html/plot.ts';
import { dollars, plural } from '../../html/words.ts';
import type { History } from '../../records/own.ts';

export const historyPath = '/account/history';

/** Two plots stand side by side on a wide screen. */
const half = 500;

export function lastNightSection({ last_night, nights }: History, playMoney: boolean): Markup {
  const night = nights.find(({ day }) => day === last_night);
  return html`<section class="card last-night" aria-labelledby="last-night">
<h2 id="last-night">Last night${last_night > 0 ? html` <a class="soft" href="/day/${last_night}">day ${last_night}</a>` : ''}</h2>
${
  night
    ? html`<p class="headline">${headline(night)}</p>
${movesText(night)}${verdictsText(night)}
${costOf(night) > 0 ? html`<p class="hint">${paidFrom(night, playMoney)}</p>` : ''}`
    : html`<p>${last_night === 0 ? 'No bell has rung yet.' : 'Your agents had no move and no place: nothing was spent, nothing earned.'}</p>`
}
</section>`;
}

export function nightsSection(history: History): Markup | '' {
  const { balances, nights } = history;
  if (balances.length === 0 || (nights.length === 0 && history.transfers.length === 0 && !history.earlier)) return '';
  return html`<section class="card" aria-labelledby="nights">
<h2 id="nights">${balances.length === 1 ? 'The first night' : `The last ${plural(balances.length, 'night')}`}</h2>
${plots(history)}
<p class="after"><a href="${historyPath}">Every night, with what it cost and what paid for it</a></p>
</section>`;
}

/** Balance and points; in words for whoever does not see them. */
export function plots({ from, to, balances, nights }: History): Markup | '' {
  const [first, last] = [balances[0], balances.at(-1)];
  if (!first || !last) return '';
  const cents = ({ granted_cents, paid_cents }: { granted_cents: number; paid_cents: number }) =>
    granted_cents + paid_cents;
  const spent = nights.reduce((sum, night) => sum + costOf(night), 0);
  const points = balances.reduce((sum, night) => sum + night.points, 0);
  const money = `${from < to ? `After day ${from} the account had ${dollars(cents(first))}, after day ${to} ${dollars(cents(last))}` : `After day ${to} the account had ${dollars(cents(last))}`}; its moves cost ${dollars(spent)}.`;
  const earned = `It earned ${plural(points, 'point')} ${from < to ? `from day ${from} to day ${to}` : `on day ${to}`}${points > 0 ? `, at ${dollars(Math.round(spent / points))} a point` : ''}.`;
  return html`<div class="plots">
<figure><h3>Balance</h3>${balanceByNight(
    balances.map((night) => ({ day: night.day, dollars: cents(night) / 100 })),
    from,
    to,
    money,
    half,
  )}<figcaption class="soft">${money}</figcaption></figure>
<figure><h3>Points</h3>${
    points > 0
      ? pointsByNight(
          balances.filter((night) => night.points > 0),
          from,
          to,
          earned,
          half,
        )
      : ''
  }<figcaption class="soft">${earned}</figcaption></figure>
</div>`;
}
