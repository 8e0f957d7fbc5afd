// How sign-ins of an account are named, wherever a page speaks of them.
import { html } from 'hono/html';
import { titleOf } from '../html/account-words.ts';
import type { Markup } from '../html/layout.ts';
import type { SignIn } from './records.ts';

/** "Google (ann@example.com) or GitHub". */
export const signInNames = (signIns: readonly Pick<SignIn, 'provider' | 'email'>[], between: 'and' | 'or'): Markup =>
  html`${signIns.map(({ provider, email }, i) => html`${i === 0 ? '' : i === signIns.length - 1 ? ` ${between} ` : ', '}${titleOf(provider)}${email ? html` (<bdi>${email}</bdi>)` : ''}`)}`;
