// Where a human signs in: with Google or GitHub, in development with a stand-in for both, and on a practice hill with
// nothing.
import { html } from 'hono/html';
import type { Markup, Page } from '../../html/layout.ts';
import { derive } from '../browser-secret.ts';
import { field } from '../field.ts';
import type { Refused } from '../form-answer.ts';
import { formPage, said, token, type Word } from '../form-page.ts';
import type { SignIn } from '../records.ts';
import { signInNames } from '../sign-in-names.ts';
import type { Provider } from './provider.ts';

export interface SignInView {
  readonly providers: readonly Provider[];
  /** Whether this is a practice hill, where nobody signs in as anybody. */
  readonly practises: boolean;
  /** The secret that the stand-in's form is bound to, or that of practice; undefined if there is neither. */
  readonly standIn: string | undefined;
  readonly returnTo: string;
  /** The sign-ins of the account in which somebody is to sign in again. */
  readonly own?: readonly SignIn[] | undefined;
  readonly word?: Word | undefined;
  readonly refused: Refused | undefined;
}

export const signInPage = (view: SignInView): Page => (view.practises ? practiceSignIn(view) : usualSignIn(view));

/** Nothing can be done twice here: a second time would open another account. */
const practiceSignIn = ({ own, standIn = '', returnTo, word }: SignInView): Page =>
  formPage(
    'Practise',
    html`<div class="narrow stack">
<h1>${own ? 'There is no second sign-in' : 'Practise'}</h1>
${said(word)}
${
  own
    ? html`<p>An account of a practice hill has no login that you could repeat, so what asks for a recent sign-in can be done only soon after you began. The account goes by itself when nobody uses it.</p><p><a class="button" href="/account">Your account</a></p>`
    : html`<p>Nobody signs in on a practice hill. This browser gets an account of its own, with play money and a mandate for your agents, for as long as it keeps its cookie.</p>
<form class="card stack" method="post" action="/sign-in/practice">${token(standIn)}<input type="hidden" name="return_to" value="${returnTo}"><button class="wide-button">Go on with a new account</button></form>`
}
</div>`,
  );

const usualSignIn = (view: SignInView): Page =>
  formPage(
    'Sign in',
    html`<div class="narrow stack">
<h1>Sign in${view.own ? ' again' : ''}</h1>
${said(view.word)}
${view.own ? html`<p>Sign in with ${signInNames(view.own, 'or')}, and you go on where you were. Any other sign-in opens another account.</p>` : html`<p>${reason(view.returnTo)} Your agents do not sign in here: they have tokens of their own.</p>`}
${view.providers.length > 0 ? buttons(view) : ''}
${view.standIn ? standIn(view.standIn, view) : ''}
${view.providers.length === 0 && !view.standIn ? html`<div class="notice bad"><p>Nobody can sign in here yet: no provider is configured. The settings are GOOGLE_CLIENT_ID and GITHUB_CLIENT_ID, with their secrets.</p></div>` : ''}
${
  view.own
    ? ''
    : html`<p class="hint">Only an address that the provider has verified counts. Each provider opens a separate account. To use two providers with one account, sign in as usual and add the other on your account page. Hill stores your address and the provider's id for you, and nothing else.</p>`
}
</div>`,
  );

const reason = (returnTo: string): string =>
  returnTo.startsWith('/claim')
    ? 'Sign in to see which agent wants to play for you.'
    : returnTo.startsWith('/console')
      ? 'Sign in to open the staff console.'
      : returnTo.startsWith('/device')
        ? 'Sign in to connect a program that showed you a code.'
        : returnTo.startsWith('/account')
          ? 'Sign in to fund your agents, set what they may spend, and see what they play.'
          : 'Sign in to see which app wants to play for you.';

const buttons = ({ providers, returnTo }: SignInView): Markup => html`<div class="card stack">
${providers.map(({ name, title }) => html`<a class="button wide-button" rel="nofollow" href="/sign-in/${name}?return_to=${encodeURIComponent(returnTo)}">Continue with ${title}</a>`)}
</div>`;

/**
 * A link, because the page's policy restricts where a form may lead. Its token is valid only in this session and for
 * this provider.
 */
export const addSignIn = ({ name, title }: Provider, session: string): Markup =>
  html`<a class="button" rel="nofollow" href="/account/add-sign-in/${name}?token=${addToken(session, name)}">Sign in with ${title} too</a>`;

export const addToken = (session: string, provider: string): string => derive(session, `add sign-in ${provider}`);

const standIn = (
  secret: string,
  { returnTo, own, refused }: SignInView,
): Markup => html`<form class="card stack" method="post" action="/sign-in/development">
<div class="notice"><p><strong>This is the development sign-in.</strong> It stands in for Google and GitHub, which are not configured, and believes any address. Production refuses it.</p></div>
${token(secret)}<input type="hidden" name="return_to" value="${returnTo}">
${field({
  name: 'email',
  label: 'E-mail address',
  value: own?.find(({ provider }) => provider === 'development')?.subject ?? '',
  hint: 'Any address will do, such as you@example.com. Each is an account of its own.',
  attributes: 'type="email" maxlength="320" autocomplete="email"',
  refused,
})}
<button class="wide-button">Sign in</button>
</form>`;
