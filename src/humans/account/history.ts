// /account/history: thirty nights on a page, each with its moves, its verdicts, its cost and what paid for it. Rules
// 5.9.
import { html } from 'hono/html';
import type { Markup, Page } from '../../html/layout.ts';
import { costOf, movesText, paidFrom, pointsOf, signed, transferText, verdictsText } from '../../html/own-nights.ts';
import { dollars } from '../../html/words.ts';
import { isPlayMoney, type TopUps } from '../../process/config.ts';
import type { History, Night } from '../../records/own.ts';
import { formPage, signedIn } from '../form-page.ts';
import type { AccountState } from '../records.ts';
import { historyPath, plots } from './last-night.ts';
import { receiptsPath } from './receipts.ts';

export const historyPage = (
  history: History,
  { email, slug, top_ups }: AccountState,
  session: string,
  topUps: TopUps,
): Page =>
  formPage(
    'Your nights',
    html`<h1>Your nights</h1>
<p class="soft lead">${history.to === 0 ? 'No bell has rung yet.' : html`${history.from < history.to ? `Day ${history.from} to day ${history.to}, the latest first` : `Day ${history.to}`}. Only you can read what paid for a night; the rest is public on <a href="/identity/${slug}">your page</a>, too.`}</p>
${isEmpty(history) ? '' : html`<section class="card"><h2 class="hidden">Night by night</h2>${plots(history)}</section>`}
${turning(history, 'Pages of nights')}
${history.nights.length + history.transfers.length === 0 ? html`<p class="card soft">Nothing was played or paid in these nights.</p>` : list(history, isPlayMoney(topUps))}
${turning(history, 'Pages of nights, at the end')}
<p class="after">${top_ups.length > 0 ? html`<a href="${receiptsPath}">Receipts of all payments</a> · ` : ''}<a href="/account">Back to your account</a></p>`,
    { at: '/account', aside: signedIn(email, session) },
  );

/** Then a plot would be a flat line. */
const isEmpty = ({ to, nights, transfers, balances }: History): boolean =>
  to === 0 ||
  (nights.length + transfers.length === 0 &&
    balances.every(({ granted_cents, paid_cents }) => granted_cents + paid_cents === 0));

const turning = ({ from, to, last_night, earlier }: History, label: string): Markup | '' =>
  !earlier && to === last_night
    ? ''
    : html`<nav class="pages" aria-label="${label}">${to < last_night ? html`<a href="${historyPath}?before=${Math.min(last_night + 1, to + 31)}" rel="prev">Later nights</a>` : ''}${earlier ? html`<a href="${historyPath}?before=${from}" rel="next">Earlier nights</a>` : ''}</nav>`;

/** By day, the latest first: the night, which ends the day, before what came in during the day. */
function list(history: History, playMoney: boolean): Markup {
  const { nights, transfers, balances } = history;
  const lines = [
    ...nights.map((night) => ({
      day: night.day,
      last: true,
      line: nightRow(
        night,
        balances.find(({ day }) => day === night.day),
        playMoney,
      ),
    })),
    ...transfers.map((transfer) => ({ day: transfer.day, last: false, line: transferRow(transfer, playMoney) })),
  ].sort((a, b) => b.day - a.day || Number(b.last) - Number(a.last));
  return html`<div class="wide card nights"><table>
<thead><tr><th scope="col">Day</th><th scope="col">What happened</th><th scope="col" class="number">Points</th><th scope="col" class="number">Credits</th><th scope="col" class="number">Balance after</th></tr></thead><tbody>
${lines.map(({ line }) => line)}
</tbody></table></div>`;
}

const nightRow = (
  night: Night,
  balance: History['balances'][number] | undefined,
  playMoney: boolean,
): Markup => html`<tr>
<td><a href="/day/${night.day}">Day ${night.day}</a></td>
<td data-label="What happened">${movesText(night)}${verdictsText(night)}${night.moves.length > 0 ? html`<p class="hint">${paidFrom(night, playMoney)} <a href="${historyPath}/${night.day}">Every deposit, and its proof</a></p>` : ''}</td>
<td class="number" data-label="Points">${pointsOf(night) > 0 ? html`<strong>+${pointsOf(night)}</strong>` : '0'}</td>
<td class="number" data-label="Credits">${signed(-costOf(night))}</td>
<td class="number" data-label="Balance after">${balance ? dollars(balance.granted_cents + balance.paid_cents) : ''}</td></tr>
`;

const transferRow = (transfer: History['transfers'][number], playMoney: boolean): Markup => html`<tr class="transfer">
<td>Day ${transfer.day}</td>
<td data-label="What happened">${transferText(transfer, playMoney)}</td>
<td class="number"></td>
<td class="number" data-label="Credits">${signed(transfer.granted_cents + transfer.paid_cents)}</td>
<td class="number"></td></tr>
`;
