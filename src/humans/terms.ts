// The terms that a human accepts by approving an agent, and has to have accepted before paying. Rules 5.10.
import { html } from 'hono/html';
import type { Markup } from '../html/layout.ts';
import { date } from '../html/words.ts';
import type { Refused } from './form-answer.ts';
import type { AccountState, ShownTerms } from './records.ts';

const name = 'terms';

const named = ({ operator, version }: ShownTerms): Markup =>
  html`the <a href="/terms">terms</a> of <bdi>${operator}</bdi>, version ${version}`;

const privacy = html`<a href="/privacy">privacy notice</a>`;

/** In a form whose button "Approve" accepts them. It says which version it showed. */
export const termsByApproving = ({ terms }: AccountState): Markup | '' =>
  terms
    ? html`<div><input type="hidden" name="${name}" value="${terms.id}"><p class="hint">By approving you accept ${named(terms)}, and say that you have read its ${privacy}.</p></div>`
    : '';

/** In a form that leads to a payment: what was accepted before, or the box to tick. */
export function termsToTick({ terms }: AccountState, refused: Refused | undefined): Markup | '' {
  if (!terms) return '';
  if (terms.accepted_at) return html`<p class="hint">You accepted ${named(terms)}, on ${date(terms.accepted_at)}.</p>`;
  const problem = refused?.problems[name];
  return html`<div>${terms.accepted_before ? html`<p><strong>The terms have changed</strong> since you accepted them. Your agents play on; to top up, accept the new ones.</p>` : ''}
<label class="tick"><input type="checkbox" name="${name}" value="${terms.id}" required${problem ? html` aria-invalid="true" aria-describedby="terms-problem"` : ''}> <span>I accept ${named(terms)}, and have read its ${privacy}.</span></label>
${problem ? html`<p class="problem" id="terms-problem" role="alert">${problem}</p>` : ''}</div>`;
}

/** Which version a form showed, and its human accepted; null if none. */
export function termsIn(form: URLSearchParams): number | null {
  const id = form.get(name) ?? '';
  return /^[1-9]\d{0,8}$/.test(id) ? Number(id) : null;
}
