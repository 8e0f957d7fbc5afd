// console/sign-in-page.ts · the one page for those who are not signed in.
import { html } from 'hono/html';
import { rule } from '../db/rules.ts';

export const signInPage = (problem?: string) => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Hill · staff console</title>
    <link rel="icon" href="data:," />
    <style>
      :root { color-scheme: light dark; }
      body { font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 12vh auto; padding: 0 1rem; }
      label { display: block; margin-top: 1rem; }
      input, button { font: inherit; width: 100%; box-sizing: border-box; padding: 0.5rem; }
      button { margin-top: 1.5rem; }
      [role='alert'] { border-left: 0.25rem solid #c33; padding-left: 0.75rem; }
      small { opacity: 0.75; }
    </style>
  </head>
  <body>
    <h1>Staff console</h1>
    ${problem ? html`<p role="alert">${problem}</p>` : ''}
    <form method="post" action="/sign-in">
      <label for="name">Your name</label>
      <input id="name" name="name" maxlength="${rule('staff_name_length')}" required autocomplete="username" />
      <small>It goes into the audit log with what you do.</small>
      <label for="key">Staff key</label>
      <input id="key" name="key" type="password" required autocomplete="current-password" />
      <small>The file <code>staff-key</code> in HILL_DATA_DIR has it; the server's log names the file at its start.</small>
      <button>Sign in</button>
    </form>
  </body>
</html>`;
