// How long a caller should wait before trying again, for every door.
import type { Failure, Refusal } from './errors.ts';
import { rule } from './rules.ts';

/** For whatever is unavailable and does not say for how long. */
export const retrySeconds = rule('retry_seconds');

/** Undefined if waiting would not help. */
export function retryAfter({ status, detail }: Refusal | Failure): number | undefined {
  return (detail.retry_after_seconds as number | undefined) ?? (status === 503 ? retrySeconds : undefined);
}
