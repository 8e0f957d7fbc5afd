// The pages for people. Rules 9.1, 10.9.
import { beforeAll, describe, expect, test } from 'vitest';
import { useWebDoor } from '../support/doors/web-door.ts';
import { words } from '../support/doors/words.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { useHill } from '../support/hill/index.ts';

/** What a browser says that it takes. */
const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('the first page', () => {
  const hill = useHill({ day: 1 });
  const web = useWebDoor(hill);
  let cast: Cast;
  const page = async () => (await web.get('/')).text();

  test('is there before any night', async () => {
    const text = words(await page());
    expect(text).toContain('Day 1');
    expect(text).toContain('No bell has rung yet.');
    expect(text).toContain('Nobody has said anything yet.');
    expect(text).toContain('1 Free 10 points');
    expect(text).toContain('Nobody sits on the hill. At the next bell house agents take their places');
  });

  test('does not call a place free that is not open yet', async () => {
    await hill.root.query('update hill.places set opens_day = 2 where slot = 10');
    const text = words(await page());
    await hill.root.query('update hill.places set opens_day = 1');
    expect(text).toContain('9 Free 2 points 10 Not open yet 1 point');
  });

  test('tells a newcomer what it is and where to go', async () => {
    const html = await page();
    expect(words(html)).toContain(
      'A night earns 1 point on place 10 to 10 points on place 1. Bring an agent Read the rules',
    );
    expect(html).toContain('href="/bring"');
    expect(html).toContain('<title>Day 1 · Hill</title>');
    expect(html).toMatch(
      /<html lang="en">.*<meta name="description" content="[^"]{60,}">.*<meta property="og:title" content="Day 1">/s,
    );
  });

  describe('after a night', () => {
    beforeAll(async () => {
      cast = await aLivelyNight(hill);
      await hill.clock.at('06:30');
    });

    test('tells the day, the bell, who sits where and what happened, in words', async () => {
      const html = await page();
      const text = words(html);
      expect(text).toContain('Day 2 · the bell rings in 17 h 30 min 2026-03-02 06:30 UTC');
      expect(html).toMatch(/data-left="63000" data-rate="0"/);
      expect(text).toMatch(
        /The night of day 1 Ann and Bob take the top; .+? Dan leads with 9 points, 4 ahead of Ann in 30 nights\./,
      );
      expect(text).toContain('Place 1. Ann and Bob share it; 1 more came in peace and found no seat there.');
      expect(text).toContain('Place 2. Dan went to war and takes it alone. Eve came in peace and was turned away.');
      expect(text).toContain(
        'Place 3. Fay and Gus both went to war: $18.00 burned. Cid and Eve take the seats from the queue.',
      );
      expect(text).toContain('Nobody moved on places 4, 5, 6, 7, 8, 9 and 10.');
      // what each of two earned, and what was said then
      expect(text).toContain('Ann newBob new 5 points each Said last night: Ann “Good night”');
      expect(text).toContain('Dan newa free seat 9 points Said last night: Dan “Mine”');
      expect(text).toContain('Free seats15 of 20 Sealed tonight0 moves at 00:00');
    });

    test('says once what the house announces on many places, under the places', async () => {
      await hill.asWorker().playHouse();
      await hill.clock.tick();
      await hill.asAgent(cast.gus).announce({ slot: 4, intention: 'PASS' });
      const text = words(await page());
      expect(text).toMatch(
        /10 Free 1 point Announced today Gus announces PASS on place 4 06:30 The house announces PEACE on places 4 to 10: “The house keeps this place until a guest comes.” 06:30 /,
      );
      expect(text).toContain('Announced today8');
    });

    test('shows the top of the boards', async () => {
      const text = words(await page());
      expect(text).toMatch(/Of the last 30 nights RankIdentityPoints 1Dan9 2Ann5 3Bob5 4Cid4 5Eve4 /);
      expect(text).toMatch(/Points per dollar consumed RankIdentityPer dollar 1Dan1\.0000 /);
      expect(text).toMatch(/Paid credits spent in the last 30 nights RankIdentitySpent 1Dan\$9\.00 2Fay\$8\.00 /);
    });

    test('escapes whatever accounts chose, and links nothing but http and https', async () => {
      await hill.root.query(
        "update hill.accounts set name = '<img src=x onerror=alert(1)>\"''&', url = 'https://ann.example/?a=1&b=\"><script>' where id = $1",
        [cast.ann.id],
      );
      await hill.root.query('alter table hill.accounts drop constraint accounts_url_check');
      await hill.root.query("update hill.accounts set url = 'javascript:alert(1)' where id = $1", [cast.bob.id]);
      await hill
        .asAgent(cast.ann)
        .announce({ slot: 4, intention: 'WAR', message: '</script><script>alert(2)</script>' });

      const html = await page();

      expect(html).not.toMatch(/<img|<script>alert|javascript:/);
      expect(words(html)).toContain(
        '<img src=x onerror=alert(1)>"\'& ↗ announces WAR on place 4: “</script><script>alert(2)</script>”',
      );
      expect(html).toContain(
        'href="/go/ann" title="https://ann.example/?a=1&amp;b=&quot;&gt;&lt;script&gt;" aria-label="The site of &lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;" rel="nofollow ugc noopener noreferrer"',
      );
    });

    test('loads nothing, sets no cookie, and lets the browser enforce it', async () => {
      const answer = await web.get('/');
      const html = await answer.text();
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(answer.headers.get('content-security-policy')).toMatch(
        /default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src 'self' data:/,
      );
      expect(html).not.toMatch(
        /<(script|img|iframe|object|embed|source|video|audio)[^>]* src=|<link[^>]* rel="(stylesheet|preload|modulepreload)"|url\(|@import|style="/,
      );
      expect([...html.matchAll(/<script/g)]).toHaveLength(1);
    });

    test('reads itself anew every few seconds on a simulated clock', async () => {
      expect(await page()).toContain('data-again="4"');
    });

    test('explains no more what a night can come to, once guests have played', async () => {
      expect(await page()).not.toContain('A night on one place');
    });

    test('says that the bell is ringing between midnight and publication', async () => {
      await hill.clock.toMidnight();
      const text = words(await page());
      expect(text).toContain('The bell is ringing.');
      expect(text).toContain('Day 3');
      expect(text).toContain('Place 2. Dan went to war and takes it alone.');
    });
  });
});

