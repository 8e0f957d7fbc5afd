// What all pages with forms have in common.
import { html } from 'hono/html';
import type { Markup, Page } from '../html/layout.ts';
import { formStyle } from './form-style.ts';
import { csrfField, csrfToken } from './forms.ts';

/** The notice at the top of a page: what was done, or why it was not. */
export interface Word {
  readonly tone: 'good' | 'bad';
  readonly text: string;
}

/** `secret` is the value of the browser's cookie: the session, or before sign-in the secret of the sign-in page. */
export const token = (secret: string): Markup =>
  html`<input type="hidden" name="${csrfField}" value="${csrfToken(secret)}">`;

export const said = (word: Word | undefined): Markup | '' =>
  word
    ? html`<div class="notice ${word.tone}" role="${word.tone === 'bad' ? 'alert' : 'status'}"><p>${word.text}</p></div>`
    : '';

export const formPage = (title: string, body: Markup, more: Partial<Page> = {}): Page => ({
  title,
  description: title,
  style: formStyle,
  forms: 'own',
  body,
  ...more,
});

/** Who is signed in, and the button to sign out. */
export const signedIn = (email: string | null, session: string): Markup => html`<div class="me">
<p class="soft">${email ? html`Signed in as <bdi>${email}</bdi>` : 'Signed in'}</p>
<form method="post" action="/sign-out">${token(session)}<button class="plain small">Sign out</button></form>
</div>`;
