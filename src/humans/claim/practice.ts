// The claim page of a practice hill, for whoever comes without a session: an agent by itself, or its author. No
// sign-in. Rules 17.4.
import { html } from 'hono/html';
import type { Page } from '../../html/layout.ts';
import { clockTime, plural } from '../../html/words.ts';
import { field } from '../field.ts';
import { formPage } from '../form-page.ts';
import { type Claim, codeProblem, ends } from './page.ts';

export const practicePage = (claim: Claim, attemptToken: string): Page =>
  formPage(
    'An agent wants to practise',
    html`<div class="narrow stack">
<h1>An agent wants to practise</h1>
<p class="who-asks"><strong><bdi>${claim.client_name}</bdi></strong> asks to play here.</p>
<div class="notice"><p><strong>This is practice: no sign-in is needed.</strong> Whoever has the code lets the agent in, the agent itself as well. It plays for a new account with play money. On a real hill a human signs in here, and decides.</p></div>
<form class="card stack" method="post" action="/claim"><input type="hidden" name="claim_attempt_token" value="${attemptToken}">
${field({
  name: 'user_code',
  label: 'The 6-digit code that the agent was given',
  hint: `Good until ${clockTime(claim.expires_at ?? '')}. ${plural(claim.tries_left ?? 0, 'try', 'tries')} left.`,
  attributes:
    'class="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{3} ?[0-9]{3}" maxlength="7"',
  refused: { form: 'claim', typed: {}, problems: codeProblem(claim) ?? {} },
})}
<button class="wide-button">Let it in</button>
</form>
<p class="hint">A program sends the same form: claim_attempt_token and user_code, by POST.</p>
</div>`,
  );

/**
 * The page of a claim that leaves nothing to decide, with its HTTP status; undefined if there is something to decide.
 */
export function practiceEnd({ outcome }: Claim): { status: number; page: Page } | undefined {
  const end = ends[outcome];
  if (!end) return undefined;
  const [status, title, what] = end;
  const text =
    outcome === 'approved' ? 'It fetches its tokens now, and plays for a new account with play money.' : what;
  return {
    status,
    page: formPage(
      outcome === 'approved' ? 'The agent is let in' : title,
      html`<div class="narrow stack"><h1>${outcome === 'approved' ? 'The agent is let in' : title}</h1><p>${text}</p>
${outcome === 'approved' ? html`<p>This browser is signed in to that account: <a href="/account">look at it</a>, and change what the agent may spend.</p>` : ''}</div>`,
    ),
  };
}
