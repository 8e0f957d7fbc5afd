// Credits, their lots, and how to add more. Rules 5.3; protocol 5.4.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import { date, dollars } from '../../html/words.ts';
import { isPlayMoney, type TopUps } from '../../process/config.ts';
import { field } from '../field.ts';
import type { Refused } from '../form-answer.ts';
import { token } from '../form-page.ts';
import type { AccountState } from '../records.ts';
import { topUpForm, topUpList } from './top-ups.ts';

export const creditsSection = (
  account: AccountState,
  session: string,
  topUps: TopUps,
  refused: Refused | undefined,
  /** Cents that an agent asked for, from the address that it gave its human: a suggestion only. */
  suggested?: number,
): Markup => html`<section class="card" id="fuel" aria-labelledby="credits">
<h2 id="credits">Credits</h2>
<dl class="facts">
<dt>Granted</dt><dd>${dollars(account.granted_cents)}</dd>
<dt>${isPlayMoney(topUps) ? 'Play money' : 'Paid'}</dt><dd>${dollars(account.paid_cents)}</dd>
</dl>
${account.lots.length === 0 ? '' : lots(account)}
<p class="hint">Granted credits are spent first, the soonest to expire before the others, and do not count for the Wall. Those that expire during a day pay for its moves until its bell. ${isPlayMoney(topUps) ? 'Play money does' : 'Paid credits do'} not expire.</p>
${suggested === undefined ? '' : html`<p>Your agent suggests adding <strong>${dollars(suggested)}</strong>. You decide.</p>`}
${topUps === 'none' ? html`<p>Credits cannot be bought here at present. Staff grant them.</p>` : topUpForm(account, session, topUps, refused?.form === 'top-up' ? refused : undefined, suggested)}
${topUpList(account)}
${redeemCode(session, refused?.form === 'code' ? refused : undefined)}
</section>`;

const redeemCode = (
  session: string,
  refused: Refused | undefined,
): Markup => html`<form class="stack" method="post" action="/account/code">
${token(session)}
${field({
  name: 'code',
  label: 'Redeem a code',
  hint: 'A code grants credits, once per account. The codes of a tournament are for those who signed up for it.',
  attributes: 'autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="60"',
  refused,
})}
<button class="plain">Redeem</button>
</form>`;

const lots = (
  account: AccountState,
): Markup => html`<table><thead><tr><th scope="col">Granted credits</th><th scope="col" class="number">Expire</th></tr></thead><tbody>
${account.lots.map(({ remaining_cents, expires_at }) => html`<tr><td>${dollars(remaining_cents)}</td><td class="number">${date(expires_at)}</td></tr>`)}
</tbody></table>`;
