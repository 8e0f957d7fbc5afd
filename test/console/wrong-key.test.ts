// Guessing at the staff key: answered slowly, and after five tries in a minute not at all.
import { describe, expect, test } from 'vitest';
import { Attempts } from '../../src/console/attempts.ts';
import { useConsole } from '../support/doors/console.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();
const staff = useConsole(hill);

const tryKey = async (key: string) => {
  const started = performance.now();
  const response = await staff.fetch('/sign-in', { method: 'POST', body: new URLSearchParams({ key, name: 'Sam' }) });
  return {
    status: response.status,
    retryAfter: Number(response.headers.get('retry-after')),
    cookies: response.headers.getSetCookie(),
    ms: performance.now() - started,
  };
};

test('a wrong key is answered slowly, and the sixth in a minute not at all, even if they come at once', async () => {
  expect((await tryKey(staff.key)).status).toBe(303);

  const wrong = await Promise.all(
    ['', 'wrong', staff.key.slice(1), `${staff.key}x`, staff.key.toLowerCase()].map(tryKey),
  );
  for (const { status, ms, cookies } of wrong) {
    expect(status).toBe(401);
    expect(cookies).toEqual([]);
    expect(ms).toBeGreaterThan(990);
  }

  const sixth = await tryKey(staff.key);
  expect(sixth).toMatchObject({ status: 429, cookies: [] });
  expect(sixth.retryAfter).toBeGreaterThan(50);
  expect(sixth.retryAfter).toBeLessThanOrEqual(60);
  expect(await hill.rows('select staff_name from oauth.staff_sessions')).toHaveLength(1);
});

describe('tries', () => {
  test('are given back as the minute passes, one by one', () => {
    let now = 0;
    const attempts = new Attempts(() => now);
    for (now = 0; now < 50_000; now += 10_000) {
      expect(attempts.wait()).toBe(0);
      attempts.begin();
    }
    expect(attempts.wait()).toBe(10);
    now = 59_999;
    expect(attempts.wait()).toBe(1);
    now = 60_000;
    expect(attempts.wait()).toBe(0);
    attempts.begin();
    expect(attempts.wait()).toBe(10);
  });

  test('that succeed are not counted', () => {
    const attempts = new Attempts(() => 0);
    for (let i = 0; i < 20; i += 1) {
      expect(attempts.wait()).toBe(0);
      attempts.begin()();
    }
  });
});
