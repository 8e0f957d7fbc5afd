// test/pages/shared.test.ts · what other sites show of a page: the headline of a night, the tags of its head, and its picture. Rules 10.12, 10.13.
import { parseHTML } from 'linkedom';
import { beforeAll, describe, expect, test } from 'vitest';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { useHill } from '../support/hill/index.ts';
import { springCup } from '../support/hill/spring-cup.ts';

const hill = useHill();
const web = useWebDoor(hill, undefined, { BASE_URL: 'http://localhost:4444', AUTH_URL: 'http://localhost:4444' });
const headline = 'Ann and Bob take the top; $18.00 burns on 3';
let cast: Cast;
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
const page = async (path: string) => (parseHTML(await (await web.get(path)).text()) as unknown as { document: Parsed }).document;
const meta = (of: Parsed, name: string) => of.querySelector(`meta[property="${name}"], meta[name="${name}"]`)?.getAttribute('content');

test('the headline of a night is in its data, on its page, and on the first page', async () => {
  expect(await web.read('/api/day/1')).toMatchObject({ headline });
  const night = await page('/day/1');
  expect(night.querySelector('h1')?.textContent).toBe(headline);
  expect(night.querySelector('title')?.textContent).toBe(`Day 1: ${headline} · Hill`);
  expect(meta(night, 'og:title')).toBe('The night of day 1');
  expect(meta(night, 'og:description')).toMatch(new RegExp(`^${headline.replace('$', '\\$')}\\. 7 accounts had 7 live moves\\.`));
  expect((await page('/')).querySelector('.headline')?.textContent).toBe(headline);
});

describe('the head of a page', () => {
  const own = ['/', '/day/1', '/identity/ann', '/tournaments/spring-cup'];
  const others = ['/boards/points', '/boards/efficiency', '/boards/wall', '/tournaments', '/rules', '/errors', '/source'];

  test.each([...own, ...others])('%s says where it is, and how it is shown elsewhere', async (path) => {
    const head = await page(path);
    const address = `http://localhost:4444${path}`;
    expect(head.querySelector('link[rel=canonical]')?.getAttribute('href')).toBe(address);
    expect(meta(head, 'og:url')).toBe(address);
    expect(meta(head, 'og:title')).toMatch(/\S/);
    expect(meta(head, 'og:description')).toBe(meta(head, 'description'));
    expect(meta(head, 'og:image')).toBe(path === '/' || !own.includes(path) ? 'http://localhost:4444/share.png' : `${address}.png`);
    expect([meta(head, 'og:image:width'), meta(head, 'og:image:height')]).toEqual(['1200', '630']);
    expect(meta(head, 'og:image:alt')).toMatch(/\.$/);
    expect(meta(head, 'twitter:card')).toBe('summary_large_image');
  });

  test.each([...own, ...others.filter((path) => !['/errors', '/source'].includes(path))])('%s names its other forms', async (path) => {
    const forms = [...(await page(path)).querySelectorAll('link[rel=alternate]')].map((link) => [
      link.getAttribute('type') as string,
      link.getAttribute('href') as string,
    ]);
    expect(forms.length).toBeGreaterThan(0);
    for (const [type, href] of forms) {
      expect(href).toMatch(/^http:\/\/localhost:4444\//);
      const answer = await web.get((href as string).slice('http://localhost:4444'.length), { headers: { Accept: type as string } });
      expect([answer.status, answer.headers.get('content-type')?.split(';')[0]], href).toEqual([200, type]);
      await answer.text();
    }
  });

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
