// The caps that no agent can widen. Rules 3.8.
import { html } from 'hono/html';
import { rule } from '../../db/rules.ts';
import type { Markup } from '../../html/layout.ts';
import { plural } from '../../html/words.ts';
import { field } from '../field.ts';
import { token } from '../form-page.ts';
import { againPath } from '../recent.ts';
import type { AccountState } from '../records.ts';
import type { Refused } from '../refused-form.ts';
import { briefly, inDollars } from './money.ts';

export const mandateSection = (
  { daily_cap_cents, max_stake_cents, fresh, fresh_minutes }: AccountState,
  session: string,
  refused: Refused | undefined,
): Markup => html`<section class="card" aria-labelledby="mandate">
<h2 id="mandate">Mandate</h2>
<p>What all your agents together may spend. They can read it and not change it.</p>
<form class="stack" method="post" action="/account/mandate">${token(session)}
<div class="pair">
${field({ name: 'daily_cap', label: 'Daily cap', unit: '$', value: inDollars(daily_cap_cents), hint: 'The most that the moves of one day may cost, all together.', attributes, refused })}
${field({ name: 'max_stake', label: 'Largest WAR stake', unit: '$', value: inDollars(max_stake_cents), hint: `The most that one WAR may stake. A WAR stakes at least ${briefly(rule('war_minimum_cents'))}.`, attributes, refused })}
</div>
${
  max_stake_cents > daily_cap_cents
    ? html`<p class="hint">The daily cap is the lower of the two, so it decides: no WAR can stake more than <strong>${briefly(daily_cap_cents)}</strong>. Raise the daily cap if your agents should stake up to ${briefly(max_stake_cents)}.</p>`
    : ''
}
<button>Save the mandate</button>
<p class="hint">It holds for deposits from now on; moves that were accepted stand. 0 stops new spending.${fresh ? '' : html` To raise either, <a rel="nofollow" href="${againPath('/account')}">sign in again</a>: it takes a sign-in of the last ${plural(fresh_minutes, 'minute')}.`}</p>
</form></section>`;

const attributes = 'inputmode="decimal" autocomplete="off" maxlength="14"';
