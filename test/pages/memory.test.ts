// The pages from memory: the same rules as for the reading, with the fields of pages. Rules 10.11.
import { beforeAll, describe, expect, test } from 'vitest';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { useHill } from '../support/hill/index.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const web = useWebDoor(hill);
let cast: Cast;
beforeAll(async () => {
  cast = await aLivelyNight(hill);
});

/** An answer from memory has no request id: nothing is logged of it. */
const passing = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'x-request-id'];
const fieldsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => !passing.includes(name)));
const text = async (path: string) => (await web.get(path)).text();

/** While nobody can read it: whatever is answered comes from memory. */
const withoutDatabase = async (use: () => Promise<void>) =>
  hill.asRoot(async (root) => {
    await root.query('begin; lock table hill.settings in access exclusive mode');
    try {
      await use();
    } finally {
      await root.query('rollback');
    }
  });
/** Changes something as nobody does who is bound by triggers: nothing tells of it. */
const silently = (statement: string) =>
  hill.asRoot(async (root) => {
    await root.query("set session_replication_role = 'replica'");
    await root.query(statement);
  });

describe('a page from memory', () => {
  test.each(['/rules', '/boards/points', '/day/1'])(
    '%s has the fields that it had when it was made, and none of the data',
    async (path) => {
      const made = await web.get(path);
      const fields = fieldsOf(made);
      await made.text();
      expect(fields).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-/),
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=2, must-revalidate',
        vary: 'Accept-Encoding',
        'access-control-allow-origin': '*',
      });
      expect(Object.keys(fields).filter((name) => /ratelimit|set-cookie/.test(name))).toEqual([]);
      await withoutDatabase(async () => {
        const again = await web.get(path);
        expect(fieldsOf(again)).toEqual(fields);
        const head = await web.get(path, { method: 'HEAD' });
        expect(fieldsOf(head)).toEqual(fields);
        const known = await web.get(path, { headers: { 'If-None-Match': fields.etag as string } });
        expect(known.status).toBe(304);
        for (const name of ['content-security-policy', 'referrer-policy', 'cache-control', 'etag', 'vary'])
          expect([name, known.headers.get(name)]).toEqual([name, fields[name]]);
      });
    },
  );

  test('is one, whatever else stands in its address', async () => {
    const etag = (await web.get('/boards/points')).headers.get('etag');
    await web.get('/boards/points?cursor=1.2');
    await withoutDatabase(async () => {
      for (const query of ['?', '?utm_source=somewhere', '?limit=3', '?cursor=1.2&cursor=1.3'])
        expect([query, (await web.get(`/boards/points${query}`)).headers.get('etag')]).toEqual([query, etag]);
      expect((await web.get('/boards/points?junk=1&cursor=1.2')).status).toBe(200);
      expect((await web.get('/rules/?junk')).status).toBe(200);
      expect((await web.get('/day/01')).status).toBe(200);
    });
  });

  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('for "%s" is %s', async (asked, coding) => {
    const answer = await web.get('/rules', { headers: { 'Accept-Encoding': asked } });
    expect(answer.headers.get('content-encoding')).toBe(coding);
    expect(await answer.text()).toContain('<h1>The rules</h1>');
  });

  test('is not what a program gets, nor the other way round', async () => {
    for (const path of ['/api/day/1', '/day/1', '/api/day/1', '/day/1'])
      expect([path, (await web.get(path, { headers: { Accept: '*/*' } })).headers.get('content-type')]).toEqual([
        path,
        path.startsWith('/api') ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
      ]);
  });
});

describe('a change', () => {
  test('of what is announced is seen at once', async () => {
    await text('/');
    await text('/identity/eve');
    await hill.asAgent(cast.eve).announce({ slot: 9, intention: 'WAR', message: 'Hear me' });
    expect(await text('/')).toContain('Hear me');
    expect(await text('/identity/eve')).toContain('Hear me');
  });

  test('of a name reaches the first page, the boards and its own page', async () => {
    for (const path of ['/', '/boards/wall', '/identity/dan']) await text(path);
    await hill.root.query("update hill.accounts set name = 'Dan the Second' where slug = 'dan'");
    for (const path of ['/', '/boards/wall', '/identity/dan']) expect(await text(path)).toContain('Dan the Second');
  });

  test('of the clock reaches the countdown', async () => {
    await hill.clock.at('10:00');
    expect(await text('/')).toContain('the bell rings in');
    await hill.clock.at('18:00');
    expect(await text('/')).toMatch(/data-left="21600"/);
  });

  test('that nobody was told of is on the first page a second later', async () => {
    let n = 0;
    await until('it was kept', async () => {
      await text('/');
      const name = `Ann ${++n}`;
      await silently(`update hill.accounts set name = '${name}' where slug = 'ann'`);
      return !(await text('/')).includes(name);
    });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await text('/')).toContain(`Ann ${n}`);
  });
});

test('on a clock that runs faster than its readers the first page is made for each', async () => {
  await hill.asRoot((root) => root.query("select api_worker.set_clock('2026-03-02T19:00:00Z', 60)"));
  const first = await web.get('/');
  expect([first.headers.get('cache-control'), first.headers.get('etag')]).toEqual(['no-cache', null]);
  const left = (page: string) => Number(/data-left="([\d.]+)"/.exec(page)?.[1]);
  const before = left(await first.text());
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(left(await text('/'))).toBeLessThan(before - 5);
});

test('a night of another day is another page, and one that is not resolved is not kept', async () => {
  expect((await web.get('/day/2')).status).toBe(404);
  expect(await text('/day/1')).not.toContain('href="/day/2"');
  await hill.clock.ringBell();
  expect((await web.get('/day/2')).status).toBe(200);
  expect(await text('/day/1')).toContain('rel="next" href="/day/2"');
});
