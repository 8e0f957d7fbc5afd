// What other sites show of a page: the headline of a night, the tags of its head, and its picture. Rules 10.14, 10.15.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { html } from 'hono/html';
import { parseHTML } from 'linkedom';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { draw, fitted, longestPicture, widthOf, wrapped } from '../../src/html/drawing.ts';
import { margin, picture } from '../../src/html/picture.ts';
import { checkout } from '../../src/process/config.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { useHill } from '../support/hill/index.ts';
import { springCup } from '../support/hill/spring-cup.ts';

const hill = useHill();
const web = useWebDoor(hill, undefined, { BASE_URL: 'http://localhost:4444', AUTH_URL: 'http://localhost:4444' });
const headline = 'Ann and Bob take the top; Fay and Gus burn $18.00 on place 3';
let cast: Cast;
// a browser that a later file starts has the fonts of the machine
afterAll(() => {
  delete process.env.FONTCONFIG_FILE;
  delete process.env.PANGOCAIRO_BACKEND;
});
beforeAll(async () => {
  cast = await aLivelyNight(hill);
  await springCup(hill);
});

/** What is used here of a document; its library has the types of a browser. */
interface Element {
  readonly textContent: string;
  getAttribute(name: string): string | null;
}
interface Parsed {
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}
const page = async (path: string) =>
  (parseHTML(await (await web.get(path)).text()) as unknown as { document: Parsed }).document;
const meta = (of: Parsed, name: string) =>
  of.querySelector(`meta[property="${name}"], meta[name="${name}"]`)?.getAttribute('content');

test('the headline of a night is in its data, on its page, and on the first page', async () => {
  expect(await web.read('/api/day/1')).toMatchObject({ headline });
  const night = await page('/day/1');
  expect(night.querySelector('h1')?.textContent).toBe(headline);
  expect(night.querySelector('title')?.textContent).toBe(`Day 1, 2026-03-01: ${headline} · Hill`);
  expect(meta(night, 'og:title')).toBe(headline);
  expect(meta(night, 'og:description')).toMatch(/^The night of day 1, 2026-03-01\. 7 accounts made 7 moves\./);
  expect((await page('/')).querySelector('.headline')?.textContent).toBe(headline);
});

