// How often one address may read. Protocol 10.2; draft-ietf-httpapi-ratelimit-headers.
import { describe, expect, test } from 'vitest';
import { AddressLimit, addressOf } from '../../src/http/address-limit.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { words } from '../support/doors/words.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();
const web = useWebDoor(hill, undefined, { HILL_LIMIT_READS: '12/600', HILL_PROXIES: '1' });

test('is told with every answer; over it is a 429 that says when to come again, for that address alone', async () => {
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
  const left: number[] = [];
  for (let n = 0; n < 12; n++) {
    // from the router and from what it kept, found or not
    const answer = await web.get(['/api/rules', '/api/rules', '/api/nothing'][n % 3] as string, from('203.0.113.7'));
    expect(answer.headers.get('ratelimit-policy')).toBe('"reading";q=12;w=600');
    const [, r, t] = /^"reading";r=(\d+);t=(\d+)$/.exec(answer.headers.get('ratelimit') ?? '') ?? [];
    expect(Number(t)).toBeLessThanOrEqual(600);
    left.push(Number(r));
    expect([200, 404]).toContain(answer.status);
  }
  expect(left).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);

  const preflight = {
    method: 'OPTIONS',
    headers: { ...from('203.0.113.7').headers, Origin: 'https://elsewhere.example' },
  };
  expect((await web.get('/api/rules', preflight)).status).toBe(204); // not a read
  for (const path of ['/api/rules', '/api/hill', '/openapi.json']) {
    const over = await web.get(path, from('203.0.113.7'));
    expect([over.status, over.headers.get('content-type')]).toEqual([429, 'application/problem+json']);
    const seconds = Number(over.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(over.headers.get('ratelimit')).toBe(`"reading";r=0;t=${seconds}`);
    expect(over.headers.get('cache-control')).toBe('no-store');
    expect(over.headers.get('access-control-allow-origin')).toBe('*');
    expect(await over.json()).toMatchObject({
      code: 'rate_limited',
      status: 429,
      retry_after_seconds: seconds,
      hint: expect.any(String),
    });
  }
  expect((await web.get('/api/rules', from('203.0.113.8'))).status).toBe(200);
  expect((await web.get('/', from('203.0.113.7'))).status).toBe(200); // pages are counted apart
});

test('pages that have to be made are as many; those from memory are not counted', async () => {
  const from = (address: string, accept = '*/*') => ({ headers: { 'X-Forwarded-For': address, Accept: accept } });
  const statuses: number[] = [];
  for (let n = 0; n < 14; n++) statuses.push((await web.get(`/identity/nobody-${n}`, from('203.0.113.9'))).status);
  expect(statuses).toEqual([...Array(12).fill(404), 429, 429]);

  const program = await web.get('/go/nobody', from('203.0.113.9'));
  expect([program.status, program.headers.get('content-type')]).toEqual([429, 'application/problem+json']);
  const seconds = Number(program.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(await program.json()).toMatchObject({ code: 'rate_limited', retry_after_seconds: seconds });
  const browser = await web.get('/identity/nobody', from('203.0.113.9', 'text/html'));
  expect([browser.status, browser.headers.get('cache-control'), browser.headers.get('content-type')]).toEqual([
    429,
    'no-store',
    'text/html; charset=utf-8',
  ]);
  expect(Number(browser.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(words(await browser.text())).toMatch(/Too many requests .* Try again in \d+ (seconds?|minutes)\./);

  expect((await web.get('/api/rules', from('203.0.113.9'))).status).toBe(200);
  await web.get('/rules', from('203.0.113.10')); // made by somebody else
  expect((await web.get('/rules', from('203.0.113.9'))).status).toBe(200);
});

describe('counting', () => {
  test('begins anew with each window, and does not count what it refuses', () => {
    const limit = new AddressLimit('reading', { atMost: 2, seconds: 10 });
    const take = (address: string, ms: number) => limit.take(address, ms).retryAfterSeconds;
    expect([take('a', 0), take('a', 1_000), take('a', 2_000), take('b', 2_000), take('a', 9_001)]).toEqual([
      0, 0, 8, 0, 1,
    ]);
    expect([take('a', 10_000), take('a', 10_001), take('a', 10_002)]).toEqual([0, 0, 10]);
  });

  test('never tells more seconds than a window has, however long the process has run', () => {
    const limit = new AddressLimit('reading', { atMost: 1, seconds: 600 });
    // in numbers of floating point, a window less this is more than 599.9 seconds and tells 601 when it is rounded
    // twice
    const at = 600_000.900386175;
    expect([limit.take('a', at), limit.take('a', at)].map(({ rateLimit }) => rateLimit)).toEqual([
      '"reading";r=0;t=600',
      '"reading";r=0;t=600',
    ]);
  });

  test('takes a household for one, and believes as many proxies as there are', () => {
    const limit = new AddressLimit('reading', { atMost: 1, seconds: 10 });
    expect(
      [limit.take('2001:db8::1', 0), limit.take('2001:db8::2', 0)].map(({ retryAfterSeconds }) => retryAfterSeconds),
    ).toEqual([0, 10]);
    const asked = (forwarded: string | undefined, proxies: number) =>
      addressOf({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '10.0.0.1' } } as never, proxies);
    expect(asked('1.1.1.1, 2.2.2.2', 0)).toBe('10.0.0.1');
    expect(asked('1.1.1.1, 2.2.2.2', 1)).toBe('2.2.2.2');
    expect(asked('1.1.1.1, 2.2.2.2', 2)).toBe('1.1.1.1');
    expect(asked('1.1.1.1', 3)).toBe('1.1.1.1');
    expect(asked(undefined, 1)).toBe('10.0.0.1');
  });
});
