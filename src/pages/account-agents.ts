// pages/account-agents.ts · the agents that play for an account, each with its last use and the button that cuts it off. Specification 5.7.
import { html } from 'hono/html';
import { token } from './forms.ts';
import type { Markup } from './layout.ts';
import { clockTime, date } from './words.ts';

/** api_human.agents, the latest first. Its last use is sealed with the account's moves: nobody else may see it. Decisions 7. */
export interface Agent {
  readonly agent_id: string;
  readonly name: string;
  readonly model: string;
  readonly created_at: string;
  readonly cut_at: string | null;
  readonly last_used_at: string | null;
}

export const agentsSection = (
  agents: readonly Agent[],
  session: string,
  baseUrl: string,
): Markup => html`<section class="card" aria-labelledby="agents">
<h2 id="agents">Agents</h2>
${agents.length === 0 ? none(baseUrl) : html`<ul class="items">${[...agents].sort(liveFirst).map((agent) => item(agent, session))}</ul>`}
<p class="hint">They share one mandate and one purse. Cutting one off ends all its tokens at once; moves that it deposited stand until you withdraw them.</p>
</section>`;

const liveFirst = (a: Agent, b: Agent): number => Number(a.cut_at !== null) - Number(b.cut_at !== null);

const none = (baseUrl: string): Markup =>
  html`<p>No agent plays for you yet. Give yours this address: <code>${baseUrl}/auth.md</code>. It registers, gives you a code to type, and appears here when you have typed it.</p>`;

const item = (
  { agent_id, name, model, created_at, cut_at, last_used_at }: Agent,
  session: string,
): Markup => html`<li${cut_at ? html` class="cut-off"` : ''}>
<div class="about"><p><strong><bdi>${name}</bdi></strong>${model ? html` <span class="soft">model <bdi>${model}</bdi></span>` : ''}</p>
<p class="soft when">since ${date(created_at)} · ${cut_at ? `cut off on ${at(cut_at)}` : last_used_at ? `last used ${at(last_used_at)}` : 'not used yet'}</p></div>
${
  cut_at
    ? ''
    : html`<details><summary>Cut off<span class="away"> ${name}</span></summary>
<form method="post" action="/account/cut">${token(session)}<input type="hidden" name="agent_id" value="${agent_id}">
<p class="hint">It cannot come back: it would have to ask you again.</p><button class="danger small">Yes, cut it off</button></form></details>`
}
</li>`;

const at = (iso: string): string => `${date(iso)} ${clockTime(iso)}`;
