// The public reading as HTTP: validators, methods, errors, origins. Rules 10.2; RFC 9110, RFC 9457.
import { request } from 'node:http';
import net from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight } from '../support/hill/a-lively-night.ts';
import { useHill } from '../support/hill/index.ts';
import { springCup } from '../support/hill/spring-cup.ts';

const hill = useHill();
const web = useWebDoor(hill);
const live = useWebDoor(hill, undefined, {
  HILL_ENV: 'production',
  HILL_CLOCK: 'real',
  HILL_DAY_ONE: '2026-03-01',
  BASE_URL: 'https://hill.example',
  WEB_DATABASE_URL: 'postgres://hill.example/hill',
});
beforeAll(async () => {
  await aLivelyNight(hill);
  await springCup(hill);
});

const resources = [
  '/api/rules',
  '/api/hill',
  '/api/day/1',
  '/api/wall',
  '/api/leaderboard/hill',
  '/api/leaderboard/efficiency',
  '/api/tournaments',
  '/api/tournaments/spring-cup',
  '/api/counters?ids=ann,bob',
  '/openapi.json',
];

describe.each(resources)('%s', (path) => {
  test('is JSON, open to every origin, with a strong ETag', async () => {
    const answer = await web.get(path, { headers: { Origin: 'https://elsewhere.example' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]{20,}"$/);
    expect(answer.headers.get('cache-control')).toBeTruthy();
    expect(answer.headers.get('set-cookie')).toBeNull();
    await answer.json();
  });

  test('answers 304 without a body to whoever has it, and 200 to whoever has something else', async () => {
    const etag = (await web.get(path)).headers.get('etag') as string;
    for (const tag of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const again = await web.get(path, { headers: { 'If-None-Match': tag } });
      expect([tag, again.status]).toEqual([tag, 304]);
      expect(again.headers.get('etag')).toBe(etag);
      expect(again.headers.get('cache-control')).toBeTruthy();
      expect(await again.text()).toBe('');
    }
    expect((await web.get(path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  test('answers HEAD as it would GET', async () => {
    for (const coding of ['identity', 'gzip', 'br']) {
      const headers = { 'Accept-Encoding': coding };
      const get = await web.get(path, { headers });
      // once from the router and once from what it kept
      for (const head of [
        await web.get(path, { method: 'HEAD', headers }),
        await web.get(path, { method: 'HEAD', headers }),
      ]) {
        expect(head.status).toBe(200);
        for (const field of [
          'content-length',
          'content-encoding',
          'content-type',
          'etag',
          'vary',
          'access-control-allow-origin',
        ])
          expect([field, head.headers.get(field)]).toEqual([field, get.headers.get(field)]);
        expect(await head.text()).toBe('');
      }
      if (coding === 'identity')
        expect(get.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength));
    }
  });

  test('answers OPTIONS, also as a preflight', async () => {
    const answer = await web.get(path, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://elsewhere.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'if-none-match',
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    expect(answer.headers.get('access-control-allow-headers')).toBe('*');
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('refuses %s with the methods that it serves', async (method) => {
    const answer = await web.get(path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(await answer.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED', status: 405 });
  });
});

describe('an ETag', () => {
  test('is the same while nothing changes and another when something does', async () => {
    const tag = async () => (await web.get('/api/hill')).headers.get('etag');
    const before = await tag();
    await hill.clock.tick(60_000);
    expect(await tag()).toBe(before);
    await hill.root.query("update hill.accounts set verified = true where slug = 'ann'");
    expect(await tag()).not.toBe(before);
  });
});

describe('problems', () => {
  test.each([
    ['/api/day/77', 404, 'DAY_NOT_RESOLVED'],
    ['/api/day/x', 400, 'INVALID_ARGUMENT'],
    ['/api/day/1?limit=0', 400, 'INVALID_ARGUMENT'],
    ['/api/nothing', 404, 'NOT_FOUND'],
    ['/api/hill/', 404, 'NOT_FOUND'],
    ['/api', 404, 'NOT_FOUND'],
    ['/api/day/%E0%A4', 400, 'INVALID_ARGUMENT'],
  ])('%s is a problem of RFC 9457 with its code', async (path, status, code) => {
    const answer = await web.get(path);

    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const body = (await answer.json()) as Record<string, unknown>;
    expect(body).toMatchObject({
      code,
      status,
      title: expect.any(String),
      detail: expect.any(String),
      hint: expect.any(String),
    });
    // the type is an address at which the code is explained
    const type = new URL(body.type as string);
    expect(type.hash).toBe(`#${code}`);
    expect(await (await web.get(type.pathname)).text()).toContain(`id="${code}"`);
  });

  test('an unknown path is told what exists, and that is true', async () => {
    const { resources: given, guide } = (await (await web.get('/api/nothing')).json()) as {
      resources: { href: string }[];
      guide: string;
    };
    expect((await web.get(new URL(guide).pathname)).status).toBe(200);
    expect(given.map(({ href }) => new URL(href).pathname)).toEqual([
      '/api/rules',
      '/api/hill',
      '/api/announcements',
      '/api/days',
      '/api/wall',
      '/api/leaderboard/hill',
      '/api/leaderboard/efficiency',
      '/api/tournaments',
      '/api/day/%7Bn%7D',
      '/api/tournaments/%7Bslug%7D',
      '/api/identity/%7Bslug%7D',
      '/api/identities',
      '/api/counters',
      '/api/day/%7Bn%7D/night.json',
      '/api/events',
      '/nights.atom',
      '/tournaments.ics',
      '/api/status',
      '/openapi.json',
    ]);
  });

  test('scripts of other origins may read that, too: the preflight of an unknown path succeeds', async () => {
    for (const path of ['/api/nothing', '/api/hill/', '/api']) {
      const answer = await web.get(path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'GET' },
      });
      expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 204, 'GET, HEAD, OPTIONS']);
      expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    }
    expect((await web.get('/api/nothing', { method: 'POST' })).status).toBe(404);
  });

  test('a slug is a name in any case; who has none is told where they are', async () => {
    const [lower, upper] = [await web.get('/api/identity/ann'), await web.get('/api/identity/ANN')];
    expect([upper.status, upper.headers.get('etag')]).toEqual([200, lower.headers.get('etag')]);
    expect((await web.get('/api/tournaments/Spring-Cup')).status).toBe(200);
    const nobody = (await (await web.get('/api/identity/nobody')).json()) as { detail: string };
    expect(nobody).toMatchObject({ code: 'NOT_FOUND', argument: 'slug' });
    const [named] = /\/api\/[\w/]+/.exec(nobody.detail) as RegExpExecArray;
    expect((await web.get(named)).status).toBe(200);
  });

  test.each([
    [
      '/api/leaderboard/hill?limt=5',
      'Unknown parameter `limt`. Did you mean `limit`?',
      { argument: 'limt', parameters: ['limit', 'cursor', 'day'] },
    ],
    ['/api/day/1?LIMIT=5', 'Unknown parameter `LIMIT`. Did you mean `limit`?', { argument: 'LIMIT' }],
    ['/api/tournaments/spring-cup?curs=5', 'Unknown parameter `curs`. Did you mean `cursor`?', {}],
    ['/api/counters?id=ann', 'Unknown parameter `id`. Did you mean `ids`?', {}],
    [
      '/api/hill?utm_source=x',
      'Unknown parameter `utm_source`.',
      { hint: 'This address takes no parameters: leave it out.' },
    ],
    ['/api/day/1/night.json?n=2', 'Unknown parameter `n`.', {}],
    ['/api/hill?%3Cscript%3E=1', 'Unknown parameter.', {}],
    ['/api/day/1?__proto__=1', 'Unknown parameter `__proto__`.', {}],
    ['/api/day/x', 'n is not a whole number.', { argument: 'n' }],
    ['/api/day/1?limit=0', 'limit is out of bounds.', { argument: 'limit', minimum: 1, maximum: 1000 }],
    ['/api/day/1?limit=1&limit=2', 'limit is given more than once.', { argument: 'limit' }],
    ['/api/day/1?cursor=%20', 'cursor is not a cursor.', { argument: 'cursor' }],
    ['/api/counters', 'ids is missing.', { argument: 'ids' }],
    ['/api/identity/a%20b', 'slug is not a slug.', { argument: 'slug' }],
  ])('%s is told what is wrong with it', async (path, detail, more) => {
    const answer = await web.get(path);
    expect([path, answer.status]).toEqual([path, 400]);
    expect(await answer.json()).toMatchObject({ code: 'INVALID_ARGUMENT', detail, ...more });
  });

  test('every address of the public reading refuses what it does not know; pages and documents let it be', async () => {
    for (const path of resources.filter((one) => one.startsWith('/api/')))
      expect([path, (await web.get(`${path}${path.includes('?') ? '&' : '?'}fbclid=1`)).status]).toEqual([path, 400]);
    for (const path of [
      '/?fbclid=1',
      '/day/1?utm_source=x',
      '/identity/ann?fbclid=1',
      '/boards/points?utm_medium=y',
      '/openapi.json?v=2',
    ])
      expect([path, (await web.get(path)).status]).toEqual([path, 200]);
  });

  test('nothing that was sent comes back', async () => {
    const answer = await web.get('/api/day/zebra?limit=giraffe&cursor=%3Cscript%3E');
    expect(await answer.text()).not.toMatch(/zebra|giraffe|script/);
  });
});

describe('links', () => {
  test('of every record lead somewhere', async () => {
    const hrefs = new Set<string>();
    for (const path of resources.slice(0, -2)) {
      const { _docs, _next } = await web.read<{ _docs: Record<string, string>; _next: { href: string }[] }>(path);
      for (const href of [...Object.values(_docs), ..._next.map((next) => next.href)]) hrefs.add(href);
    }
    const { randomness } = await web.read<{ randomness: { verifiable: string } }>('/api/rules');
    hrefs.add(randomness.verifiable);
    expect(hrefs.size).toBeGreaterThan(10);
    for (const href of hrefs) {
      const { pathname, search, hash } = new URL(href);
      const answer = await web.get(pathname + search);
      expect([href, answer.status]).toEqual([href, 200]);
      const body = await answer.text();
      if (hash) expect(body).toContain(`id="${hash.slice(1)}"`);
    }
  });
});

describe('a database that does not answer', () => {
  const dark = useWebDoor(hill, () => Object.assign(new URL(hill.url('web')), { port: '1' }).href);

  test('is a 503 that says when to come again, and nothing else', async () => {
    const answer = await dark.get('/api/hill');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ code: 'UNAVAILABLE', status: 503 });
    expect(text).not.toMatch(/ECONN|127\.0\.0\.1:1\b|postgres|password/);
  });
});

describe('the real clock', () => {
  const real = useHill();
  const door = useWebDoor(real);
  beforeAll(async () => {
    await real.root.query(
      "update hill.settings set clock = 'real', shown_at = null, set_at = null, rate = null, day_one = (now() at time zone 'UTC')::date - 2",
    );
    for (let night = 1; night <= 2; night++) await real.asWorker().ringNextBell();
  });
  const keeps = async (path: string) => (await door.get(path)).headers.get('cache-control') ?? '';
  const secondsToMidnight = () => 86_400 - ((Date.now() / 1000) % 86_400);

  test('lets boards and rules be kept until the bell, the hill for 2 seconds, a past day until the bell too', async () => {
    expect(await keeps('/api/wall')).toBe('no-cache'); // the night is published, its boards are not built
    await real.asWorker().buildBoards();
    for (const path of [
      '/api/day/2',
      '/api/rules',
      '/api/wall',
      '/api/leaderboard/hill',
      '/api/leaderboard/efficiency',
    ]) {
      const seconds = Number(/^public, max-age=(\d+), must-revalidate$/.exec(await keeps(path))?.[1]);
      expect(Math.abs(seconds - secondsToMidnight())).toBeLessThan(5);
    }
    expect(await keeps('/api/hill')).toBe('public, max-age=2, must-revalidate');
  });

  test('lets nothing of today be kept while a bell is overdue', async () => {
    await real.root.query('update hill.settings set day_one = day_one - 1');
    for (const path of resources.slice(0, 2)) expect(await keeps(path)).toBe('no-cache');
    expect(await keeps('/api/wall')).toBe('no-cache');
  });
});

test('a header that is no text does no harm', async () => {
  const status = await new Promise((resolve, reject) => {
    const { hostname, port } = new URL(web.baseUrl);
    request({ hostname, port, path: '/api/hill', headers: { 'If-None-Match': '\u00ff"' } }, (answer) =>
      resolve(answer.resume().statusCode),
    )
      .on('error', reject)
      .end();
  });
  expect(status).toBe(200);
});

describe('what is no request', () => {
  /** All that comes back for what is sent. */
  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(web.baseUrl);
      let heard = '';
      const socket = net.connect(Number(port), hostname, () => socket.write(text));
      socket
        .on('data', (data) => (heard += data))
        .on('close', () => resolve(heard))
        .on('error', reject);
    });

  test.each([
    [
      'an address that is too long',
      `GET /api/counters?ids=${'x'.repeat(40_000)} HTTP/1.1\r\nHost: hill\r\n\r\n`,
      431,
      'REQUEST_TOO_LONG',
    ],
    ['a method that nobody knows', 'JUMP /api/hill HTTP/1.1\r\nHost: hill\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    ['anything else', '\u0000\u0001\r\n\r\n', 400, 'MALFORMED_REQUEST'],
  ])('%s is a problem like any other', async (_, text, status, code) => {
    const answer = await raw(text);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toContain('Content-Type: application/problem+json');
    expect(head).toContain('Cache-Control: no-store');
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
    const problem = JSON.parse(body) as { type: string };
    expect(problem).toMatchObject({ status, code, hint: expect.any(String) });
    expect(await (await web.get('/errors')).text()).toContain(`id="${new URL(problem.type).hash.slice(1)}"`);
  });

  test('is not waited for: the connection is gone a second later, though its other side stays open', async () => {
    const { hostname, port } = new URL(web.baseUrl);
    const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () =>
      socket.write('nonsense\r\n\r\n'),
    );
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    let gone = false;
    socket.resume().on('error', () => {
      gone = true;
    });
    await wait(1_500);
    // the first is answered with a reset, which the second meets; were the connection open, somebody would have read
    // the first
    socket.write('more');
    await wait(200);
    socket.write('more');
    await wait(200);
    socket.destroy();
    expect(gone).toBe(true);
  });

  test('after a request is not taken for a part of its answer', async () => {
    const { pathname } = new URL('/api/day/1?format=ndjson', web.baseUrl);
    const good = `GET ${pathname}?format=ndjson HTTP/1.1\r\nHost: hill\r\n\r\n`;
    const alone = await raw(`${good.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`);
    const followed = await raw(`${good}\u0000\u0001\r\n\r\n`);
    const lines = (text: string) => text.split('\n').filter((line) => line.startsWith('{"'));
    for (const line of lines(followed).filter((one) => !one.includes('MALFORMED_REQUEST')))
      expect(lines(alone)).toContain(line);
    expect(followed.split('HTTP/1.1 ').length).toBeLessThanOrEqual(2);
  });
});

test('in production every answer tells browsers to come back by TLS only, from the router, from memory and from the play interface', async () => {
  for (const path of ['/api/rules', '/api/rules', '/', '/', '/mcp', '/sign-in', '/healthz'])
    expect([path, (await live.get(path)).headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000']);
  expect((await web.get('/')).headers.get('strict-transport-security')).toBeNull();
});
