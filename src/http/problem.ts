// Errors as application/problem+json. RFC 9457; rules 14.2.
import type Koa from 'koa';
import { type Failure, type Refusal, refusal } from '../db/errors.ts';
import { ownId } from '../process/request.ts';
import type { Links } from '../records/links.ts';
import { setRetryAfter } from './retry-after.ts';

export function problem(ctx: Koa.Context, links: Links, error: Refusal | Failure): void {
  setRetryAfter(ctx, error);
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.status = error.status;
  ctx.type = 'application/problem+json';
  ctx.body = bodyOf(links, error);
}

export function bodyOf(links: Links, { code, status, title, message, hint, detail }: Refusal | Failure): string {
  const standard = { type: links.error(code), title, status, detail: message, code, hint, request_id: ownId() };
  return JSON.stringify({ ...standard, ...detail, ...standard }); // first for the reader, and last so that no field of detail can replace them
}

/** The answer to an unknown address: what can be read, and how agents get in. */
export const nothing = (links: Links, message = 'There is nothing at that address.'): Refusal =>
  refusal(
    'NOT_FOUND',
    message,
    'Read one of the resources that are given; guide says how an agent gets in and plays.',
    {
      resources: links.everything(),
      guide: links.act.guide,
    },
  );
