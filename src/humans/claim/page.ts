// The claim page: which agent asks for what, and the field for its 6-digit code. Protocol 3.4.
import { html } from 'hono/html';
import { rule } from '../../db/rules.ts';
import type { Page } from '../../html/layout.ts';
import { clockTime, date, plural } from '../../html/words.ts';
import { nameField } from '../account-name.ts';
import { clientRequest } from '../client-request.ts';
import { field } from '../field.ts';
import { firstSteps } from '../first-steps.ts';
import type { Refused } from '../form-answer.ts';
import { formPage, signedIn, token } from '../form-page.ts';
import type { AccountState } from '../records.ts';
import { termsByApproving } from '../terms.ts';

/** The result of api_human.look_at_claim, approve_claim and refuse_claim. */
export interface Claim {
  readonly outcome:
    | 'initiated'
    | 'wrong_code'
    | 'rate_limited'
    | 'approved'
    | 'refused'
    | 'locked'
    | 'expired'
    | 'claim_expired'
    | 'wrong_account'
    | 'unknown';
  readonly client_name?: string;
  readonly registered_at?: string;
  readonly expires_at?: string;
  readonly scopes?: readonly string[];
  readonly tries_left?: number;
  readonly retry_after_seconds?: number;
}

export interface ClaimView {
  readonly claim: Claim;
  readonly attemptToken: string;
  readonly account: AccountState;
  readonly session: string;
  readonly refused: Refused | undefined;
}

export function claimPage({ claim, attemptToken, account, session, refused }: ClaimView): Page {
  const { client_name = '', scopes = [], registered_at = '', expires_at = '', tries_left = 0 } = claim;
  return formPage(
    'An agent wants to play for you',
    html`<div class="narrow stack">
<h1>An agent wants to play for you</h1>
${clientRequest({ clientName: client_name, scopes, account, facts: [['Registered', `${date(registered_at)} ${clockTime(registered_at)}`]] })}
<form class="card stack" method="post" action="/claim">${token(session)}<input type="hidden" name="claim_attempt_token" value="${attemptToken}">
${field({
  name: 'user_code',
  label: 'The 6-digit code that the agent gave you',
  hint: `Good until ${clockTime(expires_at)}. ${plural(tries_left, 'try', 'tries')} left.`,
  attributes:
    'class="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{3} ?[0-9]{3}" maxlength="7"',
  refused,
})}
${nameField(account, refused)}
${termsByApproving(account)}
<div class="buttons"><button name="decision" value="approve">Approve</button><button class="danger" name="decision" value="refuse" formnovalidate>Refuse</button></div>
</form>
</div>`,
    { aside: signedIn(account.email, session) },
  );
}

/**
 * /claim without the token of a claim: somebody typed the address, or lost the rest of the link. It is shown to
 * everybody.
 */
export const aboutClaims = (): Page =>
  formPage(
    'Claim an agent',
    html`<div class="narrow stack">
<h1>Claim an agent</h1>
<p>An agent that has registered here by itself can read, but not play, until a human takes it on: that is the claim. You sign in, see what it asks for, and type a code. From then on it plays for your account, within your mandate.</p>
<section class="card"><h2>Ask your agent for two things</h2>
<ul><li>the <strong>link</strong>, which begins like this page’s address and goes on with <code class="whole">?claim_attempt_token=</code>; programs call it <code>verification_uri</code>;</li>
<li>the <strong>code</strong> of six digits, <code>user_code</code>. It is good for ${rule('claim_code_seconds') / 60} minutes; the agent can get another.</li></ul>
<p>Open the link as a whole. If the agent has no link yet, tell it:</p>
<p class="user-words">Begin the claim with the address that I sign in with, and give me the verification_uri and the user_code.</p></section>
<p>A code of eight letters is another thing: <a href="/device">type it here</a>. If you have no agent yet, <a href="/bring">bring one</a>.</p>
</div>`,
  );

/** What is wrong with the code that was typed, if that is what is wrong. */
export const codeProblem = ({ outcome, tries_left = 0 }: Claim): Refused['problems'] | undefined => {
  if (outcome === 'wrong_code')
    return { user_code: `That is not the code. ${plural(tries_left, 'try', 'tries')} left.` };
  return undefined;
};

/** Claims that leave nothing to decide: the status, the fact, and what to do. */
export const ends: Partial<Record<Claim['outcome'], readonly [number, string, string]>> = {
  approved: [200, 'The agent is yours', 'From now on it can play for you.'],
  refused: [200, 'You refused the agent', 'It has been told, and cannot act for your account.'],
  locked: [410, 'The code is locked', 'It was mistyped too often. Ask the agent for a new one.'],
  expired: [410, 'The code has expired', 'A code is valid for a few minutes only. Ask the agent for a new one.'],
  claim_expired: [
    410,
    'The claim has expired',
    `An agent can be claimed for ${rule('claim_token_hours')} hours after it registered, and that time is over. Its codes no longer work, and it cannot act for your account. Ask it to register again and give you a new link and code.`,
  ],
  wrong_account: [
    403,
    'This code is for another account',
    'The agent named a different address. Nothing is lost: sign in with that address.',
  ],
  unknown: [
    404,
    'There is no such claim',
    'The link is incomplete or wrong. Open it exactly as the agent gave it to you.',
  ],
};

/**
 * The page of a claim that leaves nothing to decide, with its HTTP status; undefined if there is something to decide.
 */
export function claimEnd(
  { outcome, client_name }: Claim,
  { attemptToken, account, session }: Omit<ClaimView, 'claim' | 'refused'>,
): { status: number; page: Page } | undefined {
  const end = ends[outcome];
  if (!end) return undefined;
  const [status, title, what] = end;
  const again = html`<form method="post" action="/sign-out">${token(session)}
<input type="hidden" name="return_to" value="/claim?claim_attempt_token=${encodeURIComponent(attemptToken)}"><button>Sign in with another address</button></form>`;
  const body = html`<div class="narrow stack"><h1>${title}</h1><p>${what}</p>
${
  outcome === 'wrong_account'
    ? again
    : outcome === 'approved'
      ? firstSteps(account, {
          agent: client_name,
          stays: `as long as it calls at least once in ${plural(rule('identity_assertion_hours'), 'hour')}. After that it has to ask you again.`,
        })
      : html`<p><a class="button" href="/account">Your account</a></p>`
}</div>`;
  return { status, page: formPage(title, body, { aside: signedIn(account.email, session) }) };
}
