// The header Retry-After of an answer that can be asked for again.
import type Koa from 'koa';
import type { Failure, Refusal } from '../db/errors.ts';
import { retryAfter } from '../db/retry-after.ts';

/** Sets the header, and returns the seconds. */
export function setRetryAfter(ctx: Koa.Context, error: Refusal | Failure): number | undefined {
  const seconds = retryAfter(error);
  if (seconds !== undefined) ctx.set('Retry-After', String(seconds));
  return seconds;
}
