// What the fetcher is for: an honest answer from a public address, and manners on the way.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardedFetcher } from '../../../src/outside/fetcher/index.ts';
import { checkout } from '../../../src/process/config.ts';
import {
  aLoopbackServer,
  anInternet,
  type Internet,
  publicIpv4,
  publicIpv6,
  type Site,
} from '../../support/outside/internet.ts';
import { refusedWith } from '../../support/outside/refused.ts';
import { until } from '../../support/until.ts';

let internet: Internet;
let echo: Site;
beforeAll(async () => {
  internet = await anInternet();
  echo = await internet.site('echo', async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Set-Cookie': 'known=yes; Path=/' });
    const { servername } = request.socket as unknown as { servername: string | false };
    response.end(
      JSON.stringify({ method: request.method, url: request.url, headers: request.rawHeaders, body, servername }),
    );
  });
});
afterAll(() => internet.close());

test('a public address answers', async () => {
  const answer = await internet.fetch('https://echo.example/client.json?v=1', { accept: ['application/json'] });

  expect(answer).toMatchObject({ status: 200, url: 'https://echo.example/client.json?v=1' });
  expect(JSON.parse(answer.body.toString())).toMatchObject({
    method: 'GET',
    url: '/client.json?v=1',
    servername: 'echo.example',
    body: '',
  });
  expect(internet.reached.at(-1)).toBe(`${echo.address}:443`);
});

test('it is told the name, who asks, and nothing else', async () => {
  await internet.fetch('https://echo.example/');
  const { headers } = JSON.parse((await internet.fetch('https://echo.example/')).body.toString());

  expect(headers).toEqual([
    'user-agent',
    'Hill-test/1',
    'accept',
    '*/*',
    'accept-encoding',
    'identity',
    'host',
    'echo.example',
    'Connection',
    'close',
  ]);
});

test('a POST carries its body and the headers of the caller, who cannot name another host', async () => {
  const answer = await internet.fetch('https://echo.example/hook', {
    method: 'POST',
    body: '{"day":8}',
    headers: { 'Content-Type': 'application/json', Host: '127.0.0.1', 'Accept-Encoding': 'gzip' },
  });
  const seen = JSON.parse(answer.body.toString());

  expect(seen).toMatchObject({ method: 'POST', body: '{"day":8}' });
  expect(seen.headers.join(' ')).toContain('content-type application/json');
  expect(seen.headers.join(' ')).toContain('host echo.example');
  expect(seen.headers.join(' ')).not.toMatch(/127|gzip/);
});

test.each([publicIpv4, `[${publicIpv6}]`])('a public address that is written as such: %s', async (host) => {
  internet.carry(host.replace(/^\[|\]$/g, ''), echo);
  const answer = await internet.fetch(`https://${host}/`);
  expect(JSON.parse(answer.body.toString())).toMatchObject({ servername: false });
});

test('the usual port may be written, and capitals in the host', async () => {
  expect((await internet.fetch('HTTPS://Echo.Example:443/')).status).toBe(200);
});

test('a name in punycode', async () => {
  const site = await internet.site('xn--bcher-kva', (_request, response) => response.end('books'));
  expect((await internet.fetch(`https://${site.name}/`)).body.toString()).toBe('books');
});

test('the next address is tried when one does not answer, and at most four', async () => {
  const site = await internet.site('several', (_request, response) => response.end('here'));
  const closed = ['93.184.215.1', '93.184.215.2', '93.184.215.3', '93.184.215.4', '93.184.215.5'];
  for (const address of closed) internet.carry(address, { ...site, port: 1 });
  internet.dns.tell(site.name, [...closed.slice(0, 3), site.address], closed);

  expect((await internet.fetch(`https://${site.name}/`)).body.toString()).toBe('here');
  const before = internet.reached.length;
  await refusedWith('no_connection', internet, `https://${site.name}/`);
  expect(internet.reached.length - before).toBe(4);
});

test.each([204, 404, 418, 500])('a status is for the caller to judge: %i', async (status) => {
  const site = await internet.site(`status-${status}`, (_request, response) => response.writeHead(status).end());
  expect(
    (
      await internet.fetch(`https://${site.name}/`, {
        accept: status < 300 ? undefined : ['application/json'],
      } as object)
    ).status,
  ).toBe(status);
});

test('a type that was not asked for is refused', async () => {
  await internet.site('page', (_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
  );
  await refusedWith('content_type', internet, 'https://page.example/', { accept: ['application/json'] });
});

test('a body of exactly the allowed size', async () => {
  await internet.site('exact', (_request, response) => response.end('x'.repeat(5_120)));
  expect((await internet.fetch('https://exact.example/', { maxBytes: 5_120 })).body.length).toBe(5_120);
  await refusedWith('body_too_large', internet, 'https://exact.example/', { maxBytes: 5_119 });
});

describe('at once', () => {
  test('only so many for one name, for one address and for all, and none is kept waiting', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let waiting = 0;
    const slow = await internet.site('slow', async (_request, response) => {
      waiting += 1;
      await released;
      response.end('at last');
    });
    internet.dns.tell('another-name.example', [slow.address]);
    const fetch = guardedFetcher({ ...internet.settings, atOnce: 3, atOncePerHost: 2 });

    const first = [fetch('https://slow.example/'), fetch('https://slow.example/')];
    await until('both have arrived', async () => waiting === 2);
    await expect(fetch('https://slow.example/')).rejects.toMatchObject({ reason: 'busy', publicReason: 'busy' });
    await expect(fetch('https://another-name.example/')).rejects.toMatchObject({ reason: 'busy' });
    expect((await fetch('https://echo.example/')).status).toBe(200);

    internet.dns.tell('silent.example', 'silence');
    const third = fetch('https://silent.example/', { timeoutMs: 300 });
    await expect(fetch('https://echo.example/')).rejects.toMatchObject({ reason: 'busy' });
    await expect(third).rejects.toMatchObject({ reason: 'timeout' });

    release();
    expect((await Promise.all(first)).map(({ body }) => body.toString())).toEqual(['at last', 'at last']);
    expect((await fetch('https://slow.example/')).body.toString()).toBe('at last');
  });
});

describe('in development', () => {
  test.each(['localhost', '127.0.0.1'])('%s answers, in clear and at any port', async (host) => {
    const port = await aLoopbackServer(({ headers }, response) => response.end(headers.host));
    const fetch = guardedFetcher({ userAgent: 'Hill-test/1', allowLoopback: true });
    expect((await fetch(`http://${host}:${port}/`)).body.toString()).toBe(`${host}:${port}`);
  });

  test('unless it was not allowed', async () => {
    const port = await aLoopbackServer((_request, response) => response.end());
    await expect(guardedFetcher({ userAgent: 'Hill-test/1' })(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      reason: 'url_scheme',
    });
  });
});

test('nothing in src but the fetcher itself knows of `reach`', () => {
  const src = path.join(checkout, 'src');
  const knowing = fs
    .readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && /\breach\b\s*[:(?]/.test(fs.readFileSync(path.join(src, file), 'utf8')));
  expect(knowing.sort()).toEqual(['outside/fetcher/dial.ts', 'outside/fetcher/index.ts']);
});
