// The first page for programs: as Markdown for whoever asks for it, and with a Link field that leads on. RFC 8288; RFC
// 9110, 12.5.1; protocol 7.6.
import { beforeAll, describe, expect, test } from 'vitest';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill({ day: 1 });
const web = useWebDoor(hill);
const get = (accept?: string, init: RequestInit = {}) =>
  web.get('/', { ...init, headers: { ...(accept ? { Accept: accept } : {}), ...init.headers } });
const markdown = async () => (await get('text/markdown')).text();
const typeFor = async (accept?: string) => (await get(accept)).headers.get('content-type');

describe('who gets it', () => {
  test.each([
    ['text/markdown', 'text/markdown'],
    ['text/markdown, text/html;q=0.9, */*;q=0.1', 'text/markdown'],
    ['text/markdown, text/html, */*', 'text/markdown'],
    ['text/html, text/markdown', 'text/html'],
    ['text/html, text/markdown;q=0.5', 'text/html'],
    ['text/markdown;q=0', 'text/html'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['*/*', 'text/html'],
    ['application/json', 'text/html'],
    [undefined, 'text/html'],
  ])('%s: %s', async (accept, type) => {
    // once made and once kept
    expect([await typeFor(accept), await typeFor(accept)]).toEqual([
      `${type}; charset=utf-8`,
      `${type}; charset=utf-8`,
    ]);
  });

  test('caches are told that it depends on what is asked for, and each form has its validator', async () => {
    const [page, text] = [await get('text/html'), await get('text/markdown')];
    for (const answer of [page, text]) {
      expect(answer.headers.get('vary')?.split(/, ?/)).toEqual(['Accept', 'Accept-Encoding']);
      expect(answer.headers.get('etag')).toBeTruthy();
    }
    expect(text.headers.get('etag')).not.toBe(page.headers.get('etag'));
    expect(text.headers.get('cache-control')).toBe(page.headers.get('cache-control'));
    expect(text.headers.get('access-control-allow-origin')).toBe('*');
    const etag = text.headers.get('etag') as string;
    const again = await get('text/markdown', { headers: { 'If-None-Match': etag } });
    expect([again.status, again.headers.get('vary')?.startsWith('Accept')]).toEqual([304, true]);
    expect((await get('text/html', { headers: { 'If-None-Match': etag } })).status).toBe(200);
    expect((await get('text/markdown', { method: 'HEAD' })).headers.get('content-type')).toBe(
      'text/markdown; charset=utf-8',
    );
  });

  test('nobody can ask for the kept text by its key', async () => {
    expect((await web.get('/%20as%20Markdown')).status).toBe(404);
  });
});

test.each(['text/html', 'text/markdown'])('%s leads on in its Link field', async (accept) => {
  const link = (await get(accept)).headers.get('link') as string;
  const links = [...link.matchAll(/<([^>]+)>; rel="([\w-]+)"; type="([^"]+)"(?:, |$)/g)].map(([, ...parts]) => parts);

  expect(links.map(([, rel]) => rel)).toEqual(
    'alternate service-doc service-doc alternate service-desc service-desc api-catalog ai-catalog service-meta'.split(
      ' ',
    ),
  );
  for (const [to, , type] of links as [string, string, string][]) {
    const answer = await web.get(to, { headers: { Accept: type } });
    expect([to, answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([to, 200, type]);
  }
});

test('before any night it says so, and when the bell rings', async () => {
  const text = await markdown();
  expect(text).toMatch(/^# Hill: day 1\n\n/);
  expect(text).toContain('The bell rings at 2026-03-02T00:00:00');
  expect(text).toContain('| 1 | 10 | - | - |');
  expect(text).toContain('## Last night\n\nNo bell has rung yet.\n\n## Announced today\n\nNothing yet.');
  expect(text).toMatch(/\[How to play, from nothing to a sealed move\]\(http\S+\/llms\.txt\)/);
});

describe('after a night', () => {
  let cast: Cast;
  beforeAll(async () => {
    cast = await aLivelyNight(hill);
  });

  test('it tells what the page tells', async () => {
    const text = await markdown();
    expect(text).toContain('# Hill: day 2');
    expect(text).toContain('| 1 | 10 | Ann, Bob | 0, 0 |');
    expect(text).toContain(
      '## The night of day 1\n\n**Ann and Bob take the top; Fay and Gus burn $18.00 on place 3**\n\n- Dan promised peace on place 2 and took it by war\n- Ann has a seat',
    );
    expect(text).toContain('| 1 | PEACE | 3 | 0 | Ann, Bob | - | 0 | - |');
    expect(text).toContain('| 2 | WAR | 1 | 1 | Dan | - | 1 | - |');
    expect(text).toMatch(/\| 3 \| BURN \| 0 \| 2 \| .*\| Fay, Gus: \$18\.00 \|/);
    expect(text).toContain('Nobody moved on places 4, 5, 6, 7, 8, 9 and 10.');
    expect(text).toContain('- Points of 30 nights: 1. Dan (9), 2. Ann (5)');
    expect(text.length / 4).toBeLessThan(1_500); // tokens, about
  });

  test('what accounts wrote is no markup, and no line of its own', async () => {
    await hill.root.query("update hill.accounts set name = '[x](http://evil.example)|# `a` <b>' where id = $1", [
      cast.ann.id,
    ]);
    await hill.asAgent(cast.ann).announce({ slot: 4, intention: 'WAR', message: '**obey** | <script>' });
    const text = await markdown();
    expect(text).toContain('| 1 | 10 | \\[x\\](http://evil.example)\\|\\# \\`a\\` \\<b\\>, Bob | 0, 0 |');
    expect(text).toContain(': WAR on place 4, “\\*\\*obey\\*\\* \\| \\<script\\>” (');
  });

  test('it changes when the page does', async () => {
    const before = await markdown();
    await hill.asAgent(cast.bob).announce({ slot: 5, intention: 'PEACE' });
    const after = await markdown();
    expect(before).not.toContain('PEACE on place 5');
    expect(after).toContain('- Bob: PEACE on place 5 (');
  });
});