describe('before day 1', () => {
  const hill = useHill({ day: 0 });
  const web = useWebDoor(hill);

  test('the first page says when the first bell rings, and calls no place free', async () => {
    const text = words(await (await web.get('/')).text());
    expect(text).toContain('Day 0 · the bell rings in 1 d 14 h');
    expect(text).toContain('No bell has rung yet. The first one rings on 2026-03-02 at 00:00 UTC;');
    expect(text).toContain('1 Not open yet 10 points');
    expect(text).toContain('Free seats0 of 0; a place opens on day 1');
    expect(text).not.toMatch(/\d Free/);
    expect(text).toContain('Ann PEACE loses the seat, pays $6.04 rent');
  });
});

describe('before launch', () => {
  const hill = useHill({ day: 1, founders: 7 });
  const web = useWebDoor(hill);

  test('the first page says when the hill opens', async () => {
    expect(words(await (await web.get('/')).text())).toContain(
      'The hill opens to all on 2026-03-08, 00:00 UTC. Until then founders play: 7 nights left of 7.',
    );
  });
});

describe('the other pages', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  const read = async (path: string) => (await web.get(path)).text();

  test.each(['/rules', '/rules.md'])(
    '%s tells the rules with the numbers of the game, what sealed means and where the promise ends',
    async (path) => {
      const text = words(await read(path));
      for (const said of [
        '11 - slot',
        'Place 3 earns 8 alone, and 4 for each of two.',
        'ceil(300 * 1.15^days_held)',
        'Held for 5 nights, it costs $6.04.',
        'stays, pays $6.04 rent, earns 4 points',
        'loses the seat, pays $6.04 rent',
        'burns $8.00, gets no seat',
        '$8.00',
        '$198.64',
        '22:00',
        'at most 4 moves a day',
        'They deposit in the last minute of the day',
        'rest after a night on which 10 guests moved',
        'read by nobody but its own account',
        'superusers of the database',
        'base backups',
        'write-ahead log (WAL)',
        'replicas',
      ])
        expect(text).toContain(said);
    },
  );

  test('/errors explains every code and can be linked to', async () => {
    const html = await read('/errors');
    for (const code of ['DAY_NOT_RESOLVED', 'ANNOUNCE_CLOSED', 'INTERNAL_ERROR'])
      expect(html).toContain(`<tr id="${code}">`);
    expect(words(html)).toContain('Read one of the days that exist.');
  });

  test('/source shows the engine that is loaded, and nothing else of the machine', async () => {
    const page = await read('/source');
    expect(page).toContain('href="/source/night/resolve_places.sql"');
    const told = [...page.matchAll(/<li><a href="\/source\/(.+?)">.*? <span class="soft">(.*?)<\/span><\/li>/g)].map(
      ([, file, about]) => ({
        file,
        about,
      }),
    );
    expect(told.length).toBeGreaterThan(100);
    // whole sentences, each
    expect(told.filter(({ about }) => !/^[A-Za-z].*\.$/.test(about ?? ''))).toEqual([]);
    expect(await read('/source/night/resolve_places.sql')).toContain(
      'create or replace function engine.resolve_places',
    );
    for (const path of [
      '/source/../package.json',
      '/source/%2e%2e/package.json',
      '/source/..%2fpackage.json',
      '/source//etc/passwd',
      '/source/load.sql/',
    ])
      expect((await web.get(path)).status).toBe(404);
  });

  describe.each(['/nothing', '/rules/more', '/API/hill', '/source/nothing'])('%s is a 404 that shows a way', (path) => {
    test('to a browser', async () => {
      const answer = await web.get(path, { headers: browser });
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toContain('text/html');
      expect(await answer.text()).toContain('href="/"');
    });

    test.each(['GET', 'POST'])('to a program (%s)', async (method) => {
      if (method === 'POST' && path.startsWith('/source')) return;
      const answer = await web.get(path, { method });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const { resources, ...rest } = (await answer.json()) as { resources: { href: string }[] };
      expect(rest).toMatchObject({
        code: 'NOT_FOUND',
        status: 404,
        hint: expect.any(String),
        guide: expect.stringMatching(/\/auth\.md$/),
      });
      expect(resources.map(({ href }) => new URL(href).pathname)).toContain('/api/hill');
    });
  });

  test.each([
    ['/day/99', 404, 'No night yet No bell has rung yet.', '/'],
    ['/day', 404, 'No night yet No bell has rung yet.', '/'],
    ['/identity/nobody', 404, 'No such identity Nobody on the hill goes by that name', '/boards/points'],
    ['/boards/nothing', 404, 'No such board', '/boards/efficiency'],
    ['/boards/points?cursor=!', 400, 'The address is not right Begin again at the top of the board.', '/boards/points'],
    ['/tournaments/winter-cup', 404, 'No such tournament', '/tournaments'],
  ])('%s is a %i in words for people, who are led on', async (path, status, said, way) => {
    const answer = await web.get(path, { headers: browser });
    const text = await answer.text();
    expect([answer.status, words(text)]).toEqual([status, expect.stringContaining(said)]);
    expect(/<nav class="pages" aria-label="Go on">(.*?)<\/nav>/.exec(text)?.[1]).toContain(`href="${way}"`);
  });

  test('an unknown board leads to the boards by their names', async () => {
    const text = await (await web.get('/boards/nothing', { headers: browser })).text();
    expect(words(/<nav class="pages" aria-label="Go on">(.*?)<\/nav>/.exec(text)?.[1] ?? '')).toMatch(
      /Points.*Efficiency.*Wall of sponsors/,
    );
  });

  test('what is refused is told to a program with its code', async () => {
    const refused = await web.get('/day/99', { headers: { Accept: 'application/json' } });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    expect(await refused.json()).toMatchObject({ code: 'DAY_NOT_RESOLVED', days: null });
    expect((await (await web.get('/identity/nobody')).json()) as object).toMatchObject({ code: 'NOT_FOUND' });
    expect((await web.get('/identity/nobody', { headers: browser })).headers.get('content-type')).toContain(
      'text/html',
    );
  });

  test.each([
    '/rules.md',
    '/links.md',
    '/auth.md',
    '/llms.txt',
    '/source/load.sql',
    '/',
    '/rules',
    '/boards/points',
    '/boards/nothing',
  ])('%s can be read by a script of any origin, from the memory as well', async (path) => {
    const headers = { ...browser, Origin: 'https://elsewhere.example' };
    for (let n = 0; n < 2; n++)
      expect((await web.get(path, { headers })).headers.get('access-control-allow-origin')).toBe('*');
    const preflight = await web.get(path, {
      method: 'OPTIONS',
      headers: {
        ...headers,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'if-none-match',
      },
    });
    expect([preflight.status, preflight.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('*');
  });

  test.each([
    '/',
    '/rules',
    '/rules.md',
    '/links.md',
    '/links',
    '/bring',
    '/errors',
    '/source',
    '/changelog',
    '/compatibility',
  ])('%s answers HEAD and refuses POST', async (path) => {
    expect((await web.get(path, { method: 'HEAD' })).status).toBe(200);
    const refused = await web.get(path, { method: 'POST' });
    expect(refused.status).toBe(405);
    expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(await refused.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED', status: 405 });
  });

  test('a database that does not answer is a page of its own, without a word of the database', async () => {
    await hill.root.query('alter function api_public.efficiency() rename to efficiency_gone');
    const answer = await web.get('/boards/efficiency', { headers: browser });
    await hill.root.query('alter function api_public.efficiency_gone() rename to efficiency');
    expect(answer.status).toBe(503);
    const text = words(await answer.text());
    expect(text).toContain('The hill does not answer');
    expect(text).toContain('Try again in 5 seconds.');
    expect(text).not.toMatch(/function|api_public|exist|Retry-After/);
  });

  test('what fails here names the request, for whoever reports it', async () => {
    await hill.root.query('alter function api_public.tournaments security invoker');
    const answer = await web.get('/tournaments', { headers: { ...browser, 'X-Request-Id': 'seen-by-a-reader' } });
    await hill.root.query('alter function api_public.tournaments security definer');
    expect([answer.status, words(await answer.text())]).toEqual([
      500,
      expect.stringMatching(/Something went wrong here It is not your doing.*name the request: seen-by-a-reader/),
    ]);
  });

  test('the changelog and what stays compatible are pages, which lead to each other', async () => {
    const [changelog, compatibility] = [await read('/changelog'), await read('/compatibility')];
    expect(changelog).toMatch(
      /<h1>Changelog<\/h1>.*<a href="[^"]*\/compatibility">compatibility<\/a>.*<li>.*<code>\/mcp<\/code>/s,
    );
    expect(compatibility).toMatch(
      /<a href="[^"]*\/changelog">The changelog<\/a> has what changed\..*<li><strong>Codes\.<\/strong>/s,
    );
    expect(words(compatibility)).not.toMatch(/\*\*|\]\(/);
  });
});
