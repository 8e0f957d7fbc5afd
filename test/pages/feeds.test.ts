// Feeds, the calendar, the site map and badges, read by parsers that others wrote; and the status. RFC 4287, 5545,
// 9116; rules 10.17, 10.18, 11.2.
import { createHash } from 'node:crypto';
import { DOMParser, type Element } from '@xmldom/xmldom';
import ICAL from 'ical.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { about } from '../../src/records/about.ts';
import { securityTxt } from '../../src/rest/crawlers.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { words } from '../support/doors/words.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { call, useHill } from '../support/hill/index.ts';
import { springCup } from '../support/hill/spring-cup.ts';
import { aTournament } from '../support/hill/tournaments.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const web = useWebDoor(hill);
const nasty = `<b>&amp; "Ann" ]]> 'é' 🏔</b>`;
let cast: Cast;

const atomUri = 'http://www.w3.org/2005/Atom';

/** Throws at what is not well-formed. */
const xml = (text: string): Element =>
  new DOMParser({
    onError: (level, message) => {
      throw new Error(`${level}: ${message}`);
    },
  }).parseFromString(text, 'application/xml').documentElement as Element;

/** A feed, and what RFC 4287 asks of every one. */
async function feedAt(path: string) {
  const answer = await web.get(path);
  expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
    path,
    200,
    'application/atom+xml; charset=utf-8',
  ]);
  const text = await answer.text();
  const root = xml(text);
  expect([root.localName, root.namespaceURI]).toEqual(['feed', atomUri]);
  const childrenOf = (of: Element, name: string) =>
    Array.from(of.childNodes).filter((node) => (node as Element).localName === name) as Element[];
  const one = (of: Element, name: string) => {
    const found = childrenOf(of, name);
    expect([name, found.length]).toEqual([name, 1]);
    return (found[0] as Element).textContent ?? '';
  };
  const link = (of: Element, rel: string) =>
    childrenOf(of, 'link')
      .find((each) => each.getAttribute('rel') === rel)
      ?.getAttribute('href') ?? '';
  const told = (of: Element) => ({ id: one(of, 'id'), title: one(of, 'title'), updated: one(of, 'updated') });
  const entries = childrenOf(root, 'entry').map((entry) => ({
    ...told(entry),
    link: link(entry, 'alternate'),
    summary: one(entry, 'summary'),
    content: childrenOf(entry, 'content')[0]?.textContent ?? '',
  }));
  const feed = { ...told(root), self: link(root, 'self'), page: link(root, 'alternate'), entries, text };
  expect(new URL(feed.self).pathname).toBe(path);
  expect(childrenOf(root, 'author')).toHaveLength(1);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  for (const { id, updated, link: to } of [...entries, { ...feed, link: feed.page }]) {
    expect(URL.canParse(id) && URL.canParse(to)).toBe(true);
    expect(new Date(updated).toISOString().slice(0, 19)).toBe(updated.slice(0, 19));
    expect(updated.endsWith('Z')).toBe(true);
  }
  const newest = entries
    .map(({ updated }) => updated)
    .sort()
    .at(-1);
  if (newest) expect(feed.updated).toBe(newest);
  return feed;
}

