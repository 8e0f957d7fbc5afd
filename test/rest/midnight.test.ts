// The reading around midnight, from the process itself and from a real shared cache in front of it. Rules 2.4, 10.11.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Day, Hill as HillRecord, Leaderboard } from '../../src/records/index.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { useHill } from '../support/hill/index.ts';
import { nginx, type SharedCache, sharedCache } from '../support/peers/nginx.ts';

const midnight = Date.parse('2026-03-03T00:00:00Z');
const followed = ['/api/hill', '/api/rules', '/api/leaderboard/hill', '/api/wall', '/api/leaderboard/efficiency'];
const pages = [
  '/',
  '/rules',
  '/boards/points',
  '/boards/wall',
  '/boards/efficiency',
  '/day/1',
  '/identity/ann',
  '/tournaments',
];

describe.skipIf(!nginx)('behind a shared cache (apt-get install nginx-light)', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  let cache: SharedCache;
  let cast: Cast;
  beforeAll(async () => {
    cast = await aLivelyNight(hill);
    cache = await sharedCache(web.baseUrl);
  });
  afterAll(() => cache?.stop());

  /**
   * What the hill's clock shows, in milliseconds; it goes on while an answer is under way, so an answer is not older
   * than what was read before it was asked for.
   */
  const now = async (): Promise<number> =>
    Date.parse((await hill.rows<{ now: Date }>('select engine.now() as now'))[0]?.now.toISOString() as string);
  const setClock = (time: string, rate: number) =>
    hill.asRoot((root) =>
      root.query('select api_worker.set_clock($1::timestamptz, $2)', [`2026-03-02T${time}Z`, rate]),
    );

  interface Seen<T> {
    readonly before: number;
    readonly from: string;
    readonly status: number;
    readonly kept: string;
    readonly hit: string;
    readonly body: T;
  }
  const look = async <T>(from: string, path: string): Promise<Seen<T>> => {
    const before = await now();
    const answer = await fetch(from + path);
    return {
      before,
      from,
      status: answer.status,
      kept: answer.headers.get('cache-control') ?? '',
      hit: answer.headers.get('x-cache') ?? '',
      body: (answer.headers.get('content-type')?.startsWith('text/html')
        ? await answer.text()
        : await answer.json()) as T,
    };
  };
  const both = () => [web.baseUrl, cache.url];

  /** A night is shown whole: its ten results, and the occupants that they leave. */
  const whole = ({ hill: places, lastNight, burnedLastNightCents }: HillRecord) => {
    expect(new Set(lastNight.map(({ day }) => day)).size).toBe(1);
    expect(lastNight.map(({ slot }) => slot)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(places.map(({ occupants }) => occupants.map(({ accountId }) => accountId))).toEqual(
      lastNight.map(({ occupants }) => occupants.map(({ accountId }) => accountId)),
    );
    expect(lastNight.reduce((sum, { burnedCents }) => sum + burnedCents, 0)).toBe(burnedLastNightCents);
  };

  test('at noon it keeps what it may, and asks again when that is over', async () => {
    await setClock('12:00:00', 0);
    await web.get('/api/hill');
    for (const path of [...followed, '/api/day/1', ...pages]) {
      await look(cache.url, path);
      const { hit, body } = await look(cache.url, path);
      expect([path, hit]).toEqual([path, 'HIT']);
      expect(body).toEqual((await look(web.baseUrl, path)).body);
    }
    // other codings are other answers
    const coded = await fetch(`${cache.url}/api/rules`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(coded.headers.get('content-encoding')).toBe('gzip');
    const plain = await fetch(`${cache.url}/api/rules`, { headers: { 'Accept-Encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.json()).toEqual(await coded.json());
  });

  test('an announcement is seen 2 seconds later at the latest', async () => {
    await look(cache.url, '/api/hill');
    await hill.asAgent(cast.eve).announce({ slot: 9, intention: 'WAR', message: 'Hear me' });
    const told = Date.now();
    let asked: number;
    let seen: Seen<HillRecord>;
    do {
      asked = Date.now();
      seen = await look<HillRecord>(cache.url, '/api/hill');
      // nginx counts whole seconds of its own
      if (asked > told + 3_500) expect(seen.body.announcements).toHaveLength(1);
    } while (seen.body.announcements.length === 0);
  });

  test('around midnight nobody meets yesterday, half a night, or a night before it is published', async () => {
    await hill.asAgent(cast.ann).play({ slot: 1, move: 'PEACE' });
    await hill.asAgent(cast.bob).play({ slot: 3, move: 'WAR', stake_cents: 800 });
    await hill.asAgent(cast.cid).play({ slot: 3, move: 'WAR', stake_cents: 801 });
    await setClock('23:59:55', 1);
    await web.get('/api/hill'); // nobody but a test sets a clock forward: let it be heard of

    // Until the bell: what may be kept is over by midnight, and in the last 2 seconds nothing may be.
    let last = 0;
    let near = 0;
    do {
      for (const path of [...followed, ...pages])
        for (const from of both()) {
          const { before, kept, body } = await look<HillRecord & string>(from, path);
          last = before;
          const seconds = Number(/^public, max-age=(\d+), must-revalidate$/.exec(kept)?.[1] ?? 0);
          if (seconds === 0) expect(kept).toBe('no-cache');
          if (from === web.baseUrl && seconds > 0) expect(before + seconds * 1_000).toBeLessThanOrEqual(midnight);
          if (from === web.baseUrl && before >= midnight - 2_000) {
            near += 1;
            expect([path, kept]).toEqual([path, 'no-cache']);
          }
          if (path === '/api/hill' && before >= midnight) expect(body.day).toBe(3);
          if (path === '/')
            expect(body).toMatch(
              before >= midnight ? /The hill on day 3.*The bell is ringing/s : /The hill on day [23]/,
            );
        }
    } while (last < midnight);
    expect(near).toBeGreaterThan(0);

    // The bell rings, and is held before it can publish.
    const holder = await hill.root.connect();
    await holder.query('begin; lock table hill.nights in share row exclusive mode');
    const ringing = hill.clock.ringBell();
    const held = async () =>
      (
        await hill.rows(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'ring_next_bell'",
        )
      ).length > 0;
    while (!(await held()));
    const [inside] = await hill.rows<{ n: number }>('select count(*)::int as n from hill.place_results where day = 2');
    expect(inside?.n).toBe(0); // what is done of it is its own transaction's
    for (let round = 0; round < 5; round++)
      for (const from of both()) {
        const now = await look<HillRecord>(from, '/api/hill');
        expect([now.status, now.kept, now.body.day, now.body.lastNight[0]?.day]).toEqual([200, 'no-cache', 3, 1]);
        expect(now.hit).not.toMatch(/HIT|STALE|UPDATING/);
        whole(now.body);
        const board = await look<Leaderboard>(from, '/api/leaderboard/hill');
        expect([board.kept, board.body.day]).toEqual(['no-cache', 1]);
        expect((await look<HillRecord>(from, '/api/rules')).kept).toBe('no-cache');
        const night = await look<Day>(from, '/api/day/2');
        expect([night.status, night.kept]).toEqual([404, 'no-store']);
        // the shared cache hands on nothing but what is for ever
        expect((await look<Day>(from, '/api/day/1')).kept).toMatch(
          from === web.baseUrl ? /^public, max-age=\d+, must-revalidate$/ : /^no-cache$/,
        );

        const shown = Object.fromEntries(
          await Promise.all(pages.map(async (path) => [path, await look<string>(from, path)] as const)),
        );
        for (const [path, { status, kept, hit }] of Object.entries(shown)) {
          expect([path, status, kept]).toEqual([path, 200, 'no-cache']);
          expect(hit).not.toMatch(/HIT|STALE|UPDATING/);
        }
        expect(shown['/']?.body).toMatch(/The hill on day 3.*The bell is ringing.*href="\/day\/1"/s);
        expect(shown['/']?.body).not.toContain('href="/day/2"');
        expect(shown['/boards/points']?.body).toContain('>the night of day 1</a>');
        expect(shown['/day/1']?.body).not.toContain('href="/day/2"');
        expect(shown['/identity/ann']?.body).not.toContain('Day 2');
        const page = await look<string>(from, '/day/2');
        expect([page.status, page.kept]).toEqual([404, 'no-store']);
      }

    // Published: whoever asks from now on meets it, whole.
    const asking = Array.from({ length: 12 }, (_, i) => look<HillRecord>(both()[i % 2] as string, '/api/hill'));
    await holder.query('rollback');
    holder.release(true);
    for (const { body } of await Promise.all(asking)) whole(body);
    await ringing;
    for (const from of both()) {
      const { body } = await look<HillRecord>(from, '/api/hill');
      expect([body.day, body.lastNight[0]?.day, body.burnedLastNightCents]).toEqual([3, 2, 1601]);
      whole(body);
      const night = await look<Day>(from, '/api/day/2');
      // the record of the night tells more of each place
      expect([night.status, night.body.results, night.body.moves_total]).toMatchObject([200, body.lastNight, 3]);
      expect((await look<Leaderboard>(from, '/api/leaderboard/hill')).body.day).toBe(2);

      const page = async (path: string) => (await look<string>(from, path)).body;
      expect(await page('/')).toMatch(/The hill on day 3.*href="\/day\/2"/s);
      expect(await page('/')).not.toContain('The bell is ringing');
      expect(await page('/boards/points')).toContain('>the night of day 2</a>');
      expect(await page('/day/1')).toContain('rel="next" href="/day/2"');
      expect(await page('/day/2')).toContain('3 accounts made 3 moves.');
      expect(await page('/identity/ann')).toContain('Day 2</a>, place 1');
    }
    expect((await look<HillRecord>(web.baseUrl, '/api/hill')).kept).toBe('public, max-age=2, must-revalidate');
  });
});
