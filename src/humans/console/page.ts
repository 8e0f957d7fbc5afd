// The page on which a member of the staff goes on to the console, and the one for everybody else. Rules 18.4.
import { html } from 'hono/html';
import type { Markup, Page } from '../../html/layout.ts';
import { formPage, said, signedIn, token, type Word } from '../form-page.ts';
import type { Human } from '../pages.ts';
import { signInAgain } from '../recent.ts';
import type { Freshness } from '../records.ts';

const roles = {
  viewer: 'a viewer, who changes nothing',
  support: 'support',
  manager: 'a manager',
  owner: 'an owner of the staff',
} as const;

/** api_human.console */
export interface Membership extends Freshness {
  readonly name: string;
  readonly role: keyof typeof roles;
}

/**
 * What the console sends along: the hash of what the browser keeps there, and the host under which the browser has it.
 */
export interface Asked {
  readonly challenge: string;
  readonly at: string;
}

export const consolePath = '/console';

export const pathOf = ({ challenge, at }: Asked): string => `${consolePath}?${new URLSearchParams({ challenge, at })}`;

const page = (title: string, { account, session }: Human, body: Markup): Page =>
  formPage(title, html`<div class="narrow stack"><h1>${title}</h1>${body}</div>`, {
    aside: signedIn(account.email, session),
  });

export const goOnPage = (human: Human, member: Membership, asked: Asked, word?: Word): Page => ({
  ...page(
    'Open the staff console',
    human,
    html`${said(word)}
<div class="card stack">
<p>The console at <strong><code>http://${asked.at}</code></strong>, on your own machine, asks who you are. You would work there as <strong><bdi>${member.name}</bdi></strong>, ${roles[member.role]}, for 12 hours. The audit log shows that name with all that you do.</p>
<p class="hint">Go on only if you have just opened the console in this browser.</p>
${member.fresh ? go(human, asked) : signInAgain('For this', member, pathOf(asked))}
</div>`,
  ),
  // the answer to the form leads to the console, which is another origin
  forms: 'anywhere',
});

const go = ({ session }: Human, { challenge, at }: Asked): Markup => html`<form method="post" action="${consolePath}">
${token(session)}<input type="hidden" name="challenge" value="${challenge}"><input type="hidden" name="at" value="${at}">
<button class="wide-button">Open the console</button>
</form>`;

export const notStaffPage = (human: Human): Page =>
  page(
    'You are not staff',
    human,
    html`<div class="notice bad"><p>This account is not one of the staff, so the console stays closed to it.</p></div>
<p>If it should be, send an owner of the staff the id of your account. They add it on the console, under <i>Actions</i>; then begin again there.</p>
<dl class="facts"><dt>Account</dt><dd><bdi>${human.account.name}</bdi></dd><dt>Id</dt><dd><code>${human.account.account_id}</code></dd></dl>
<p>If you have another account that is staff, sign out and sign in to that one. <a href="/account">Your account</a></p>`,
  );

/** `at`: a port of this machine that is not the console's. */
export const notBegunPage = (at?: string): Page =>
  formPage(
    'Begin at the console',
    html`<div class="narrow stack"><h1>Begin at the console</h1>
<p>Staff open this page from the console, on the machine where it runs, with its button <em>Sign in with your account</em>. This address ${at ? html`leads on to <code>http://${at}</code>, which is not the console as this hill knows it` : 'does not come from there'}.</p>
${at ? html`<p>If you have just opened the console there, through a tunnel, whoever runs this hill can add the port to <code>HILL_CONSOLE_PORTS</code>.</p>\n` : ''}<p><a href="/account">Your account</a></p></div>`,
  );
