// humans/forms.ts · a form of ours, sent from our own page, by the browser that we gave it to; or 403.
import type Koa from 'koa';
import { readForm } from '../http/read-form.ts';
import { derive, same } from './sign-in/browser-secret.ts';
import { longestTarget } from './sign-in/return-to.ts';

export const csrfField = 'csrf';

/** The token in a form: it follows from the session's secret, which no other page can read, and the secret does not follow from it. */
export const csrfToken = (secret: string): string => derive(secret, 'csrf');

/** A form that did not come from one of our pages. */
export class ForeignForm extends Error {
  override readonly name = 'ForeignForm';
}

/** Bytes of a form that takes along where the human goes on to: in the worst case each character is written as three. */
export const longForm = 3 * longestTarget + 2_048;

/** Reads a form of at most so many bytes. `secret` is what its token was derived from, undefined if the browser has none. Throws a ForeignForm. */
export async function ownForm(ctx: Koa.Context, origin: string, secret: string | undefined, most?: number): Promise<URLSearchParams> {
  if (!fromOwnPage(ctx, origin)) throw new ForeignForm();
  const form = await readForm(ctx, most);
  if (!secret || !same(form.get(csrfField) ?? '', csrfToken(secret))) throw new ForeignForm();
  return form;
}

/**
 * Our pages have the policy no-referrer, with which browsers send "Origin: null" even to ourselves: then Sec-Fetch-Site, which no page can set, has to
 * say that the form came from the same origin. Where either says another place, it did.
 */
function fromOwnPage(ctx: Koa.Context, origin: string): boolean {
  const given = ctx.get('Origin');
  const site = ctx.get('Sec-Fetch-Site');
  if (site && site !== 'same-origin') return false;
  return given === origin || ((given === '' || given === 'null') && site === 'same-origin');
}
