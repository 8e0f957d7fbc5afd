// Reads the body of a form.
import type Koa from 'koa';
import { readBody } from './read-body.ts';

/**
 * `most` is in bytes: what a human types is short. Throws a Failure, or an error of Koa's with a message for the
 * client.
 */
export async function readForm(ctx: Koa.Context, most = 4_096): Promise<URLSearchParams> {
  if (!ctx.is('application/x-www-form-urlencoded'))
    ctx.throw(415, 'A form is sent as application/x-www-form-urlencoded.', { expose: true });
  return new URLSearchParams(await readBody(ctx.req, most));
}