describe('before any night', () => {
  test('the feed of nights has no entry, and says since when', async () => {
    const feed = await feedAt('/nights.atom');
    expect(feed.entries).toEqual([]);
    expect(feed.updated).toBe('2026-03-01T00:00:00.000Z');
  });

  test('the calendar is empty', async () => {
    const text = await (await web.get('/tournaments.ics')).text();
    expect(new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')).toEqual([]);
  });
});

describe('after two nights', () => {
  beforeAll(async () => {
    cast = await aLivelyNight(hill);
    await springCup(hill);
    await hill.asAgent(cast.ann).announce({ slot: 1, intention: 'PEACE' });
    await hill.asAgent(cast.bob).play({ slot: 4, move: 'WAR', stake_cents: 900 });
    const rename = (who: { id: string }, name: string) =>
      hill.root.query('update hill.accounts set name = $1 where id = $2', [name, who.id]);
    await rename(cast.bob, nasty); // for one night
    await hill.clock.ringBell();
    await rename(cast.bob, 'Bob');
    await rename(cast.ann, nasty);
  });

  test('the nights, the latest first, each as it went', async () => {
    const { entries, page, text } = await feedAt('/nights.atom');
    expect(entries.map(({ title }) => title)).toEqual([
      `Night 2: ${nasty} takes place 4 by war and sits highest; the rest stands empty`,
      'Night 1: Ann and Bob take the top; Fay and Gus burn $18.00 on place 3',
    ]);
    expect(entries.map(({ updated }) => updated.slice(0, 19))).toEqual(['2026-03-03T00:00:00', '2026-03-02T00:00:00']);
    expect(new URL(page).pathname).toBe('/');
    const [second, first] = entries;
    expect(first).toMatchObject({ id: expect.stringMatching(/\/day\/1$/), link: expect.stringMatching(/\/day\/1$/) });
    expect(first?.summary).toBe(
      'Dan promised peace on place 2 and took it by war. Ann has a seat for the first time, at the top. 7 moves of 7 accounts; $18.00 of stakes burned.',
    );
    expect(first?.content).toMatch(
      /<li><bdi>Dan promised peace on place 2 and took it by war\.<\/bdi> <span class="soft"><a href="http:\/\/[^"]+\/day\/1#place-2">day 1<\/a><\/span><\/li>/,
    );
    // HTML in XML: once parsed, a fragment in which the name is text
    expect(second?.content).toContain('&lt;b&gt;&amp;amp; &quot;Ann&quot; ]]&gt; &#39;é&#39; 🏔&lt;/b&gt;</a> (new)');
    expect(first?.content).toContain(
      '<li>Place 3: <bdi>Fay</bdi> and <bdi>Gus</bdi> went to war, and $18.00 burned. Now there: ',
    );
    expect(text).not.toContain(']]>');
  });

  test('what an identity did, under ids that keep when its name changes, and without tonight', async () => {
    const before = await feedAt('/identity/ann.atom');
    expect(before.id).toBe(`urn:uuid:${cast.ann.id}`);
    expect(before.title).toBe(`${nasty} on Hill`);
    expect(before.entries.map(({ title }) => title)).toEqual([
      'Night 2: announced, and did not play',
      'Night 1: place 1, 5 points',
    ]);
    expect(before.entries.at(-1)?.summary).toBe(
      'Place 1: announced PEACE (kept), played PEACE for $3.00, outcome PEACE, took the place.',
    );
    expect(before.entries.at(-1)?.updated).toBe('2026-03-02T00:00:00.000Z');

    await hill.asAgent(cast.ann).announce({ slot: 6, intention: 'WAR' });
    await call(hill.asPublic(), 'api_agent.set_profile', { token: cast.ann.token, name: 'Anna', slug: 'anna' });

    const after = await feedAt('/identity/anna.atom');
    expect(after.entries.map(({ id }) => id)).toEqual(before.entries.map(({ id }) => id));
    const old = await fetch(`${web.baseUrl}/identity/ann.atom`, { redirect: 'manual' });
    expect([old.status, old.headers.get('location')]).toEqual([302, '/identity/anna.atom']);
  });

  test('nobody and no tournament have no feed', async () => {
    for (const path of ['/identity/nobody.atom', '/tournaments/nothing.atom', '/tournaments/a.b.atom'])
      expect([path, (await web.get(path)).status]).toEqual([path, 404]);
  });

  test('a feed is given again only to those who do not have it', async () => {
    for (const path of ['/nights.atom', '/identity/bob.atom', '/tournaments.ics']) {
      const first = await web.get(path);
      const etag = first.headers.get('etag') as string;
      expect(first.headers.get('access-control-allow-origin')).toBe('*');
      expect((await web.get(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    }
  });
});

describe('a badge', () => {
  const badge = async (slug: string) => {
    const answer = await web.get(`/badge/${slug}.svg`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    return { answer, root: xml(await answer.text()) };
  };
  const texts = (root: Element) => Array.from(root.getElementsByTagName('text')).map(({ textContent }) => textContent);

  test('shows rank and places, has a title that is read out, and may be shown by any site', async () => {
    const { root, answer } = await badge('bob');
    expect(texts(root)).toEqual(['Hill', 'rank 1 · place 4']);
    expect(root.getAttribute('role')).toBe('img');
    expect(root.getElementsByTagName('title')[0]?.textContent).toBe('Bob on Hill: rank 1 · place 4');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const known = await web.get('/badge/bob.svg', {
      headers: { 'If-None-Match': answer.headers.get('etag') as string },
    });
    expect(known.status).toBe(304);
  });

  test('of who holds nothing and has no rank says so; of nobody there is none', async () => {
    await hill.root.query('update hill.accounts set name = $1 where id = $2', [nasty, cast.gus.id]);
    const { root } = await badge('gus');
    expect(root.getElementsByTagName('title')[0]?.textContent).toBe(`${nasty} on Hill: rank 7`);
    expect((await web.get('/badge/nobody.svg')).status).toBe(404);
  });

  test('is offered on the page of its identity, with what to copy', async () => {
    const page = await (await web.get('/identity/dan')).text();
    const { origin } = new URL(`http://localhost:${new URL(web.baseUrl).port}`);
    expect(page).toContain(
      `&lt;a href=&quot;${origin}/identity/dan&quot;&gt;&lt;img src=&quot;${origin}/badge/dan.svg&quot; alt=&quot;Dan on Hill&quot;`,
    );
  });
});

test('crawlers find every page once, and what is not for them', async () => {
  const robots = await (await web.get('/robots.txt')).text();
  expect(robots).toMatch(/^User-agent: \*\nDisallow: \/go\/\n/);
  const base = `http://localhost:${new URL(web.baseUrl).port}`;
  expect(robots.trim().split('\n').at(-1)).toBe(`Sitemap: ${base}/sitemap.xml`);
  const locations = async (path: string) => {
    const root = xml(await (await web.get(path)).text());
    expect(root.namespaceURI).toBe('http://www.sitemaps.org/schemas/sitemap/0.9');
    for (const { textContent } of Array.from(root.getElementsByTagName('lastmod')))
      expect(new Date(textContent ?? '').getTime()).toBeGreaterThan(0);
    return Array.from(root.getElementsByTagName('loc')).map(({ textContent }) => (textContent ?? '').replace(base, ''));
  };
  const parts = await locations('/sitemap.xml');
  expect(parts).toEqual(['/sitemap/pages-1.xml', '/sitemap/nights-1.xml', '/sitemap/identities-1.xml']);
  const pages = (await Promise.all(parts.map(locations))).flat();
  expect(new Set(pages).size).toBe(pages.length);
  expect(pages).toEqual(
    expect.arrayContaining(['/', '/day/1', '/day/2', '/identity/dan', '/tournaments/spring-cup', '/rules']),
  );
  for (const path of pages) expect([path, (await web.get(path)).status]).toEqual([path, 200]);
  for (const path of [
    '/sitemap/nights-2.xml',
    '/sitemap/nights-0.xml',
    '/sitemap/nothing-1.xml',
    '/sitemap/pages-2.xml',
  ])
    expect([path, (await web.get(path)).status]).toEqual([path, 404]);
});

test('whoever found a hole learns where to write, from a text that is valid for less than a year', async () => {
  const fields = Object.fromEntries(
    (await (await web.get('/.well-known/security.txt')).text())
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/s) as [string, string]),
  );
  expect(fields).toMatchObject({
    Contact: 'mailto:security@localhost',
    Canonical: expect.stringMatching(/\/\.well-known\/security\.txt$/),
  });
  const day = 86_400_000;
  for (let at = Date.parse('2026-01-01'); at < Date.parse('2028-01-01'); at += day) {
    const expires = Date.parse(
      /Expires: (.*)/.exec(securityTxt({ baseUrl: 'https://hill.example', securityContact: null }, at))?.[1] ?? '',
    );
    expect(expires - at).toBeGreaterThan(170 * day);
    expect(expires - at).toBeLessThan(365 * day);
  }
  expect(securityTxt({ baseUrl: 'https://hill.example', securityContact: 'https://hill.example/report' })).toMatch(
    /^Contact: https:\/\/hill\.example\/report\n/,
  );
});

test.each([
  ['/favicon.ico', 'image/png', '\x89PNG'],
  ['/changelog.md', 'text/markdown; charset=utf-8', '# Changelog'],
  ['/compatibility.md', 'text/markdown; charset=utf-8', '# Compatibility'],
])('%s is there', async (path, type, begins) => {
  const answer = await web.get(path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
  expect(
    Buffer.from(await answer.arrayBuffer())
      .toString('latin1')
      .startsWith(begins),
  ).toBe(true);
});

describe('the status', () => {
  const data = async () => {
    const answer = await web.get('/api/status');
    return { code: answer.status, ...((await answer.json()) as Record<string, unknown>) };
  };
  const page = async () => {
    const answer = await web.get('/status', { headers: { Accept: 'text/html' } });
    return `${answer.status} ${words(await answer.text())}`;
  };

  test('tells the last night, the next bell and the version, to programs and people', async () => {
    expect(await data()).toMatchObject({
      ...{ code: 200, status: 'ok', version: about.version, day: 3, late_seconds: 0, boards_day: 2 },
      ...{ nextBellAt: '2026-03-04T00:00:00.000000Z', lastNight: { day: 2, lag_seconds: 0 } },
    });
    expect(await page()).toMatch(/^200 .*The hill keeps its hours.*Last nightNight 2 published at once/s);
  });

  test('says so when the database does not answer, in the same form', async () => {
    await hill.asRoot(async (root) => {
      await root.query('begin; lock table hill.settings in access exclusive mode');
      try {
        // what was told before is no answer now
        await until('it is told', async () => (await fetch(`${web.baseUrl}/api/status`)).status === 503);
        const answer = await fetch(`${web.baseUrl}/api/status`);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(await answer.json()).toMatchObject({
          status: 'unavailable',
          version: about.version,
          lastNight: null,
          day: null,
        });
        const told = await fetch(`${web.baseUrl}/status`, { headers: { Accept: 'text/html' } });
        const page = await told.text();
        expect([told.status, words(page)]).toEqual([503, expect.stringContaining('The hill does not answer')]);
        // a browser applies no other style
        const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] as string;
        expect(told.headers.get('content-security-policy')).toContain(
          createHash('sha256').update(style).digest('base64'),
        );
      } finally {
        await root.query('rollback');
      }
    });
    expect(await data()).toMatchObject({ code: 200, status: 'ok' });
  });

  test('says by how much a bell is late', async () => {
    await hill.root.query(
      "update hill.settings set shown_at = shown_at + interval '1 day', set_at = clock_timestamp(), rate = 1",
    );
    await hill.root.query("update hill.settings set shown_at = shown_at + interval '14 hours 10 minutes'");
    try {
      const late = await data();
      expect(late).toMatchObject({ status: 'late', lastNight: { day: 2 } });
      expect((late as Record<string, unknown>).late_seconds).toBeGreaterThan(120);
      expect(await page()).toContain('The bell is overdue by');
    } finally {
      await hill.root.query(
        "update hill.settings set shown_at = '2026-03-03T10:00:00Z', set_at = clock_timestamp(), rate = 0",
      );
    }
  });
});

describe('a tournament', () => {
  let long: string;
  beforeAll(async () => {
    long = await aTournament(hill, {
      ...{ opens_day: 3, sign_ups_close_day: 3, starts_day: 4, ends_day: 9_000 },
      ...{
        slug: 'long',
        name: `Long; very, very "long" \\ ${'ü'.repeat(50)}`,
        tagline: 'Line, one; and more 🏔🏔🏔🏔🏔🏔🏔🏔🏔🏔🏔🏔🏔',
      },
    });
    await hill.clock.toDay(9);
  });

  test('has a feed of its own nights, and of its sign-ups', async () => {
    const { entries, title } = await feedAt('/tournaments/spring-cup.atom');
    expect(title).toBe('Spring Cup on Hill');
    expect(entries.map((entry) => [entry.title, entry.updated.slice(0, 10)])).toEqual([
      ['Spring Cup, night 1 of 7. Nobody moves: the hill stands empty', '2026-03-09'],
      ['Spring Cup: sign-ups are open', '2026-03-02'],
    ]);
  });

  test('is in the calendar with its sign-ups, its days and its bells', async () => {
    const answer = await web.get('/tournaments.ics');
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const text = await answer.text();
    expect(text.split('\r\n').filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const events = new ICAL.Component(ICAL.parse(text))
      .getAllSubcomponents('vevent')
      .map((event) => new ICAL.Event(event));
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
    const of = (name: string) => events.filter(({ summary }) => summary.startsWith(name));
    const spring = of('Spring Cup');
    expect(
      spring.map(({ summary, startDate, endDate }) => [summary, startDate.toString(), endDate.toString()]),
    ).toEqual([
      ['Spring Cup: sign-ups', '2026-03-02', '2026-03-07'],
      ['Spring Cup', '2026-03-08', '2026-03-15'],
      ...Array.from({ length: 7 }, (_, i) => [
        `Spring Cup: bell of night ${i + 1} of 7`,
        ...[
          `2026-03-${String(9 + i).padStart(2, '0')}T00:00:00Z`,
          `2026-03-${String(9 + i).padStart(2, '0')}T00:00:00Z`,
        ],
      ]),
    ]);
    expect(spring[1]?.description).toBe(
      `Seven nights in spring\n7 nights on Hill, each decided by its bell at 00:00 UTC. http://localhost:${new URL(web.baseUrl).port}/tournaments/spring-cup`,
    );
    // escaped and folded, and bounded: a year of its bells
    expect(of('Long; very, very "long" \\ üü')).toHaveLength(2 + 1 + 366 + (9 - 4) - 0);
    expect(long).toBe('long');
    for (const event of events)
      expect(event.component.getFirstPropertyValue('dtstamp')?.toString()).toMatch(/^2026-03-0[23]T00:00:00Z$/);
    expect(await (await web.get('/tournaments.ics')).text()).toBe(text);
  });
});
