// What is counted of identities, over HTTP, and GET /api/counters. Rules 10.8.
import { beforeAll, describe, expect, test } from 'vitest';
import { makePool } from '../../src/db/pool.ts';
import { type Request, startCounters } from '../../src/http/counters.ts';
import { parseConfig } from '../../src/process/config.ts';
import { makeLog } from '../../src/process/log.ts';
import { startWeb } from '../../src/web/index.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { freePort } from '../support/ports.ts';

const hill = useHill();
const web = useWebDoor(hill);
let cast: Cast;
beforeAll(async () => {
  cast = await aLivelyNight(hill);
  await hill.root.query(
    "update hill.accounts set url = 'https://' || slug || '.example/' where slug in ('ann', 'bob')",
  );
});

const log = makeLog({ logLevel: 'error', logFormat: 'json' });
log.level = 'silent';
const browser = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' };
const crawler = { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' };

/** All that was counted, whatever is shown of it. */
const counted = async () =>
  Object.fromEntries(
    (
      await hill.rows<{ slug: string; views: number; clicks: number; agents: number }>(
        'select a.slug, c.views, c.clicks, c.agents from hill.identity_counters c join hill.accounts a on a.id = c.account_id order by 1',
      )
    ).map(({ slug, views, clicks, agents }) => [slug, [views, clicks, agents].map(Number)]),
  );
const forget = () => hill.root.query('delete from hill.identity_counters');

/** A web process of its own, and what it has counted when it was stopped. */
async function through(use: (get: (path: string, init?: RequestInit) => Promise<Response>) => Promise<unknown>) {
  const config = parseConfig({ PORT: String(await freePort()), HILL_SIGNING_SECRET: secret });
  const pool = makePool({ url: hill.url('web'), name: 'test counters', log });
  const process = await startWeb(config, pool, log);
  try {
    await use((path, init) => fetch(`http://127.0.0.1:${config.port}${path}`, { redirect: 'manual', ...init }));
  } finally {
    await process.stop();
    await pool.end();
  }
  return counted();
}

describe('/go/{slug}', () => {
  test('leads to the address of the account with 302, and counts the click', async () => {
    await forget();
    const clicks = await through(async (get) => {
      for (let i = 0; i < 3; i++) {
        const answer = await get('/go/ann', { headers: browser });
        expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://ann.example/']);
        expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow');
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
        expect(answer.headers.get('set-cookie')).toBeNull();
      }
      await get('/go/bob', { headers: browser });
    });
    expect(clicks).toEqual({ ann: [0, 3, 0], bob: [0, 1, 0] });
  });

  test('does not count bots that say so, HEAD, and browsers that fetch ahead; all are led on', async () => {
    await forget();
    const clicks = await through(async (get) => {
      for (const init of [
        { headers: crawler },
        { headers: { 'User-Agent': 'curl/8.5.0' } },
        { method: 'HEAD', headers: browser },
        { headers: { ...browser, 'Sec-Purpose': 'prefetch;prerender' } },
        { headers: { ...browser, Purpose: 'prefetch' } },
      ])
        expect((await get('/go/ann', init)).status).toBe(302);
    });
    expect(clicks).toEqual({});
  });

  test('is no open redirect: nothing of the request says where it leads', async () => {
    await forget();
    const clicks = await through(async (get) => {
      for (const path of ['/go/ann?url=https://evil.example', '/go/ann?to=//evil.example', '/go/ann#@evil.example'])
        expect((await get(path, { headers: { ...browser, Host: 'evil.example' } })).headers.get('location')).toBe(
          'https://ann.example/',
        );
      for (const path of [
        '/go/https:%2F%2Fevil.example',
        '/go/%2F%2Fevil.example',
        '/go/..%2Fann',
        '/go/nobody',
        '/go/',
        '/go/%00',
        '/go/%E0%A4',
      ]) {
        const answer = await get(path, { headers: browser });
        expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 404, null]);
      }
    });
    expect(Object.keys(clicks)).toEqual(['ann']);
  });

  test('says so where an account has no address, or one that no browser should follow', async () => {
    const answer = await web.get('/go/cid', { headers: browser, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([404, null]);
    expect(await answer.text()).toContain('Cid has not set an address');

    await hill.root.query('alter table hill.accounts drop constraint accounts_url_check');
    await hill.root.query("update hill.accounts set url = 'javascript:alert(1)' where slug = 'dan'");
    expect((await web.get('/go/dan', { headers: browser, redirect: 'manual' })).status).toBe(404);
  });
});

describe('the page of an identity', () => {
  test('counts views by people; not bots, not HEAD, not what a browser fetches ahead, and nothing where a slug has moved on', async () => {
    await forget();
    const views = await through(async (get) => {
      for (let i = 0; i < 4; i++) expect((await get('/identity/ann', { headers: browser })).status).toBe(200);
      for (const init of [
        { headers: crawler },
        { method: 'HEAD', headers: browser },
        { headers: { ...browser, 'Sec-Purpose': 'prefetch' } },
      ])
        expect((await get('/identity/ann', init)).status).toBe(200);
      for (const path of ['/identity/nobody', '/identity/%00', '/', '/boards/points'])
        await get(path, { headers: browser });
      expect((await get('/identity/%00', { headers: browser })).status).toBe(404);
    });
    expect(views).toEqual({ ann: [4, 0, 0] });
  });

  test('counts each view: from the memory, too, and also where nothing is new', async () => {
    await forget();
    const views = await through(async (get) => {
      const etag = (await get('/identity/bob', { headers: browser })).headers.get('etag') as string;
      for (let i = 0; i < 5; i++) {
        const again = await get('/identity/bob', { headers: { ...browser, 'If-None-Match': etag } });
        expect(again.status).toBe(304);
      }
      await get('/identity/bob?from=elsewhere', { headers: browser });
      await get('/identity/bob', { method: 'HEAD', headers: browser });
      await get('/identity/bob', { headers: { ...crawler, 'If-None-Match': etag } });
    });
    expect(views).toEqual({ bob: [7, 0, 0] });
  });

  test('as data counts as a read', async () => {
    await forget();
    expect(await through((get) => get('/api/identity/bob', { headers: crawler }))).toEqual({ bob: [0, 0, 1] });
  });
});

describe('reads by programs', () => {
  test('count for every identity that holds a place: from the memory, too, and also where nothing is new', async () => {
    await forget();
    const reads = await through(async (get) => {
      const etag = (await get('/api/hill')).headers.get('etag') as string;
      for (let i = 0; i < 9; i++) await get('/api/hill');
      expect((await get('/api/hill', { headers: { 'If-None-Match': etag } })).status).toBe(304);
      await get('/api/hill', { method: 'HEAD' });
      for (const path of ['/api/rules', '/api/wall', '/api/counters?ids=ann,bob', '/']) await get(path);
    });
    expect(reads).toEqual(Object.fromEntries(['ann', 'bob', 'cid', 'dan', 'eve'].map((slug) => [slug, [0, 0, 11]])));
  });

  test('show a minute later at most, and no sooner than they would make each answer another', async () => {
    await forget();
    const agents = async () => {
      const [ann] = await web.read<{ agents: number }[]>('/api/counters?ids=ann');
      return ann?.agents;
    };
    await through((get) => get('/api/hill'));
    await through((get) => get('/api/hill'));
    expect([await agents(), (await counted()).ann]).toEqual([0, [0, 0, 2]]);
    const [{ seconds } = { seconds: 0 }] = await hill.rows<{ seconds: number }>(
      'select extract(epoch from max(shown_until) - now())::float as seconds from hill.identity_counters',
    );
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThan(55);

    await hill.root.query("update hill.identity_counters set shown_until = now() - interval '1 s'");
    expect(await agents()).toBe(2);
    await through((get) => get('/api/hill'));
    expect([await agents(), (await counted()).ann]).toEqual([2, [0, 0, 3]]);
  });
});

describe('the tool status', () => {
  const mcp = useMcp(hill);

  test('counts for everybody on the hill, the caller too: whom it left out would tell whose agent called', async () => {
    await forget();
    const token = await mcp.token(cast.ann);
    await mcp.call(token, 'status');
    await mcp.call(token, 'whoami');
    await mcp.call(token, 'play', { slot: 5, move: 'PEACE' });
    await mcp.call(token, 'night', { day: 1 });
    await mcp.call(token, 'status');
    await expect
      .poll(counted, { interval: 200 })
      .toEqual(Object.fromEntries(['ann', 'bob', 'cid', 'dan', 'eve'].map((slug) => [slug, [0, 0, 2]])));
  });
});

describe('counting', () => {
  const pool = () => hill.asPublic();
  const viewer = (headers: Record<string, string>, method = 'GET'): Request => ({
    method,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  });

  test('adds by itself every few seconds, with one statement for all', async () => {
    await forget();
    const counters = startCounters(pool(), log);
    for (let i = 0; i < 500; i++) counters.view(viewer(browser), cast.ann.id);
    counters.view(viewer(crawler), cast.ann.id);
    counters.click(viewer(browser), cast.bob.id);
    counters.read([cast.ann.id, cast.bob.id]);
    expect(await counted()).toEqual({});
    await expect.poll(counted, { interval: 200 }).toEqual({ ann: [500, 0, 1], bob: [0, 1, 1] });
    await counters.stop();
    expect(await counted()).toEqual({ ann: [500, 0, 1], bob: [0, 1, 1] });
  });

  test('keeps what a database that is away did not take, and adds it once', async () => {
    await forget();
    let away = true;
    const flaky = new Proxy(pool(), {
      get: (target, name) =>
        name === 'query' && away ? () => Promise.reject(new Error('away')) : Reflect.get(target, name).bind?.(target),
    });
    const counters = startCounters(flaky, log);
    counters.view(viewer(browser), cast.ann.id);
    await expect(counters.flush()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    counters.view(viewer(browser), cast.ann.id);
    away = false;
    await Promise.all([counters.flush(), counters.flush()]);
    await counters.stop();
    expect(await counted()).toEqual({ ann: [2, 0, 0] });
  });

  test('of two processes at once loses nothing', async () => {
    await forget();
    const [one, two] = [startCounters(pool(), log), startCounters(pool(), log)];
    for (let i = 0; i < 20; i++) {
      for (const [counters, ids] of [
        [one, [cast.ann.id, cast.bob.id]],
        [two, [cast.bob.id, cast.ann.id]],
      ] as const)
        counters.read([...ids]);
      await Promise.all([one.flush(), two.flush()]);
    }
    await Promise.all([one.stop(), two.stop()]);
    expect(await counted()).toEqual({ ann: [0, 0, 40], bob: [0, 0, 40] });
  });

  test('is all that the public role may write: it adds, and never takes away', async () => {
    await forget();
    const add = (counts: unknown) => pool().query('select api_public.add_counts($1) as n', [JSON.stringify(counts)]);
    await add({
      [cast.ann.id]: { views: 5, clicks: -3, agents: 2 },
      'no id': { views: 1 },
      [cast.ann.agentId]: { views: 1 },
    });
    await add({ [cast.ann.id]: { views: -5, clicks: -1, agents: -1 } });
    await add({ [cast.bob.id]: { views: 1 }, bob: { views: 2, agents: 1 }, nobody: { views: 1 } });
    expect(await counted()).toEqual({ ann: [5, 0, 2], bob: [3, 0, 1] });
    for (const wrong of [[], 1, null, 'x']) await expect(add(wrong)).rejects.toMatchObject({ code: 'ZHARG' });
    for (const statement of [
      'select from hill.identity_counters',
      'update hill.identity_counters set views = 0',
      'insert into hill.identity_counters default values',
    ])
      await expect(pool().query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('GET /api/counters', () => {
  test('is an array, by ids and slugs in the order given, each once; unknown ones are left out', async () => {
    await forget();
    await hill.root.query('insert into hill.identity_counters values ($1, 7, 3, 2)', [cast.ann.id]);
    const given = await web.read(
      `/api/counters?ids=bob,nobody, ANN ,${cast.ann.id.toUpperCase()},,bob,019a0000-0000-7000-8000-000000000000`,
    );
    expect(given).toEqual([
      { id: cast.bob.id, slug: 'bob', views: 0, clicks: 0, agents: 0 },
      { id: cast.ann.id, slug: 'ann', views: 7, clicks: 3, agents: 2 },
    ]);
    expect(await web.read('/api/counters?ids=nobody')).toEqual([]);
  });

  test('gives at most a hundred', async () => {
    const many = (n: number) => Array.from({ length: n }, (_, i) => `name-${i}`).join(',');
    expect(await web.read(`/api/counters?ids=${many(100)}`)).toEqual([]);
    for (const query of [`?ids=${many(101)}`, '?ids=', '?ids=,', '', '?ids=ann&ids=bob']) {
      const answer = await web.get(`/api/counters${query}`);
      expect([query, answer.status]).toEqual([query, 400]);
      expect(await answer.json()).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'ids' });
    }
  });
});
