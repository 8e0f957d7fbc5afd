// What wants a recent sign-in says so, and leads there and back. Rules 19.1; decisions 485.
import { html } from 'hono/html';
import type { Markup, Page } from '../html/layout.ts';
import { plural } from '../html/words.ts';
import { formPage, signedIn } from './form-page.ts';
import type { Human } from './pages.ts';
import type { Freshness } from './records.ts';
import { signInNames } from './sign-in-names.ts';

/** The sign-in page for somebody who is signed in. Afterwards the browser goes on to `back`. */
export const againPath = (back: string): string => `/sign-in?again=1&return_to=${encodeURIComponent(back)}`;

export const signInAgain = (what: string, { fresh_minutes }: Pick<Freshness, 'fresh_minutes'>, back: string): Markup =>
  html`<div class="notice"><p>${what} you must have signed in within the last ${plural(fresh_minutes, 'minute')}, so that nobody does it in a browser that you left open, or with a copy of its cookie.</p></div>
<p><a class="button" rel="nofollow" href="${againPath(back)}">Sign in again</a></p>`;

/** Instead of what was asked for. */
export const signInAgainPage = ({ account, session }: Human): Page =>
  formPage(
    'Sign in once more',
    html`<div class="narrow stack"><h1>Sign in once more</h1>
<div class="card stack">${signInAgain('For this', account, '/account')}
<p class="hint">Use ${signInNames(account.sign_ins, 'or')}: only a sign-in that the account has counts. Nothing was changed.</p></div>
<p><a href="/account">Your account</a></p></div>`,
    { at: '/account', aside: signedIn(account.email, session) },
  );
