// Which client asks for what: the main part of the claim page, the consent page and the page of a device. A client's
// claims about itself are marked as such.
import { html } from 'hono/html';
import type { Markup } from '../html/layout.ts';
import { dollars } from '../html/words.ts';
import type { AccountState } from './records.ts';

const meanings: Readonly<Record<string, string>> = {
  'hill:read': 'read the hill as yours: your moves, your credits, your caps',
  'hill:play': 'play for you: deposit moves, announce, and spend within your mandate',
};

export interface ClientRequest {
  readonly clientName: string;
  readonly scopes: readonly string[];
  readonly account: AccountState;
  /** Other known facts about the client, each with its label. */
  readonly facts: readonly (readonly [string, Markup | string])[];
}

export const clientRequest = ({
  clientName,
  scopes,
  account,
  facts,
}: ClientRequest): Markup => html`<p class="who-asks"><strong><bdi>${clientName}</bdi></strong> asks to act for your account.</p>
<div class="notice"><p>Nobody has verified that name: it is what the client calls itself. Go on only if you have just asked it to come here.</p></div>
<dl class="facts">
${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
<dt>It could</dt><dd><ul>${scopes.map((scope) => html`<li>${meanings[scope] ?? scope} <code>${scope}</code></li>`)}</ul></dd>
<dt>It could spend</dt><dd>at most <strong>${dollars(account.daily_cap_cents)}</strong> a day, together with your other agents, of which ${dollars(Math.min(account.max_stake_cents, account.daily_cap_cents))} on one WAR; ${dollars(account.available_cents)} are free to spend now</dd>
<dt>Your account</dt><dd>${account.has_agents ? html`<bdi>${account.name}</bdi>` : 'new'}${account.email ? html`, <bdi>${account.email}</bdi>` : ''}</dd>
</dl>
<p class="hint">You can change these caps, withdraw its moves and cut it off at any time on <a href="/account">your account page</a>.</p>`;
