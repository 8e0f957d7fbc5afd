// http/freshness.ts · how long a reader may keep what was read, from the hill's own clock. Decisions 8.
import type { Clock } from '../db/call.ts';

/**
 * What the answer follows: the hill of today, the boards of the last night, the rules of today, tournaments and counters of today, a night that is over. And of
 * pages: the first one, which tells the time, and a night's, which leads to the next.
 */
export type Follows = 'hill' | 'boards' | 'rules' | 'tournaments' | 'counters' | 'past' | 'front' | 'nights';

const hillSeconds = 2;
/** What changes before the bell does. The first page is kept for a second here and a second by others, so that its countdown is 2 s late at most. */
const mostSeconds: Readonly<Partial<Record<Follows, number>>> = {
  ...{ hill: hillSeconds, tournaments: hillSeconds, counters: hillSeconds },
  ...{ front: hillSeconds / 2, nights: 300 },
};
const aYear = 31_536_000;

/** The value of Cache-Control, so many real seconds after the clock was read. */
export function cacheControl(follows: Follows, clock: Clock, elapsed = 0): string {
  if (follows === 'past') return `public, max-age=${aYear}, immutable`;
  const seconds = secondsToKeep(follows, clock, elapsed);
  return seconds > 0 ? `public, max-age=${seconds}, must-revalidate` : 'no-cache';
}

/** 0: it may not be kept at all. */
export function secondsToKeep(follows: Follows, clock: Clock, elapsed = 0): number {
  if (follows === 'past') return aYear;
  const published = clock.last_night >= clock.day - 1;
  const left = (clock.seconds_to_bell ?? Number.POSITIVE_INFINITY) - elapsed;
  // The bell is near, or has rung and nobody knows yet what it did; boards come a moment after their night.
  if (!published || left <= hillSeconds) return 0;
  if (follows === 'boards' && clock.boards_night < clock.last_night) return 0;
  // On a clock that runs faster than the reader's, the time that it tells is over at once.
  if (follows === 'front' && clock.rate > 1) return 0;
  // Shared caches count in whole seconds: what may be kept for 2 is served for nearly 3 (nginx). So a second less than is left.
  const untilBell = Math.floor(left - 1);
  // Somebody may bring the bell of a simulated clock forward at any moment.
  return Math.min(mostSeconds[follows] ?? untilBell, clock.simulated ? hillSeconds : untilBell, untilBell);
}

/** What the database tells of, when it changes: sql/reading/changes.sql, and the bell and the boards by themselves. */
type Change = 'night' | 'boards' | 'announcements' | 'identities' | 'counters' | 'sealed_count' | 'places' | 'clock' | 'tournaments';

const hill: readonly Change[] = ['night', 'boards', 'announcements', 'identities', 'counters', 'sealed_count', 'places', 'clock'];
/** What makes an answer untrue before its time. A night that is over stays as it was read; its page is told again once in a while, with the names of then. */
const untrueBy: Readonly<Record<Follows, readonly Change[]>> = {
  hill,
  front: hill,
  boards: ['night', 'boards', 'identities', 'clock'],
  rules: ['night', 'places', 'clock'],
  tournaments: ['night', 'boards', 'identities', 'tournaments', 'clock'],
  counters: ['identities', 'counters'],
  nights: ['night', 'clock'],
  past: [],
};

export const untrue = (follows: Follows, change: string): boolean => (untrueBy[follows] as readonly string[]).includes(change);
