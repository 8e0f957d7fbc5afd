// Tricks in DNS, asked from a real DNS server on loopback: names that lead inside, sometimes, or later.
import { Resolver } from 'node:dns/promises';
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardedFetcher } from '../../../src/outside/fetcher/index.ts';
import { ownHosts } from '../../support/outside/canary.ts';
import { anInternet, type Internet, publicIpv4, publicIpv6 } from '../../support/outside/internet.ts';
import { refusedWith } from '../../support/outside/refused.ts';

let internet: Internet;
beforeAll(async () => {
  internet = await anInternet();
  internet.dns.tell('inside.example', ['127.0.0.1']);
  internet.dns.tell('hop.example', ['→ inside.example']);
  internet.dns.tell('localhost', ['127.0.0.1', '::1']);
});
afterAll(() => internet.close());

const plain = (host: string): string => host.replace(/^\[|\]$/g, '');

test.each<[string, string[]]>([
  ['loopback', ['127.0.0.1']],
  ['another loopback', ['127.8.8.8']],
  ['the unspecified address', ['0.0.0.0']],
  ['private', ['192.168.0.10']],
  ['the metadata of a cloud', ['169.254.169.254']],
  ['a carrier', ['100.64.0.1']],
  ['loopback in IPv6', ['::1']],
  ['IPv4-mapped', ['::ffff:127.0.0.1']],
  ['IPv4-mapped, public', ['::ffff:93.184.215.200']],
  ['IPv4-compatible', ['::7f00:1']],
  ['NAT64', ['64:ff9b::7f00:1']],
  ['local NAT64', ['64:ff9b:1::a00:1']],
  ['6to4', ['2002:7f00:1::1']],
  ['Teredo', ['2001::1']],
  ['unique local', ['fd12:3456::1']],
  ['link-local', ['fe80::1']],
  ['multicast', ['ff02::1']],
  ['private after public', [publicIpv4, '10.0.0.1']],
  ['private before public', ['10.0.0.1', publicIpv4]],
  ['one private among many', [...Array.from({ length: 19 }, (_, n) => `93.184.215.${n + 1}`), '127.0.0.1']],
  ['public IPv4, private IPv6', [publicIpv4, '::1']],
  ['private IPv4, public IPv6', ['127.0.0.1', publicIpv6]],
  ['a CNAME to a private name', ['→ inside.example']],
  ['two CNAMEs to a private name', ['→ hop.example']],
  ['a CNAME to localhost', ['→ localhost']],
  ...ownHosts().map((host): [string, string[]] => [`this machine, ${host}`, [plain(host)]]),
])('a name whose answer is %s', async (what, answer) => {
  const name = `${what
    .replace(/[^a-z0-9]+/gi, '-')
    .replace(/-$/, '')
    .toLowerCase()}.tricks.example`;
  internet.dns.tell(name, answer);
  await refusedWith('address_not_public', internet, `https://${name}/`);
});

describe('a name that has no address', () => {
  test('because nobody knows it, and whoever wrote it into the hosts file is told that DNS alone is asked', async () => {
    const refusal = await refusedWith('host_not_found', internet, 'https://nobody.tricks.example/');
    expect(refusal.message).toBe('DNS has no address of the host. The hosts file is not asked.');
  });

  test('because it has other records only', async () => {
    internet.dns.tell('empty.example', []);
    await refusedWith('host_not_found', internet, 'https://empty.example/');
  });

  test('because its servers fail', async () => {
    internet.dns.tell('broken.example', 'SERVFAIL');
    await refusedWith('host_not_found', internet, 'https://broken.example/');
  });

  test('because its CNAMEs go in a circle', async () => {
    internet.dns.tell('round.example', ['→ about.example']);
    internet.dns.tell('about.example', ['→ round.example']);
    await refusedWith('host_not_found', internet, 'https://round.example/');
  });

  test('because nobody answers: the time is up for all together', async () => {
    internet.dns.tell('silent.example', 'silence');
    const started = Date.now();
    await refusedWith('timeout', internet, 'https://silent.example/', { timeoutMs: 300 });
    expect(Date.now() - started).toBeLessThan(1_500);
  });
});

