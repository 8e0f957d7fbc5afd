// How long an answer may be kept. Rules 10.11.
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/db/call.ts';
import { cacheControl, type Follows } from '../../src/http/freshness.ts';

const day9: Clock = {
  now: '2026-03-09T10:00:00.000000Z',
  day: 9,
  last_night: 8,
  boards_night: 8,
  next_bell_at: '2026-03-10T00:00:00.000000Z',
  simulated: false,
  rate: 1,
  seconds_to_bell: 50_400.7,
};
const today: Follows[] = ['hill', 'boards', 'rules', 'nights', 'front'];

describe('Cache-Control', () => {
  test('the hill: 2 seconds, then ask again; never stale-while-revalidate', () => {
    expect(cacheControl('hill', day9)).toBe('public, max-age=2, must-revalidate');
  });

  test('boards and rules: until a second before the bell, for caches that count in whole seconds', () => {
    expect(cacheControl('boards', day9)).toBe('public, max-age=50399, must-revalidate');
    expect(cacheControl('rules', day9)).toBe('public, max-age=50399, must-revalidate');
  });

  test('the hill: in the third second before midnight for one second', () => {
    expect(cacheControl('hill', { ...day9, seconds_to_bell: 3.01 })).toBe('public, max-age=2, must-revalidate');
    expect(cacheControl('hill', { ...day9, seconds_to_bell: 2.99 })).toBe('public, max-age=1, must-revalidate');
    expect(cacheControl('hill', { ...day9, seconds_to_bell: 10 }, 7.5)).toBe('public, max-age=1, must-revalidate');
    expect(cacheControl('hill', { ...day9, seconds_to_bell: 10 }, 8)).toBe('no-cache');
  });

  test('the first page, which counts down: a second here and a second there; not at all where the clock runs faster than its readers', () => {
    expect(cacheControl('front', day9)).toBe('public, max-age=1, must-revalidate');
    expect(cacheControl('front', { ...day9, simulated: true, rate: 0, seconds_to_bell: null })).toBe(
      'public, max-age=1, must-revalidate',
    );
    expect(cacheControl('front', { ...day9, simulated: true, rate: 1440, seconds_to_bell: 35 })).toBe('no-cache');
  });

  test('the page of a night: until the bell, after which it leads to the next night', () => {
    expect(cacheControl('nights', day9)).toBe('public, max-age=50399, must-revalidate');
    expect(cacheControl('nights', { ...day9, seconds_to_bell: 100.5 })).toBe('public, max-age=99, must-revalidate');
    expect(cacheControl('nights', { ...day9, boards_night: 7 })).toContain('max-age=50399');
  });

  test('the list of nights: a minute, since files of the last one come some time after its bell', () => {
    expect(cacheControl('days', day9)).toBe('public, max-age=60, must-revalidate');
    expect(cacheControl('days', { ...day9, simulated: true })).toBe('public, max-age=2, must-revalidate');
  });

  test.each(['icons', 'archives'] as const)(
    '%s, which are addressed by their hashes: a week, and immutable, but not on a simulated hill',
    (what) => {
      expect(cacheControl(what, day9)).toBe('public, max-age=604800, immutable');
      expect(cacheControl(what, { ...day9, simulated: true })).toBe('public, max-age=2, must-revalidate');
    },
  );

  test('a past day: until the next bell, by the clock of whatever day it was read on; for 2 seconds on a clock that can be moved', () => {
    const read = { ...day9, seconds_to_bell: 5_000.5 };
    expect(cacheControl('past', read)).toBe('public, max-age=4999, must-revalidate');
    expect(cacheControl('past', read, 4_999.9)).toBe('public, max-age=1, must-revalidate');
    expect(cacheControl('past', read, 5_100.5)).toBe('public, max-age=86299, must-revalidate');
    expect(cacheControl('past', read, 5_100.5 + 3 * 86_400)).toBe('public, max-age=86299, must-revalidate');
    expect(cacheControl('past', { ...read, simulated: true })).toBe('public, max-age=2, must-revalidate');
    expect(cacheControl('past', { ...read, seconds_to_bell: null })).toBe('public, max-age=2, must-revalidate');
  });

  test.each(today)('%s: not at all from 2 seconds before midnight', (follows) => {
    expect(cacheControl(follows, { ...day9, seconds_to_bell: 2.01 })).not.toBe('no-cache');
    for (const seconds_to_bell of [2, 1.5, 0, -1])
      expect(cacheControl(follows, { ...day9, seconds_to_bell })).toBe('no-cache');
  });

  test.each(today)('%s: not at all while the night is not published, however long that takes', (follows) => {
    const between = { ...day9, day: 10, seconds_to_bell: 86_000 };
    expect(cacheControl(follows, between)).toBe('no-cache');
    expect(cacheControl('past', between)).toBe('public, max-age=85999, must-revalidate');
  });

  test('boards: not before they have followed their night', () => {
    const behind = { ...day9, boards_night: 7 };
    expect(cacheControl('boards', behind)).toBe('no-cache');
    expect(cacheControl('hill', behind)).toContain('max-age=2');
  });

  test.each(today)(
    '%s: on a simulated clock, whose bell may be brought forward, no longer than 2 seconds',
    (follows) => {
      const kept = `public, max-age=${follows === 'front' ? 1 : 2}, must-revalidate`;
      expect(cacheControl(follows, { ...day9, simulated: true })).toBe(kept);
      expect(cacheControl(follows, { ...day9, simulated: true, rate: 0, seconds_to_bell: null })).toBe(kept);
    },
  );

  test('before day one nothing is being resolved', () => {
    expect(cacheControl('hill', { ...day9, day: 0, last_night: 0, boards_night: 0 })).toContain('max-age=2');
  });
});