describe('the head of a page', () => {
  const own = ['/', '/day/1', '/identity/ann', '/tournaments/spring-cup'];
  const others = [
    '/boards/points',
    '/boards/efficiency',
    '/boards/wall',
    '/tournaments',
    '/rules',
    '/errors',
    '/source',
    '/links',
    '/changelog',
  ];

  test.each([...own, ...others])('%s says where it is, and how it is shown elsewhere', async (path) => {
    const head = await page(path);
    const address = `http://localhost:4444${path}`;
    expect(head.querySelector('link[rel=canonical]')?.getAttribute('href')).toBe(address);
    expect(meta(head, 'og:url')).toBe(address);
    expect(meta(head, 'og:title')).toMatch(/\S/);
    expect(meta(head, 'og:description')).toBe(meta(head, 'description'));
    expect(meta(head, 'og:image')).toBe(
      path === '/' || !own.includes(path) ? 'http://localhost:4444/share.png' : `${address}.png`,
    );
    expect([meta(head, 'og:image:width'), meta(head, 'og:image:height')]).toEqual(['1200', '630']);
    expect(meta(head, 'og:image:alt')).toMatch(/\.$/);
    expect(meta(head, 'twitter:card')).toBe('summary_large_image');
  });

  test.each([...own, ...others.filter((path) => !['/errors', '/source'].includes(path))])(
    '%s names its other forms',
    async (path) => {
      const forms = [...(await page(path)).querySelectorAll('link[rel=alternate]')].map((link) => [
        link.getAttribute('type') as string,
        link.getAttribute('href') as string,
      ]);
      expect(forms.length).toBeGreaterThan(0);
      for (const [type, href] of forms) {
        expect(href).toMatch(/^http:\/\/localhost:4444\//);
        const answer = await web.get((href as string).slice('http://localhost:4444'.length), {
          headers: { Accept: type as string },
        });
        expect([answer.status, answer.headers.get('content-type')?.split(';')[0]], href).toEqual([200, type]);
        await answer.text();
      }
    },
  );

  test('of what is not there, or for one human, names no address and no picture', async () => {
    const head = await page('/identity/nobody-of-that-name');
    expect(head.querySelector('link[rel=canonical]')).toBeNull();
    expect(meta(head, 'og:image')).toBeUndefined();
  });

  test('escapes what accounts chose', async () => {
    await hill.root.query(`update hill.accounts set name = '"><script>x</script>' where id = $1`, [cast.dan.id]);
    const [head = ''] = (await (await web.get('/identity/dan')).text()).split('</head>');
    expect(head).not.toContain('<script');
    expect(head).toContain('content="&quot;&gt;&lt;script&gt;');
  });
});

describe('the picture of a page', () => {
  const pictures = ['/share.png', '/day/1.png', '/identity/ann.png', '/tournaments/spring-cup.png'];

  test.each(pictures)('%s is a PNG of 1200 by 630 that is sent once', async (path) => {
    const answer = await web.get(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=\d+, must-revalidate$/);
    const png = Buffer.from(await answer.arrayBuffer());
    const { format, width, height } = await sharp(png).metadata();
    expect([format, width, height]).toEqual(['png', 1200, 630]);
    const { channels } = await sharp(png).stats(); // decodes it, too
    expect(channels.every(({ stdev }) => stdev > 5)).toBe(true);
    expect(png.length).toBeLessThan(longestPicture);

    const etag = answer.headers.get('etag') as string;
    const again = await web.get(path, { headers: { 'If-None-Match': etag } });
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag]);
    expect((await web.get(path, { headers: { 'If-None-Match': '"another"' } })).status).toBe(200);
  });

  test('shows what is so: another name is another picture, and a message of today is none', async () => {
    const tag = async () => (await web.get('/identity/eve.png', { method: 'HEAD' })).headers.get('etag');
    const before = await tag();
    await hill.asAgent(cast.eve).play({ slot: 4, move: 'PEACE', message: 'sealed' });
    expect(await tag()).toBe(before);
    for (const name of ['孫子 兵法の鬼', 'שלום 12', '👨‍👩‍👧 & <b>', 'W'.repeat(60), '\ud800']) {
      await hill.root.query('update hill.accounts set name = $2 where id = $1', [cast.eve.id, name.toWellFormed()]);
      expect(await tag()).not.toBe(before);
      expect(
        (await sharp(Buffer.from(await (await web.get('/identity/eve.png')).arrayBuffer())).stats()).channels,
      ).toHaveLength(3);
    }
  });

  test('is nowhere where there is no page, and follows a name in addresses', async () => {
    for (const path of [
      '/day/2.png',
      '/day/99999999.png',
      '/identity/nobody-of-that-name.png',
      '/tournaments/none.png',
      '/rules.png',
    ])
      expect((await web.get(path)).status, path).toBe(404);
    await hill.root.query("update hill.accounts set slug = 'gus-the-second' where id = $1", [cast.gus.id]);
    const moved = await web.get('/identity/gus.png', { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([302, '/identity/gus-the-second.png']);
  });

  test('of a night holds as long as its page: until a name is hidden, or the bell is near', async () => {
    const both = async (path = '/day/1') =>
      [await web.get(path, { method: 'HEAD' }), await web.get(`${path}.png`, { method: 'HEAD' })] as const;
    const before = (await both()).map(({ headers }) => headers.get('etag'));
    await hill
      .asStaff()
      .call('api_staff.hide_profile', { account_id: cast.ann.id, hidden: true, reason: 'It insults somebody' });
    const after = (await both()).map(({ headers }) => headers.get('etag'));
    expect(after.map((tag, i) => tag !== null && tag !== before[i])).toEqual([true, true]);
    // it runs: one that stands comes near to no bell
    await hill.asRoot((root) =>
      root.query("select api_worker.set_clock(date_trunc('day', engine.now(), 'UTC') + interval '86399 seconds', 1)"),
    );
    for (const { headers } of await both())
      expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-cache', null]);
  });
});

test('where the library is not installed, a picture is refused and says where to read', async () => {
  const without = `import { registerHooks } from 'node:module';
    registerHooks({ resolve: (name, context, next) => { if (name === 'sharp') throw new Error('Cannot find it'); return next(name, context); } });
    const { draw } = await import('./src/html/drawing.ts');
    const { code, status, hint } = await draw('<svg/>').catch((error) => error);
    console.log(JSON.stringify([code, status, hint]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', without], {
    cwd: checkout,
  });
  expect(JSON.parse(stdout)).toEqual(['NO_PICTURES', 501, expect.stringContaining('without .png')]);
});

test('a name of any letters is clipped to what fits, between letters', () => {
  expect(fitted('Ann', 20, 100)).toBe('Ann');
  for (const name of ['W'.repeat(60), '孫子兵法'.repeat(9), '👨‍👩‍👧'.repeat(20), 'The Very Long Name Of An Account']) {
    const clipped = fitted(name, 20, 150);
    expect(clipped).toMatch(/…$/);
    expect(widthOf(clipped, 20)).toBeLessThanOrEqual(150);
    expect(name.startsWith(clipped.slice(0, -1))).toBe(true);
    expect(clipped.slice(0, -1)).not.toMatch(/\u200d$/);
  }
  expect(wrapped('one two three four five six', 20, 120, 2)).toHaveLength(2);
  expect(wrapped('x'.repeat(200), 20, 120, 2).every((line) => widthOf(line, 20) <= 120)).toBe(true);
});

test.each([
  'W'.repeat(60),
  'Ж'.repeat(60),
  'ÆŒ—'.repeat(20),
  'THE LONGEST NAME THAT AN ACCOUNT OF THIS HILL MAY GIVE ITSELF',
])('the margin of a picture stays free beside %s', async (name) => {
  const png = await draw(
    await picture({ corner: '', title: name, line: name, body: html``, foot: name, site: 'https://hill.example' }),
  );

  const strip = await sharp(png)
    .extract({ left: 1_204 - margin, top: 20, width: margin - 4, height: 600 })
    .raw()
    .toBuffer();
  expect(new Set(strip)).toEqual(new Set(strip.subarray(0, 3))); // paper, in each pixel
});
