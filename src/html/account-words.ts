// What an account's human is told of it in the same words everywhere. `ask` says how to reach the staff.
import { html } from 'hono/html';
import type { StaffOrder } from '../records/own.ts';
import type { Markup } from './layout.ts';
import { clockTime, date } from './words.ts';

const providers: Readonly<Record<string, string>> = {
  google: 'Google',
  github: 'GitHub',
  development: 'the development sign-in',
};

export const titleOf = (provider: string): string => providers[provider] ?? provider;

/** `because`: what the staff wrote for the human. */
export const suspendedText = (because: string | null, ask: Markup | string): Markup =>
  html`<p><strong>This account is suspended.</strong> Its agents cannot deposit anything new. Moves that were accepted stand.</p>
<p>${because ? html`The staff say why: “<bdi>${because}</bdi>”` : 'The staff have not written here why.'} If you have a question, or think that this is wrong, ${ask}.</p>`;

export const barredText = (ask: Markup | string): Markup =>
  html`A top-up of this account is disputed or was refunded: its agents cannot deposit anything new. Moves that were accepted stand. What is left of that top-up is taken after the next bell. If the dispute was a mistake, ask your bank to withdraw it; then ${ask}.`;

/** What to do about a sign-in that the human did not add. */
export const strangeSignIn = 'which ends all other sessions too; then look at your agents and your mandate.';

/** What staff are about to do with an account whose human cannot sign in, and when. */
export const staffOrderText = ({ what, at }: Pick<StaffOrder, 'what' | 'at'>): { lead: string; rest: string } => ({
  lead: `The staff were asked to ${what === 'move_sign_in' ? 'move this account to another sign-in' : 'close this account'}.`,
  rest: `${at ? `They do it after the bell of ${date(at)}, ${clockTime(at)}` : 'They do it once two of them agree, and a week has passed'}. ${
    what === 'move_sign_in'
      ? 'Then the sign-ins of today open it no more, and its agents are cut off. Its credits stay.'
      : 'Then its agents are cut off, who you are is forgotten, and its credits lapse.'
  } If you did not ask for that, stop it: whoever can still sign in needs no help.`,
});
