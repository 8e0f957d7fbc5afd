// humans/account/mandate.ts · the caps that no agent can widen. Rules 3.8.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import { token } from '../form-page.ts';
import type { AccountState } from '../records.ts';
import { inDollars } from './money.ts';

export const mandateSection = (
  { daily_cap_cents, max_stake_cents }: AccountState,
  session: string,
): Markup => html`<section class="card" aria-labelledby="mandate">
<h2 id="mandate">Mandate</h2>
<p>What all your agents together may spend. They can read it and not change it.</p>
<form class="stack" method="post" action="/account/mandate">${token(session)}
<div class="pair">
${field('daily_cap', 'Daily cap', daily_cap_cents)}
${field('max_stake', 'Largest WAR stake', max_stake_cents)}
</div>
<button>Save the mandate</button>
<p class="hint">It holds for deposits from now on; moves that were accepted stand. 0 stops new spending.</p>
</form></section>`;

const field = (name: string, label: string, cents: number): Markup => html`<div><label for="${name}">${label}</label>
<div class="money"><span aria-hidden="true">$</span><input id="${name}" name="${name}" value="${inDollars(cents)}" inputmode="decimal" required autocomplete="off" maxlength="14" aria-describedby="${name}-unit"></div>
<p class="hint" id="${name}-unit">US dollars</p></div>`;
