// humans/account/agents.ts · the agents that play for an account, each with its last use and the button that cuts it off. Protocol 6.2.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import { clockTime, date } from '../../html/words.ts';
import { token } from '../form-page.ts';

/** api_human.agents, latest first. The last use is sealed with the account's moves: nobody else may see it. Rules 9.1, 9.2. */
export interface Agent {
  readonly agent_id: string;
  readonly name: string;
  readonly model: string;
  readonly created_at: string;
  readonly cut_at: string | null;
  /** Unused for so long that the agent has to ask its human again. */
  readonly lapsed: boolean;
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

const liveFirst = (a: Agent, b: Agent): number => Number(over(a)) - Number(over(b));

const over = ({ cut_at, lapsed }: Agent): boolean => cut_at !== null || lapsed;

const none = (baseUrl: string): Markup =>
  html`<p>No agent plays for you yet. Give your agent this address: <code>${baseUrl}/auth.md</code>. It registers and gives you a code to type; then it appears here.</p>`;

const item = (agent: Agent, session: string): Markup => html`<li${over(agent) ? html` class="cut-off"` : ''}>
<div class="about"><p><strong><bdi>${agent.name}</bdi></strong>${agent.model ? html` <span class="soft">model <bdi>${agent.model}</bdi></span>` : ''}</p>
<p class="soft when">since ${date(agent.created_at)} · ${lately(agent)}</p></div>
${
  over(agent)
    ? ''
    : html`<details><summary>Cut off<span class="away"> ${agent.name}</span></summary>
<form method="post" action="/account/cut">${token(session)}<input type="hidden" name="agent_id" value="${agent.agent_id}">
<p class="hint">It cannot come back without asking you again.</p><button class="danger small">Yes, cut it off</button></form></details>`
}
</li>`;

const lately = ({ cut_at, lapsed, last_used_at }: Agent): string => {
  if (cut_at) return `cut off on ${at(cut_at)}`;
  if (!last_used_at) return 'not used yet';
  return lapsed ? `lapsed: not used since ${at(last_used_at)}; it has to ask you again` : `last used ${at(last_used_at)}`;
};

const at = (iso: string): string => `${date(iso)} ${clockTime(iso)}`;
