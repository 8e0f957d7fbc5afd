// Tricks after the first answer: where a redirect leads.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardedFetcher, type Reason } from '../../../src/outside/fetcher/index.ts';
import { aLoopbackServer, anInternet, type Internet } from '../../support/outside/internet.ts';
import { refusedWith } from '../../support/outside/refused.ts';

let internet: Internet;
beforeAll(async () => {
  internet = await anInternet();
  internet.dns.tell('inside.example', ['127.0.0.1']);
  await internet.site('good', ({ url, headers, method }, response) =>
    response.end(JSON.stringify({ url, headers, method })),
  );
  // Sends whoever comes wherever the query says.
  await internet.site('sender', ({ url }, response) => {
    const { searchParams } = new URL(url ?? '/', 'https://sender.example');
    response
      .writeHead(Number(searchParams.get('status')), { Location: searchParams.get('to') ?? '' })
      .end('<p>gone</p>');
  });
});
afterAll(() => internet.close());

const sender = (to: string, status = 302): string =>
  `https://sender.example/?${new URLSearchParams({ to, status: String(status) })}`;

test.each([301, 302, 303, 307, 308])('%i to loopback', async (status) => {
  await refusedWith('url_host', internet, sender('https://127.0.0.1/', status), { maxRedirects: 5 });
});

test.each<[string, Reason]>([
  ['https://[::1]/', 'url_host'],
  ['https://169.254.169.254/latest/meta-data/', 'url_host'],
  ['//127.0.0.1/', 'url_host'],
  ['https://2130706433/', 'url_host'],
  ['https://0x7f.1/', 'url_host'],
  ['https://localhost/', 'url_host'],
  ['https://inside.example/', 'address_not_public'],
  ['//inside.example/', 'address_not_public'],
  ['https://good.example@127.0.0.1/', 'url_credentials'],
  ['https://user:password@good.example/', 'url_credentials'],
  ['https://good.example:22/', 'url_port'],
  ['http://good.example/', 'url_scheme'],
  ['http://127.0.0.1/', 'url_scheme'],
  ['file:///etc/passwd', 'url_scheme'],
  ['data:application/json,{}', 'url_scheme'],
  ['javascript:alert(1)', 'url_scheme'],
  ['gopher://127.0.0.1:6379/_FLUSHALL', 'url_scheme'],
  ['ftp://good.example/', 'url_scheme'],
  ['/\\127.0.0.1/', 'url_malformed'],
  ['https:\\\\127.0.0.1\\', 'url_malformed'],
  ['https://[::1', 'url_malformed'],
  ['https://127.0.0.1 /', 'url_malformed'],
  ['', 'url_malformed'],
])('to %j', async (to, reason) => {
  await refusedWith(reason, internet, sender(to), { maxRedirects: 5 });
});

test('without an address', async () => {
  await internet.site('nowhere', (_request, response) => response.writeHead(302).end());
  await refusedWith('url_malformed', internet, 'https://nowhere.example/', { maxRedirects: 1 });
});

test('through a public site, to loopback', async () => {
  await refusedWith('url_host', internet, sender(sender(sender('https://127.0.0.1/'))), { maxRedirects: 5 });
});

test('in a circle, as often as was allowed and no more', async () => {
  let visits = 0;
  await internet.site('circle', (_request, response) => {
    visits += 1;
    response.writeHead(302, { Location: '/' }).end();
  });
  await refusedWith('redirect', internet, 'https://circle.example/', { maxRedirects: 3 });
  expect(visits).toBe(4);
});

describe('not at all', () => {
  test('unless it is asked for', () => refusedWith('redirect', internet, sender('https://good.example/')));

  test('for a POST, whose body was meant for the first address', () =>
    refusedWith('redirect', internet, sender('https://good.example/', 307), {
      method: 'POST',
      body: '{}',
      maxRedirects: 5,
    }));

  test.each<[string, Record<string, string>, string]>([
    ['Refresh', { Refresh: '0; url=https://127.0.0.1/' }, ''],
    ['a meta element', {}, '<meta http-equiv="refresh" content="0; url=https://127.0.0.1/">'],
    [
      'Content-Location and Link',
      { 'Content-Location': 'https://127.0.0.1/', Link: '<https://127.0.0.1/>; rel=preload' },
      '',
    ],
    ['Alt-Svc', { 'Alt-Svc': 'h2="127.0.0.1:443"; ma=3600; persist=1' }, ''],
    ['Location without a status for it', { Location: 'https://127.0.0.1/' }, ''],
  ])('by %s', async (what, headers, body) => {
    const label = `by-${what.replace(/[^a-z]+/gi, '-').toLowerCase()}`;
    const site = await internet.site(label, (_request, response) => response.writeHead(200, headers).end(body));
    const before = { heard: internet.canary.heard(), reached: internet.reached.length };

    await internet.fetch(`https://${site.name}/`, { maxRedirects: 5 });
    await internet.fetch(`https://${site.name}/`, { maxRedirects: 5 });

    expect(internet.canary.heard()).toBe(before.heard);
    expect(internet.reached.slice(before.reached)).toEqual([`${site.address}:443`, `${site.address}:443`]);
  });
});

test('a good one is followed, without what was meant for the first origin', async () => {
  const answer = await internet.fetch(sender('https://good.example/there?x=1#part'), {
    maxRedirects: 1,
    headers: { 'X-Signature': 'secret' },
  });

  expect(answer.url).toBe('https://good.example/there?x=1#part');
  expect(JSON.parse(answer.body.toString())).toMatchObject({
    url: '/there?x=1',
    method: 'GET',
    headers: { host: 'good.example' },
  });
  expect(answer.body.toString()).not.toContain('secret');
});

describe('on loopback, where development allows it', () => {
  const fetch = () => guardedFetcher({ ...internet.settings, allowLoopback: true });

  test('one loopback address may lead to another', async () => {
    const there = await aLoopbackServer((_request, response) => response.end('there'));
    const here = await aLoopbackServer((_request, response) =>
      response.writeHead(307, { Location: `http://127.0.0.1:${there}/` }).end(),
    );
    const local = guardedFetcher({ userAgent: 'Hill-test/1', allowLoopback: true });

    expect((await local(`http://localhost:${here}/`, { maxRedirects: 1 })).body.toString()).toBe('there');
  });

  test('a public address may not', async () => {
    const before = internet.canary.heard();
    await expect(
      fetch()(sender(`http://127.0.0.1:${internet.canary.port}/`), { maxRedirects: 1 }),
    ).rejects.toMatchObject({
      reason: 'url_scheme',
    });
    await expect(fetch()(sender('https://127.0.0.1/'), { maxRedirects: 1 })).rejects.toMatchObject({
      reason: 'url_host',
    });
    expect(internet.canary.heard()).toBe(before);
  });
});
