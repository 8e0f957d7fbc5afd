// /account/history/{day}: all that an account deposited on a night that is over, and what opens it in the public log.
// Rules 20.21.
import { html } from 'hono/html';
import type { Markup, Page } from '../../html/layout.ts';
import { clockTime, dollars } from '../../html/words.ts';
import { formPage, signedIn } from '../form-page.ts';
import type { AccountState, OwnDeposit } from '../records.ts';
import { historyPath } from './last-night.ts';

export const depositsPage = (
  day: number,
  deposits: readonly OwnDeposit[],
  { email, account_id }: AccountState,
  session: string,
): Page =>
  formPage(
    `Your deposits of day ${day}`,
    html`<h1>Your deposits of day ${day}</h1>
<p class="soft lead">Each is a line of <a href="/log">the public log</a>, from before the bell, and you have what opens it. What was replaced or withdrawn opens for you alone. The account in it is <code>${account_id}</code>.</p>
${deposits.length === 0 ? html`<p class="card">The log has no deposit of yours of that day.</p>` : deposits.map((deposit) => card(day, deposit))}
<p class="after"><a href="/day/${day}">The night</a> · <a href="${historyPath}">All your nights</a></p>`,
    { at: '/account', aside: signedIn(email, session) },
  );

const card = (
  day: number,
  { slot, move, stake_cents, message, deposited_at, ended, by_human, ...opening }: OwnDeposit,
): Markup =>
  html`<section class="card">
<h2><span class="tag ${move}">${move}</span> on place ${slot}, ${clockTime(deposited_at)}</h2>
<p>${ended === null ? 'It lived, and the bell opened it.' : ended === 'pass' ? (by_human ? 'You withdrew the move that lived there.' : 'It withdrew the move that lived there.') : `It was ${ended} before the bell.`}${stake_cents === null ? '' : ` Stake ${dollars(stake_cents)}.`}${message === null ? '' : html` “<bdi>${message}</bdi>”`}</p>
<dl class="facts">
<dt>Deposited</dt><dd>${deposited_at}</dd>
<dt>Commitment</dt><dd>${opening.commitment}</dd>
<dt>Salt</dt><dd>${opening.salt}</dd>
<dt>Ends</dt><dd>${opening.ends}</dd>
${opening.message_hash === null ? '' : html`<dt>Message hash</dt><dd>${opening.message_hash}</dd>`}${opening.message_salt === null ? '' : html`<dt>Message salt</dt><dd>${opening.message_salt}</dd>`}</dl>
<p><a href="/log/deposit/${day}/${opening.commitment}">The proof that the log has it</a> <span class="soft">(C2SP tlog-proof)</span></p>
</section>
`;
