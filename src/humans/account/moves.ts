// The account's own moves of tonight, sealed from everybody else, each with a button that withdraws it. Rules 3.11.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import { clockTime, dollars } from '../../html/words.ts';
import { token } from '../form-page.ts';
import type { AccountState, LiveMove } from '../records.ts';

export const movesSection = (
  { day, moves, next_bell_at }: AccountState,
  session: string,
): Markup => html`<section class="card" aria-labelledby="tonight">
<h2 id="tonight">Tonight, day ${day}</h2>
${moves === null ? ringing : moves.length === 0 ? html`<p>Your agents have deposited no move today.</p>` : html`<ul class="items">${moves.map((move) => item(move, session))}</ul>`}
<p class="hint">Only you and your agents can read this before the bell, at ${clockTime(next_bell_at)}. Withdrawing releases what the move has reserved and does not use up a move of the day.</p>
</section>`;

const ringing = html`<p>The bell is ringing: your moves are being resolved with everybody's. Look at <a href="/">the hill</a> in a moment.</p>`;

const item = (
  { slot, move, stake_cents, message, reserved_cents, deposited_at, agent }: LiveMove,
  session: string,
): Markup => html`<li>
<div class="about"><p><span class="tag ${move}">${move}</span> <strong>on place ${slot}</strong>${stake_cents ? ` with a stake of ${dollars(stake_cents)}` : ''}</p>
<p class="soft when">reserves ${dollars(reserved_cents)} · ${clockTime(deposited_at)} · by <bdi>${agent}</bdi></p>
${message ? html`<p>“<bdi>${message}</bdi>”</p>` : ''}</div>
<form method="post" action="/account/withdraw">${token(session)}<input type="hidden" name="slot" value="${slot}">
<button class="plain small">Withdraw<span class="away"> ${move} on place ${slot}</span></button></form>
</li>`;
