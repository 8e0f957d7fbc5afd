// Tricks in the URL itself: each is refused before anything is resolved or dialled.
import http from 'node:http';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { targetOf } from '../../../src/outside/fetcher/target.ts';
import { ownHosts } from '../../support/outside/canary.ts';
import { anInternet, type Internet } from '../../support/outside/internet.ts';
import { refusedWith } from '../../support/outside/refused.ts';
import { randomFrom } from '../../support/random.ts';

let internet: Internet;
beforeAll(async () => {
  internet = await anInternet();
});
afterAll(() => internet.close());

// Written in another way, so that a filter which looks at the text sees no loopback address, and a parser which repairs
// it does.
const disguised = [
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0x7F.1',
  '017700000001',
  '0177.0.0.1',
  '127.000.000.001',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '%6c%6f%63%61%6c%68%6f%73%74',
  '１２７.0.0.1',
  '127。0。0。1',
  '①②⑦.⓪.⓪.①',
  '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'local\u00adhost',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7F00:0001]',
  '127.0.\t0.1',
  '127.0.\n0.1',
];

test.each(disguised)('a loopback host in disguise: %j', async (host) => {
  await refusedWith('url_malformed', internet, `https://${host}/`);
});

describe('the disguises are real: Node itself would have gone there', () => {
  // Forms that name the machine itself on every system; where they lead elsewhere (::127.0.0.1 is no route) nothing
  // would be proved.
  test.each(disguised.filter((host) => !/^\[::127|local\u00adhost/.test(host)))('%j', async (host) => {
    const before = internet.canary.heard();
    await new Promise<void>((resolve) => {
      http
        .get(new URL(`http://${host}:${internet.canary.port}/`), { agent: false }, (response) =>
          response.resume().on('end', resolve),
        )
        .on('error', () => resolve());
    });
    if (/^\[/.test(host) && !ownHosts().includes('[::1]')) return;
    expect(internet.canary.heard()).toBe(before + 1);
  });
});

const notPublic = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:7f00:1]',
  '[::7f00:1]',
  '[::ffff:0:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[fec0::1]',
  '[ff02::1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.100.100.200',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  'localhost',
  'LocalHost',
  'admin.localhost',
  'printer',
  'printer.local',
  'metadata.google.internal',
  'router.home.arpa',
  'service.onion',
];

test.each([...notPublic, ...ownHosts()])('a host that is not public: %s', async (host) => {
  await refusedWith('url_host', internet, `https://${host}/`);
});

const malformed = [
  'https:/127.0.0.1/',
  'https:127.0.0.1',
  'https:\\\\127.0.0.1\\',
  '//127.0.0.1/',
  '/etc/passwd',
  '',
  ' https://good.example/',
  'https://good.example/\r\nHost: 127.0.0.1',
  'https://good.example/\u0000',
  'https://127.0.0.1\\.good.example/',
  'https://good.example\\@127.0.0.1/',
  'https://good.example:0443/',
  'https://good.example:/',
  'https://good.example:65536/',
  'https://good.example:-443/',
  'https://[::1%25lo]/',
  'https://[fe80::1%lo]/',
  'https://[::1/',
  'https://::1/',
  'https://bücher.example/',
  `https://good.example/${'a'.repeat(2048)}`,
];

test.each(malformed)('not a URL in its plain form: %j', async (url) => {
  await refusedWith('url_malformed', internet, url);
});

test.each([
  'https://good.example@127.0.0.1/',
  'https://127.0.0.1@good.example/',
  'https://user:password@good.example/',
  'https://@good.example/',
  'https://:@good.example/',
  'https://127.0.0.1:443%40@good.example/',
])('credentials: %s', async (url) => {
  await refusedWith('url_credentials', internet, url);
});

test.each([22, 25, 80, 0, 8443, 6379, 5432])('an odd port: %i', async (port) => {
  await refusedWith('url_port', internet, `https://good.example:${port}/`);
});

test.each([
  'http://good.example/',
  'http://127.0.0.1/',
  'file:///etc/passwd',
  'ftp://good.example/',
  'gopher://127.0.0.1:70/_',
  'ws://good.example/',
  'data:application/json,{}',
  'javascript:alert(1)',
  'blob:https://good.example/1',
  'view-source:https://good.example/',
  'unix:/var/run/docker.sock',
])('another scheme: %s', async (url) => {
  await refusedWith('url_scheme', internet, url);
});

test.each([
  'localhost.',
  'good.example.',
  '.good.example',
  'good..example',
  '-good.example',
  'good_.example',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(130)}example`,
])('a name that is not one: %s', async (name) => {
  await refusedWith('url_host', internet, `https://${name}/`);
});

test('whatever is put together from confusing parts is refused, or has the host that it shows', () => {
  const random = randomFrom(20_261_120);
  const parts = [
    '127.0.0.1',
    'good.example',
    '@',
    ':',
    '\\',
    '/',
    '//',
    '#',
    '?',
    '[::1]',
    '%2e',
    '.',
    '0x7f.1',
    '443',
    '。',
    '\t',
    '%00',
    'localhost',
    '⓵',
    ' ',
    '2130706433',
  ];
  let passed = 0;
  for (let n = 0; n < 5_000; n++) {
    const text = `${random.chance(0.9) ? 'https://' : ''}${random.chance(0.5) ? 'good.example' : ''}${Array.from({ length: random.below(5) }, () => random.pick(parts)).join('')}`;
    try {
      const target = targetOf(text, false);
      passed += 1;
      expect([target.port, target.url.protocol], text).toEqual([443, 'https:']);
      expect(text.slice(8).split(/[/?#]/, 1)[0]?.replace(/:443$/, ''), text).toBe(target.name);
      expect(net.isIP(target.name), text).toBe(0);
    } catch (error) {
      expect((error as Error).name, text).toBe('FetchRefused');
    }
  }
  expect(passed).toBeGreaterThan(100);
});
