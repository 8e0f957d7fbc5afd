// http/freshness.ts · how long a reader may keep what was read, from the hill's own clock. Decisions 8.
import type { Clock } from '../db/call.ts';

/** What the answer follows: the hill of today, the boards of the last night, the rules of today, a night that is over. */
export type Follows = 'hill' | 'boards' | 'rules' | 'past';

const hillSeconds = 2;
const aYear = 31_536_000;

/** The value of Cache-Control. */
export function cacheControl(follows: Follows, clock: Clock): string {
  if (follows === 'past') return `public, max-age=${aYear}, immutable`;
  const seconds = secondsToKeep(follows, clock);
  return seconds > 0 ? `public, max-age=${seconds}, must-revalidate` : 'no-cache';
}

function secondsToKeep(follows: Exclude<Follows, 'past'>, clock: Clock): number {
  const published = clock.last_night >= clock.day - 1;
  const left = clock.seconds_to_bell ?? Number.POSITIVE_INFINITY;
  // The bell is near, or has rung and nobody knows yet what it did; boards come a moment after their night.
  if (!published || left <= hillSeconds) return 0;
  if (follows === 'boards' && clock.boards_night < clock.last_night) return 0;
  // Somebody may bring the bell of a simulated clock forward at any moment.
  return follows === 'hill' || clock.simulated ? hillSeconds : Math.floor(left);
}
