// Which addresses are public: IANA's special-purpose registries, their first and last addresses, and the neighbours
// outside.
import { describe, expect, test } from 'vitest';
import { isPublic } from '../../../src/outside/fetcher/address.ts';
import { ownHosts } from '../../support/outside/canary.ts';

const special: [string, first: string, last: string][] = [
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['private', '10.0.0.0', '10.255.255.255'],
  ['shared with a carrier', '100.64.0.0', '100.127.255.255'],
  ['loopback', '127.0.0.0', '127.255.255.255'],
  ['link-local, the metadata of clouds', '169.254.0.0', '169.254.255.255'],
  ['private', '172.16.0.0', '172.31.255.255'],
  ['IETF protocol assignments', '192.0.0.0', '192.0.0.255'],
  ['TEST-NET-1', '192.0.2.0', '192.0.2.255'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255'],
  ['AS112', '192.175.48.0', '192.175.48.255'],
  ['private', '192.168.0.0', '192.168.255.255'],
  ['benchmarking', '198.18.0.0', '198.19.255.255'],
  ['TEST-NET-2', '198.51.100.0', '198.51.100.255'],
  ['TEST-NET-3', '203.0.113.0', '203.0.113.255'],
  ['multicast, reserved and broadcast', '224.0.0.0', '255.255.255.255'],
  ["Azure's platform", '168.63.129.16', '168.63.129.16'],
  ['unspecified, loopback, IPv4-compatible', '::', '::ffff:ffff'],
  ['IPv4-mapped', '::ffff:0:0', '::ffff:ffff:ffff'],
  ['IPv4-mapped, of a public address', '::ffff:8.8.8.8', '::ffff:93.184.215.14'],
  ['IPv4-translated', '::ffff:0:0:0', '::ffff:0:ffff:ffff'],
  ['NAT64', '64:ff9b::', '64:ff9b::ffff:ffff'],
  ['local NAT64', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['discard', '100::', '100::ffff:ffff:ffff:ffff'],
  ['Teredo', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['IETF protocol assignments, benchmarking, ORCHID', '2001:1::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['not given out', '4000::', '5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['segment routing', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

test.each(special)('%s: %s to %s', (_what, first, last) => {
  expect([isPublic(first), isPublic(last)]).toEqual([false, false]);
});

describe('just outside the ranges', () => {
  test.each([
    [
      '1.0.0.0',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
      '169.253.255.255',
      '169.255.0.0',
    ],
    [
      '172.15.255.255',
      '172.32.0.0',
      '192.167.255.255',
      '192.169.0.0',
      '198.17.255.255',
      '198.20.0.0',
      '223.255.255.255',
      '168.63.129.17',
    ],
    [
      '2001:200::',
      '2001:db7:ffff::',
      '2001:db9::',
      '2003::',
      '2606:4700::1111',
      '2a00:1450::1',
      '3ffe::1',
      '3fff:1000::',
    ],
  ])('%s …', (...addresses) => {
    expect(addresses.filter((address) => !isPublic(address))).toEqual([]);
  });
});

test.each(ownHosts())('this machine itself: %s', (host) => {
  expect(isPublic(host.replace(/^\[|\]$/g, ''))).toBe(false);
});

test.each([
  '',
  'localhost',
  '8.8.8',
  '8.8.8.8.',
  '08.8.8.8',
  '0x8.8.8.8',
  '8.8.8.8/32',
  ' 8.8.8.8',
  '2606:4700::1111%eth0',
  '[2606:4700::1111]',
])('what is not an address is not public: %j', (text) => {
  expect(isPublic(text)).toBe(false);
});
