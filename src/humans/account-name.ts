// The field in which a human names the account, with its first agent. Rules 11.1; decisions 136.
import { Refusal } from '../db/errors.ts';
import { rule } from '../db/rules.ts';
import type { Markup } from '../html/layout.ts';
import { field } from './field.ts';
import type { AccountState } from './records.ts';
import type { Refused } from './refused-form.ts';

const name = 'account_name';

/** Nothing for an account that has had an agent: its name is known on the hill, and changed by `set_profile`. */
export const nameField = (account: AccountState, refused: Refused | undefined): Markup | '' =>
  account.has_agents
    ? ''
    : field({
        name,
        label: 'Your public name on the hill',
        value: account.name,
        hint: 'Boards and nights show it, to everybody. Keep this one or choose another; nobody is told your address.',
        attributes: `autocomplete="off" spellcheck="false" maxlength="${2 * rule('name_length')}"`,
        refused,
      });

/** The name in a form; null if the form had no field for it. */
export const nameIn = (form: URLSearchParams): string | null => form.get(name);

/** The same, for the page that is shown again. */
export const nameTyped = (form: URLSearchParams): Refused['typed'] => {
  const value = nameIn(form);
  return value === null ? {} : { [name]: value };
};

/** What to say beside the field if the database refused the name. Throws any other error on. */
export function nameProblem(error: unknown): Refused['problems'] {
  if (!(error instanceof Refusal) || error.code !== 'INVALID_ARGUMENT' || error.detail.argument !== 'name') throw error;
  return { [name]: `The ${error.message}` };
}
