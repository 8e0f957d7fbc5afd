// How long a reader may keep an answer, by the hill's own clock. Rules 10.11.
import type { Clock } from '../db/call.ts';

/**
 * What an answer shows, and so what changes it: the hill, the boards, the rules, tournaments or counters of today, a
 * night that is over, or the list of nights with their files. For pages also: the first page, which tells the time, and
 * the page of a night, which links to the next one. Icons and archives have the hash of their bytes in their addresses;
 * so have engines, and tiles of the log never change. `log` is its last checkpoint.
 */
export type Follows =
  | 'hill'
  | 'boards'
  | 'rules'
  | 'tournaments'
  | 'counters'
  | 'past'
  | 'days'
  | 'front'
  | 'nights'
  | 'icons'
  | 'archives'
  | 'log';

const hillSeconds = 2;
/**
 * For what changes between bells. The first page is kept for one second here and one by others, so that its countdown
 * is at most 2 s late.
 */
const mostSeconds: Readonly<Partial<Record<Follows, number>>> = {
  ...{ hill: hillSeconds, tournaments: hillSeconds, counters: hillSeconds },
  // the files of the last night are made some time after its bell
  ...{ front: hillSeconds / 2, days: 60, log: hillSeconds },
};
/**
 * What has the hash of its bytes in its address never changes, but may be taken away: then shared caches should not
 * serve it for much longer.
 */
const aWeek = 604_800;
/** In memory nights that are over stay as they are, until something is taken out of them. */
const forGood = Number.POSITIVE_INFINITY;
const dayInSeconds = 86_400;

/** The value of Cache-Control, `elapsed` real seconds after the clock was read. */
export function cacheControl(follows: Follows, clock: Clock, elapsed = 0): string {
  if (follows === 'past') return `public, max-age=${secondsToNextBell(clock, elapsed)}, must-revalidate`;
  // days of a simulated hill are short, and hills are made anew at the same address
  if (isHashed(follows) && !clock.simulated) return `public, max-age=${aWeek}, immutable`;
  const seconds = secondsToKeep(follows, clock, elapsed);
  return seconds > 0 ? `public, max-age=${seconds}, must-revalidate` : 'no-cache';
}

/**
 * For nights that are over: other caches ask again once a day, in case something was taken out of them. What was built
 * on an earlier day goes by its clock too.
 */
function secondsToNextBell({ seconds_to_bell, simulated }: Clock, elapsed: number): number {
  if (simulated || seconds_to_bell === null) return hillSeconds;
  const left = (seconds_to_bell - elapsed) % dayInSeconds;
  return Math.max(1, Math.floor((left < 0 ? left + dayInSeconds : left) - 1));
}

const isHashed = (follows: Follows) => follows === 'icons' || follows === 'archives';

/** 0: it may not be kept. */
export function secondsToKeep(follows: Follows, clock: Clock, elapsed = 0): number {
  if (follows === 'past') return forGood;
  if (isHashed(follows)) return clock.simulated ? hillSeconds : aWeek;
  const published = clock.last_night >= clock.day - 1;
  const left = (clock.seconds_to_bell ?? Number.POSITIVE_INFINITY) - elapsed;
  // The bell is near, or has rung and its night is not published yet. Boards come a moment after their night.
  if (!published || left <= hillSeconds) return 0;
  if (follows === 'boards' && clock.boards_night < clock.last_night) return 0;
  // On a clock that is faster than the reader's, the time on the page is outdated at once.
  if (follows === 'front' && clock.rate > 1) return 0;
  // Shared caches count in whole seconds, and nginx serves what may be kept for 2 s for nearly 3. So this is a second
  // less than what is left.
  const untilBell = Math.floor(left - 1);
  // A simulated clock can be moved on at any moment.
  return Math.min(mostSeconds[follows] ?? untilBell, clock.simulated ? hillSeconds : untilBell, untilBell);
}

/** The changes that the database announces: those of sql/reading/changes.sql, the bell and the boards. */
type Change =
  | 'night'
  | 'boards'
  | 'announcements'
  | 'identities'
  | 'counters'
  | 'sealed_count'
  | 'places'
  | 'clock'
  | 'tournaments'
  | 'closings'
  | 'archives'
  | 'log';

const hill: readonly Change[] = [
  'night',
  'boards',
  'announcements',
  'identities',
  'counters',
  'sealed_count',
  'places',
  'clock',
];
/**
 * The changes that outdate an answer early. A night that is over does not change, but that a closed account, or what
 * staff have hidden, is taken out of it.
 */
const untrueBy: Readonly<Record<Follows, readonly Change[]>> = {
  hill,
  front: hill,
  boards: ['night', 'boards', 'identities', 'clock'],
  rules: ['night', 'places', 'clock'],
  tournaments: ['night', 'boards', 'identities', 'tournaments', 'clock'],
  counters: ['identities', 'counters'],
  icons: ['identities'],
  nights: ['night', 'clock', 'closings'],
  days: ['night', 'clock', 'closings', 'archives'],
  past: ['closings'],
  archives: ['closings'],
  log: ['log', 'clock'],
};

export const untrue = (follows: Follows, change: string): boolean =>
  (untrueBy[follows] as readonly string[]).includes(change);
