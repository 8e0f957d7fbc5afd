// humans/forms.ts · a form of ours, sent from our own page, by the browser that we gave it to; or 403.
import type Koa from 'koa';
import { readForm } from '../http/read-form.ts';
import { derive, same } from './browser-secret.ts';

export const csrfField = 'csrf';

/** The token in a form: it follows from the session's secret, which no other page can read, and the secret does not follow from it. */
export const csrfToken = (secret: string): string => derive(secret, 'csrf');

/** A form that did not come from one of our pages. */
export class ForeignForm extends Error {
  override readonly name = 'ForeignForm';
}

/** Reads a form. `secret` is what its token was derived from, undefined if the browser has none. Throws a ForeignForm. */
export async function ownForm(ctx: Koa.Context, origin: string, secret: string | undefined): Promise<URLSearchParams> {
  if (!fromOwnPage(ctx, origin)) throw new ForeignForm();
  const form = await readForm(ctx);
  if (!secret || !same(form.get(csrfField) ?? '', csrfToken(secret))) throw new ForeignForm();
  return form;
}

/** Every browser sends Origin with a form; those that do not, say at least that it came from the same origin. */
function fromOwnPage(ctx: Koa.Context, origin: string): boolean {
  const given = ctx.get('Origin');
  const site = ctx.get('Sec-Fetch-Site');
  if (site && site !== 'same-origin') return false;
  return given ? given === origin : site === 'same-origin';
}
