// Where a human who lost the login signs in with a new one, by a code that staff gave. It becomes the account's later.
// Rules 18.8.
import { html } from 'hono/html';
import type { Markup, Page } from '../../html/layout.ts';
import { field } from '../field.ts';
import { formPage, said, token, type Word } from '../form-page.ts';
import { csrfToken } from '../forms.ts';
import type { Provider } from './provider.ts';

export const movePath = '/sign-in/move';

export interface MoveView {
  readonly providers: readonly Provider[];
  readonly standsIn: boolean;
  /** What the links and the form of the stand-in are bound to. */
  readonly secret: string;
  /** As it was typed. */
  readonly code: string | undefined;
  readonly word?: Word | undefined;
}

/** What the page reads of what was typed; undefined for what is no code of ours. */
export const moveCode = (typed: string | undefined): string | undefined =>
  /^[\w-]{1,40}$/.exec(typed?.trim() ?? '')?.[0].toUpperCase();

export const movePage = (view: MoveView): Page =>
  formPage(
    'Get back into your account',
    html`<div class="narrow stack"><h1>Get back into your account</h1>
${said(view.word)}
<div class="notice"><p><strong>Only for a code that you asked the staff for.</strong> The account that it belongs to then opens with the sign-in that you use here, and no other account does. Leave this page if somebody sent you here.</p></div>
${view.code === undefined ? codeForm : signingIn(view, view.code)}
</div>`,
  );

const codeForm = html`<form class="card stack" method="get" action="${movePath}">
${field({
  name: 'code',
  label: 'The code that the staff gave you',
  attributes: 'class="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40" required',
  refused: undefined,
})}
<button class="wide-button">Go on</button>
</form>`;

const signingIn = ({ providers, standsIn, secret }: MoveView, code: string): Markup => html`<div class="card stack">
<p>Your code is <strong>${code}</strong>. Now sign in with the login that shall open your account from now on. It must not open an account here yet.</p>
${providers.map(({ name, title }) => html`<a class="button wide-button" rel="nofollow" href="${movePath}/${name}?code=${code}&amp;token=${csrfToken(secret)}">Continue with ${title}</a>`)}
${
  standsIn
    ? html`<form class="stack" method="post" action="${movePath}/development">${token(secret)}<input type="hidden" name="code" value="${code}">
${field({ name: 'email', label: 'E-mail address', hint: 'The development sign-in believes any.', attributes: 'type="email" maxlength="320" autocomplete="email"', refused: undefined })}
<button class="wide-button">Sign in</button></form>`
    : ''
}
</div>
<p><a href="${movePath}">Another code</a></p>`;

export const provenPage = (name: string): Page =>
  formPage(
    'Your new sign-in is noted',
    html`<div class="narrow stack"><h1>Your new sign-in is noted</h1>
<p>It is for the account <bdi>${name}</bdi>. Tell the staff that you have been here: somebody else of them has to approve it. Then it waits for at least a week, in which every address of the account is told, and any old sign-in can stop it.</p>
<p>After that you sign in as usual, with this login, and bring your agents again. Until then this login opens nothing here.</p></div>`,
  );

/** What the page says of a refusal. */
export const moveRefusals: Readonly<Record<string, string>> = {
  UNKNOWN_CODE: 'That code was used, has ended, or is another. Look at it again, or ask the staff for a new one.',
  SIGN_IN_TAKEN:
    'That login opens an account here already, and accounts are not merged. Sign in with it and close that account first, or use another login.',
  SIGN_IN_WAITS: 'That login waits for an account already. Ask the staff.',
};
