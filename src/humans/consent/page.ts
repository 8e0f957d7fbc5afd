// The consent page of the browser door: which client asks for what, and where its answer goes. Protocol 4.4, 8.3.
import { html } from 'hono/html';
import type { Page } from '../../html/layout.ts';
import { nameField } from '../account-name.ts';
import { clientRequest } from '../client-request.ts';
import type { Refused } from '../form-answer.ts';
import { formPage, signedIn, token } from '../form-page.ts';
import type { AccountState } from '../records.ts';
import { termsByApproving } from '../terms.ts';
import type { WrongRequest } from './authorization.ts';

export interface ConsentView {
  readonly clientName: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly account: AccountState;
  readonly session: string;
  /** Where the form is sent, and its hidden fields: the authorization request as it was checked. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly refused: Refused | undefined;
}

/** The form sends `decision`: approve or refuse. */
export const consentPage = ({
  clientName,
  clientId,
  redirectUri,
  scopes,
  account,
  session,
  action,
  fields,
  refused,
}: ConsentView): Page =>
  formPage(
    'An app wants to play for you',
    html`<div class="narrow stack">
<h1>An app wants to play for you</h1>
${clientRequest({
  clientName,
  scopes,
  account,
  facts: [
    ['Client', html`<code>${clientId}</code>`],
    ['You go on to', html`<strong><bdi>${destination(redirectUri)}</bdi></strong>`],
  ],
})}
<form class="card stack" method="post" action="${action}">${token(session)}
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${nameField(account, refused)}
${termsByApproving(account)}
<div class="buttons"><button name="decision" value="approve">Approve</button><button class="danger" name="decision" value="refuse" formnovalidate>Refuse</button></div>
</form>
</div>`,
    // the form's answer is a redirect to the client
    { aside: signedIn(account.email, session), forms: 'anywhere' },
  );

/** For a client that this human has not let in: the way back is the human's choice. Decisions 487. */
export const wrongRequestPage = ({ client, redirectUri, to, why }: WrongRequest): Page =>
  formPage(
    'This request cannot go on',
    html`<div class="narrow stack">
<h1>This request cannot go on</h1>
<p>An app that calls itself <strong><bdi>${client.name}</bdi></strong> sent you here with a request that is refused. Nothing was approved.</p>
<div class="card stack">
<dl class="facts">
<dt>Client</dt><dd><code>${client.client_id}</code></dd>
<dt>It waits at</dt><dd><strong><bdi>${destination(redirectUri)}</bdi></strong></dd>
<dt>It would be told</dt><dd>${why.message} <code>${why.error}</code></dd>
</dl>
<p class="hint">You have not let this app in, and nobody has verified its name. Go on only if you know where that leads; otherwise close this page.</p>
<p><a class="button plain wide-button" rel="nofollow noreferrer" href="${to}">Leave for ${destination(redirectUri)}</a></p>
</div>
</div>`,
  );

/** The host that the answer goes to; for an address without one, its scheme (an application on this device). */
function destination(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  if (!/^https?:$/.test(protocol)) return `an application on your device (${protocol})`;
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host) ? `a program on your own computer (${host})` : host;
}
