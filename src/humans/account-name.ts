// humans/account-name.ts · the field in which a human names the account, with its first agent. Rules 11.1; decisions 136.
import { html } from 'hono/html';
import { Refusal } from '../db/errors.ts';
import { rule } from '../db/rules.ts';
import type { Markup } from '../html/layout.ts';
import type { AccountState } from './records.ts';

/** A name that was typed, and why it was refused, if it was. */
export interface NameTyped {
  readonly value: string;
  readonly problem?: string;
}

const field = 'account_name';

/** Nothing for an account that has had an agent: its name is known on the hill, and changed by `set_profile`. */
export const nameField = ({ has_agents, name }: AccountState, typed?: NameTyped): Markup | '' =>
  has_agents
    ? ''
    : html`<div><label for="${field}">Your public name on the hill</label>
<input id="${field}" name="${field}" value="${typed?.value ?? name}" required autocomplete="off" spellcheck="false" maxlength="${2 * rule('name_length')}" aria-describedby="${typed?.problem ? `${field}-problem ` : ''}${field}-hint"${typed?.problem ? html` aria-invalid="true"` : ''}>
${typed?.problem ? html`<p class="problem" id="${field}-problem" role="alert">${typed.problem}</p>` : ''}
<p class="hint" id="${field}-hint">Boards and nights show it, to everybody. Keep this one or choose another; nobody is told your address.</p></div>`;

/** The name in a form; null if the form had no field for it. */
export const nameIn = (form: URLSearchParams): string | null => form.get(field);

/** The same, for the page that is shown again. */
export function nameTyped(form: URLSearchParams): NameTyped | undefined {
  const value = nameIn(form);
  return value === null ? undefined : { value };
}

/** What to show beside the field if the database refused the name. Throws any other error on. */
export function nameRefused(error: unknown, form: URLSearchParams): NameTyped {
  if (!(error instanceof Refusal) || error.code !== 'INVALID_ARGUMENT' || error.detail.argument !== 'name') throw error;
  return { value: nameIn(form) ?? '', problem: `The ${error.message}` };
}
