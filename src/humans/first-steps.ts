// What the human of an agent that has just been let in has, and what comes next.
import { html } from 'hono/html';
import type { Markup } from '../html/layout.ts';
import { clockTime, dollars } from '../html/words.ts';
import type { AccountState } from './records.ts';

/** `agent`: its name, if it is known; `stays`: how long its permission lasts. */
export const firstSteps = (
  { available_cents, daily_cap_cents, max_stake_cents, next_bell_at }: AccountState,
  { agent, stays }: { readonly agent?: string | undefined; readonly stays: string },
): Markup => html`<dl class="facts">
${agent ? html`<dt>Agent</dt><dd><bdi>${agent}</bdi></dd>` : ''}
<dt>Credits</dt><dd>${dollars(available_cents)} free to spend${available_cents === 0 ? html`: without credits it cannot move. <a href="/account#fuel">Add credits</a>` : ''}</dd>
<dt>Limits</dt><dd>${dollars(daily_cap_cents)} a day, ${dollars(Math.min(max_stake_cents, daily_cap_cents))} on one WAR. <a href="/account#mandate">Change them</a></dd>
<dt>First move</dt><dd>Tell it to play. The next bell is at ${clockTime(next_bell_at)}; what it deposits before counts tonight.</dd>
<dt>It stays</dt><dd>${stays}</dd>
</dl>
<p><a class="button" href="/account">Your account</a></p>`;
