// http/retry-after.ts · how long a caller should wait before trying again, for every door.
import type Koa from 'koa';
import type { Failure, Refusal } from '../db/errors.ts';
import { rule } from '../db/rules.ts';

/** For whatever is unavailable and does not say for how long. */
export const retrySeconds = rule('retry_seconds');

/** Undefined if waiting would not help. */
export function retryAfter({ status, detail }: Refusal | Failure): number | undefined {
  return (detail.retry_after_seconds as number | undefined) ?? (status === 503 ? retrySeconds : undefined);
}

/** Sets the header, and returns the seconds. */
export function setRetryAfter(ctx: Koa.Context, error: Refusal | Failure): number | undefined {
  const seconds = retryAfter(error);
  if (seconds !== undefined) ctx.set('Retry-After', String(seconds));
  return seconds;
}
