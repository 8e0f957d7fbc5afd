// The field in which a human names the account, with its first agent. Rules 11.1; decisions 136.

import { html } from 'hono/html';
import { Refusal } from '../db/errors.ts';
import { rule } from '../db/rules.ts';
import type { Markup } from '../html/layout.ts';
import { field } from './field.ts';
import { forPeople } from './for-people.ts';
import type { Refused } from './form-answer.ts';
import { token } from './form-page.ts';
import type { AccountState } from './records.ts';

const name = 'account_name';

/** Nothing for an account that has had an agent: its name is known on the hill, and changed elsewhere. */
export const nameField = (account: AccountState, refused: Refused | undefined): Markup | '' =>
  account.has_agents
    ? ''
    : field({
        name,
        label: 'Your public name on the hill',
        value: account.name,
        hint: 'Boards and nights show it, to everybody. Keep this one or choose another; nobody is told your address.',
        attributes,
        refused,
      });

/** The form in which a human renames an account that is known on the hill. */
export const renameForm = (account: AccountState, session: string, refused: Refused | undefined): Markup =>
  html`<details class="quiet"${refused ? html` open` : ''}><summary>Change the name</summary>
<form class="stack" method="post" action="/account/name">${token(session)}
${field({ name: 'name', label: 'Public name', value: account.name, hint: 'Everybody sees it. The address of your public page stays.', attributes, refused })}
<button>Save the name</button></form></details>`;

const attributes = `autocomplete="off" spellcheck="false" maxlength="${2 * rule('name_length')}"`;

/** The name in a form; null if the form had no field for it. */
export const nameIn = (form: URLSearchParams): string | null => form.get(name);

/** The same, for the page that is shown again. */
export const nameTyped = (form: URLSearchParams): Refused['typed'] => {
  const value = nameIn(form);
  return value === null ? {} : { [name]: value };
};

/** What to say beside the field if the database refused the name. Throws any other error on. */
export function nameProblem(error: unknown): Refused['problems'] {
  if (!(error instanceof Refusal) || error.detail.argument !== 'name') throw error;
  return { [name]: forPeople(error) };
}
