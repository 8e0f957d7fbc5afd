// Protection against cross-site request forgery: a form must come from our own page and from the browser that we sent
// it to, or it gets 403.
import type Koa from 'koa';
import { readForm } from '../http/read-form.ts';
import { derive, same } from './browser-secret.ts';
import { longestTarget } from './return-to.ts';

export const csrfField = 'csrf';

/** The token in a form, derived one way from the session's secret, which no other page can read. */
export const csrfToken = (secret: string): string => derive(secret, 'csrf');

/** A form that did not come from one of our pages. */
export class ForeignForm extends Error {
  override readonly name = 'ForeignForm';
}

/** The most bytes of a form that carries a return address: in the worst case each character is encoded as three. */
export const longForm = 3 * longestTarget + 2_048;

/**
 * Reads a form of at most `most` bytes. `secret` is what its token was derived from, undefined if the browser has none.
 * Throws a ForeignForm.
 */
export async function ownForm(
  ctx: Koa.Context,
  origin: string,
  secret: string | undefined,
  most?: number,
): Promise<URLSearchParams> {
  if (!fromOwnPage(ctx, origin)) throw new ForeignForm();
  const form = await readForm(ctx, most);
  if (!secret || !same(form.get(csrfField) ?? '', csrfToken(secret))) throw new ForeignForm();
  return form;
}

/** Reads a form that acts in no session, and that programs send, too: they say nothing of where it comes from. */
export async function openForm(ctx: Koa.Context, origin: string): Promise<URLSearchParams> {
  const said = ctx.get('Origin') !== '' || ctx.get('Sec-Fetch-Site') !== '';
  if (said && !fromOwnPage(ctx, origin)) throw new ForeignForm();
  return readForm(ctx);
}

/**
 * Our pages have the policy no-referrer, under which browsers send "Origin: null" even to us. Then Sec-Fetch-Site,
 * which no page can set, must say that the form came from the same origin. If either names another origin, the form is
 * refused.
 */
function fromOwnPage(ctx: Koa.Context, origin: string): boolean {
  const given = ctx.get('Origin');
  const site = ctx.get('Sec-Fetch-Site');
  if (site && site !== 'same-origin') return false;
  return given === origin || ((given === '' || given === 'null') && site === 'same-origin');
}
