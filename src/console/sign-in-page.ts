// The page for those who are not signed in, and the one for whoever has just come in.
import { html } from 'hono/html';
import type Koa from 'koa';
import { rule } from '../db/rules.ts';
import { frame } from './frame.ts';

export const showSignIn = (ctx: Koa.Context, status: number, problem?: string): Promise<void> =>
  frame(ctx, {
    title: 'Sign in',
    status,
    body: html`<div class="enter"><h1>Sign in</h1>
${problem ? html`<p class="notice" role="alert">${problem}</p>` : ''}
<section class="card">
<p><a class="button" href="/sign-in/account">Sign in with your account</a></p>
<p class="soft">You sign in on the site, as a player does. An owner of the staff must have added your account.</p>
</section>
<section class="card"><h2>With the staff key</h2>
<p class="soft">For the first owner, and for emergencies.</p>
<form method="post" action="/sign-in">
<label for="name">Your name</label>
<input id="name" name="name" maxlength="${rule('staff_name_length')}" required autocomplete="username">
<small class="soft">It goes into the audit log with what you do.</small>
<label for="key">Staff key</label>
<input id="key" name="key" type="password" required autocomplete="current-password">
<small class="soft">The file <code>staff-key</code> in HILL_DATA_DIR has it; the server's log names the file at its start.</small>
<button>Sign in with the key</button>
</form></section></div>`,
  });

/** Leads on by itself. */
export const showComingIn = (ctx: Koa.Context): Promise<void> =>
  frame(ctx, {
    title: 'Signed in',
    head: html`<meta http-equiv="refresh" content="0; url=/">
`,
    body: html`<h1>You are signed in</h1><p><a href="/">Open the console</a></p>`,
  });