test('an outsider cannot tell an unknown name from a private one or from a closed door', async () => {
  internet.dns.tell('private.example', ['10.1.2.3']);
  const closed = await internet.site('closed', (_request, response) => response.end());
  internet.carry(closed.address, { ...closed, port: 1 });

  const told = await Promise.all([
    refusedWith('host_not_found', internet, 'https://unknown.example/'),
    refusedWith('address_not_public', internet, 'https://private.example/'),
    refusedWith('no_connection', internet, 'https://closed.example/'),
  ]);

  expect(told.map((refusal) => refusal.publicReason)).toEqual(['unreachable', 'unreachable', 'unreachable']);
});

describe('rebinding: public at the first question, loopback at every later one', () => {
  test('deceives whoever checks one answer and connects to another', async () => {
    internet.dns.tell('naive.example', [publicIpv4], ['127.0.0.1']);
    const resolver = new Resolver();
    resolver.setServers([internet.dns.server]);
    const before = internet.canary.heard();

    expect(await resolver.resolve4('naive.example')).toEqual([publicIpv4]); // "checked"
    await new Promise<void>((resolve) => {
      const lookup = (
        name: string,
        _options: unknown,
        done: (error: null, addresses: { address: string; family: number }[]) => void,
      ) =>
        void resolver.resolve4(name).then((addresses) =>
          done(
            null,
            addresses.map((address) => ({ address, family: 4 })),
          ),
        );
      http.get({ agent: false, host: 'naive.example', port: internet.canary.port, lookup: lookup as never }, (r) =>
        r.resume().on('end', resolve),
      );
    });

    expect(internet.canary.heard()).toBe(before + 1);
  });

  test('does not deceive the fetcher: it asks once, and connects to the address that it checked', async () => {
    const site = await internet.site('rebinding', (_request, response) => response.end('the public one'));
    internet.dns.tell(site.name, [site.address], ['127.0.0.1']);

    const answer = await internet.fetch(`https://${site.name}/`);

    expect(answer.body.toString()).toBe('the public one');
    expect(internet.reached.at(-1)).toBe(`${site.address}:443`);
    expect(internet.dns.asked(site.name)).toEqual({ A: 1, AAAA: 1 });
    await refusedWith('address_not_public', internet, `https://${site.name}/`);
  });

  test('between a redirect and its target: checked again', async () => {
    const site = await internet.site('turning', (_request, response) =>
      response.writeHead(302, { Location: '/inside' }).end(),
    );
    internet.dns.tell(site.name, [site.address], ['127.0.0.1']);

    await refusedWith('address_not_public', internet, `https://${site.name}/`, { maxRedirects: 3 });
    expect(internet.reached.at(-1)).toBe(`${site.address}:443`);
  });

  test('by the other family: the public IPv4 answers late, the private IPv6 at once', async () => {
    const site = await internet.site('families', (_request, response) => response.end());
    internet.dns.tell(site.name, [site.address, 'fd00::2']);
    await refusedWith('address_not_public', internet, `https://${site.name}/`);
  });
});

test('what is allowed on loopback in development is what is written as loopback, and no name that leads there', async () => {
  const fetch = guardedFetcher({ ...internet.settings, allowLoopback: true });
  const before = internet.canary.heard();

  await expect(fetch('https://inside.example/')).rejects.toMatchObject({ reason: 'address_not_public' });
  await expect(fetch(`http://inside.example:${internet.canary.port}/`)).rejects.toMatchObject({ reason: 'url_scheme' });
  await expect(fetch('https://192.168.1.1/')).rejects.toMatchObject({ reason: 'url_host' });
  expect(internet.canary.heard()).toBe(before);
});
