// All that the hill links, from its texts and its description on, through every answer that they lead to. Rules 10.1,
// 10.2.
import { hash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight } from '../support/hill/a-lively-night.ts';
import { useHill } from '../support/hill/index.ts';
import { springCup } from '../support/hill/spring-cup.ts';
import { signLog } from '../support/log/sign.ts';

const hill = useHill();
const web = useWebDoor(hill);
beforeAll(async () => {
  await signLog(hill);
  await aLivelyNight(hill);
  await springCup(hill);
  await hill.root.query("update hill.accounts set url = 'https://ann.example/' where slug = 'ann'");
});

const discovered = [
  '/mcp/server-card',
  '/server.json',
  '/.well-known/ai-catalog.json',
  '/.well-known/api-catalog',
  '/.well-known/agent-skills/index.json',
];
const roots = [
  ...discovered,
  '/',
  '/llms.txt',
  '/openapi.json',
  '/rules.md',
  '/links.md',
  '/auth.md',
  '/errors',
  '/api/nothing',
];
/** Sent to, not read. */
const posts = [
  '/mcp',
  '/agent/identity',
  '/agent/identity/claim',
  '/oauth/register',
  '/oauth/device_authorization',
  '/oauth/token',
  '/oauth/revoke',
];
/** What a client fills in. */
const filled: Readonly<Record<string, string>> = { '{n}': '1', '{id}': 'ann', '{text}': 'ann' };

const unescaped = (text: string) =>
  text.replaceAll('&amp;', '&').replaceAll('&#38;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');

/** The addresses in a text that are the hill's own, as a client would ask for them. */
function named(from: string, text: string, type: string): string[] {
  const { port } = new URL(web.baseUrl);
  // also in what is told to be copied, and in HTML in XML
  const whole = [
    ...unescaped(text).matchAll(
      new RegExp(`http://(?:localhost|127\\.0\\.0\\.1):${port}(/[^\\s"'<>\`\\\\)|*]*)?`, 'g'),
    ),
  ].map(([, path]) => path ?? '/');
  const short = type.startsWith('text/html')
    ? [...text.matchAll(/ (?:href|src)="((?:\/|#|\?)[^"]*)"/g)].map(
        ([, href]) => new URL(unescaped(href as string), `${web.baseUrl}${from}`),
      )
    : [];
  return [...whole, ...short.map(({ pathname, search, hash }) => pathname + search + hash)].map((path) =>
    unescaped(decodeURI(path))
      .replace(/[.,;:]+$/, '')
      .replace('{slug}', path.startsWith('/api/tournaments') ? 'spring-cup' : 'ann')
      .replace(/\{\w+\}/g, (name) => filled[name] ?? name),
  );
}

test('every address that the hill names leads somewhere, and its fragment is on that page', async () => {
  const seen = new Map<string, { status: number; type: string; text: string }>();
  const wrong: string[] = [];
  const to = roots.map((path) => ({ path, from: 'the test' }));
  const met = new Set(roots);
  for (let next = to.shift(); next; next = to.shift()) {
    const [path = '', fragment] = next.path.split('#');
    if (!seen.has(path)) {
      const answer = await web.get(path, { redirect: 'manual' });
      const type = answer.headers.get('content-type') ?? '';
      // a stream has no end
      const body = type === 'text/event-stream' ? await answer.body?.cancel() : await answer.text();
      const text = `${body} ${answer.headers.get('location') ? `<a href="${answer.headers.get('location')}">` : ''}`;
      seen.set(path, { status: answer.status, type, text });
      for (const other of named(path, text, answer.status < 400 && answer.status >= 300 ? 'text/html' : type))
        if (!met.has(other)) {
          met.add(other);
          to.push({ path: other, from: path });
        }
      const right =
        posts.includes(path) || path === '/api/nothing'
          ? answer.status === (path === '/api/nothing' ? 404 : 405)
          : answer.status === 200 || (answer.status < 400 && answer.headers.has('location'));
      // what only a request that a client makes has, an icon that nobody's site has, and the engine of an example
      if (
        !right &&
        path !== '/oauth/authorize' &&
        !path.startsWith('/icon/') &&
        path !== `/source/${hash('sha256', '')}`
      )
        wrong.push(`${path} of ${next.from} is ${answer.status}`);
    }
    const page = seen.get(path);
    // an address that leads on, such as the account's to the sign-in, has the fragments of the page behind it
    if (
      fragment &&
      page?.status === 200 &&
      page.type.startsWith('text/html') &&
      !page.text.includes(`id="${fragment}"`)
    )
      wrong.push(`${next.path} of ${next.from} is not on its page`);
  }
  expect(wrong).toEqual([]);
  // what must have been met on the way
  for (const path of [
    ...posts,
    '/rules',
    '/api/day/1/night.json',
    '/source',
    '/source#night',
    '/log',
    '/tournaments/spring-cup',
    '/identity/ann',
    '/go/ann',
  ])
    expect([...met]).toContain(path);
  expect([...met].filter((path) => path.startsWith('/errors#')).length).toBeGreaterThan(0);
});
