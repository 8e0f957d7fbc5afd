// console/sign-in-page.ts · the page for those who are not signed in, and the one for whoever has just come in.
import { html } from 'hono/html';
import { rule } from '../db/rules.ts';
import type { Markup } from '../html/layout.ts';

const page = (body: Markup, head: Markup | '' = '') => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Hill · staff console</title>
    ${head}
    <link rel="icon" href="data:," />
    <style>
      :root { color-scheme: light dark; }
      body { font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 12vh auto; padding: 0 1rem; }
      label { display: block; margin-top: 1rem; }
      input, button { font: inherit; width: 100%; box-sizing: border-box; padding: 0.5rem; }
      button, .button { margin-top: 1.5rem; }
      .button { display: block; text-align: center; padding: 0.6rem; background: #2458a6; color: #fff; text-decoration: none; border-radius: 0.25rem; }
      h2 { font-size: 1.1rem; margin: 2.5rem 0 0; }
      [role='alert'] { border-left: 0.25rem solid #c33; padding-left: 0.75rem; }
      small { opacity: 0.75; }
    </style>
  </head>
  <body>
    <h1>Staff console</h1>
    ${body}
  </body>
</html>`;

export const signInPage = (problem?: string) =>
  page(html`${problem ? html`<p role="alert">${problem}</p>` : ''}
    <a class="button" href="/sign-in/account">Sign in with your account</a>
    <small>You sign in on the site, as a player does. An owner of the staff must have added your account.</small>
    <h2>With the staff key</h2>
    <small>For the first owner, and for emergencies.</small>
    <form method="post" action="/sign-in">
      <label for="name">Your name</label>
      <input id="name" name="name" maxlength="${rule('staff_name_length')}" required autocomplete="username" />
      <small>It goes into the audit log with what you do.</small>
      <label for="key">Staff key</label>
      <input id="key" name="key" type="password" required autocomplete="current-password" />
      <small>The file <code>staff-key</code> in HILL_DATA_DIR has it; the server's log names the file at its start.</small>
      <button>Sign in with the key</button>
    </form>`);

export const comingInPage = () =>
  page(html`<p>You are signed in. <a href="/">Open the console</a></p>`, html`<meta http-equiv="refresh" content="0; url=/" />`);
