// The agents that play for an account: when each was here and when it has to ask again, and the button that cuts it
// off. Protocol 6.2.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import { clockTime, date } from '../../html/words.ts';
import { token } from '../form-page.ts';

/**
 * api_human.agents, latest first. What it did last is sealed with the account's moves: nobody else may see it. Rules
 * 9.1, 9.2.
 */
export interface Agent {
  readonly agent_id: string;
  readonly name: string;
  readonly model: string;
  readonly created_at: string;
  readonly cut_at: string | null;
  /** Staff have cut it, and may let it in again. */
  readonly held: boolean;
  /** It has to ask its human again. */
  readonly lapsed: boolean;
  /** Its last token: with it, it reads for a quarter of an hour. */
  readonly last_used_at: string | null;
  /** Its last deposit or announcement, of thirty nights. */
  readonly last_acted_at: string | null;
  readonly lapses_at: string | null;
}

export const agentsSection = (
  agents: readonly Agent[],
  session: string,
): Markup => html`<section class="card" aria-labelledby="agents">
<h2 id="agents">Agents</h2>
${agents.length === 0 ? none : html`<ul class="items">${[...agents].sort(liveFirst).map((agent) => item(agent, session))}</ul><p class="after"><a href="/bring">Bring another agent</a></p>`}
<p class="hint">They share one mandate and the same credits. Cutting one off ends all its tokens at once; moves that it deposited stand until you withdraw them.</p>
</section>`;

const liveFirst = (a: Agent, b: Agent): number => Number(over(a)) - Number(over(b));

const over = ({ cut_at, lapsed }: Agent): boolean => cut_at !== null || lapsed;

const none = html`<p>No agent plays for you yet.</p>
<p><a class="button" href="/bring">Bring an agent</a></p>`;

const item = (agent: Agent, session: string): Markup => html`<li${over(agent) ? html` class="cut-off"` : ''}>
<div class="about"><p><strong><bdi>${agent.name}</bdi></strong>${agent.model ? html` <span class="soft">model <bdi>${agent.model}</bdi></span>` : ''}</p>
<p class="soft when">since ${date(agent.created_at)} · ${lately(agent)}</p>
${over(agent) || !agent.lapses_at ? '' : html`<p class="soft when">its permission lapses ${at(agent.lapses_at)}, unless it comes back before</p>`}</div>
${
  over(agent) && !agent.held
    ? ''
    : html`<details><summary>Cut off${agent.held ? ' for good' : ''}<span class="away"> ${agent.name}</span></summary>
<form method="post" action="/account/cut">${token(session)}<input type="hidden" name="agent_id" value="${agent.agent_id}">
<p class="hint">It cannot come back without asking you again.</p><button class="danger small">Yes, cut it off</button></form></details>`
}
</li>`;

function lately({ cut_at, held, lapsed, last_used_at, last_acted_at }: Agent): string {
  const acted = last_acted_at ? `last played ${at(last_acted_at)}` : 'has not played lately';
  if (cut_at) return `cut off${held ? ' by staff' : ''} on ${at(cut_at)}${held ? '; they may let it in again' : ''}`;
  if (!last_used_at) return last_acted_at ? acted : 'not used yet';
  return lapsed
    ? `lapsed: not here since ${at(last_used_at)}; it has to ask you again`
    : `last here ${at(last_used_at)} · ${acted}`;
}

const at = (iso: string): string => `${date(iso)} ${clockTime(iso)}`;
