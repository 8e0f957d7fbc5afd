// Where a client may have humans sent back to, and what counts as the same place. Protocol 4.3.
import { expect, test } from 'vitest';
import { mayRedirectTo, sameRedirect } from '../../src/oauth/redirect-uris.ts';

test.each([
  'https://client.example/callback',
  'https://client.example:8443/callback?x=1',
  'http://127.0.0.1/callback',
  'http://127.0.0.1:33418/',
  'http://[::1]:3000/cb',
  'http://localhost:6274/oauth/callback',
  'cursor://anysphere.cursor-retrieval/oauth/user-hill/callback',
  'com.example.app:/oauth2redirect',
])('good: %s', (uri) => {
  expect(mayRedirectTo(uri)).toBe(true);
});

test.each([
  '',
  'callback',
  '/callback',
  '//client.example/callback',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\tscript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://client.example/1',
  'about:blank',
  'view-source:https://client.example/',
  'intent://client.example/#Intent;end',
  'http://client.example/callback',
  'http://127.0.0.1.client.example/callback',
  'http://127.0.0.1@client.example/callback',
  'http://localhost.client.example/',
  'http://192.168.0.1/callback',
  'http://127.1/callback',
  'http://2130706433/callback',
  'https://user:password@client.example/callback',
  'https://client.example/callback#fragment',
  'https://client.example/callback#',
  'https:client.example/callback',
  'https:/client.example/callback',
  'https://client.example\\@other.example/',
  'https://client.example/a b',
  'https://client.example/\n',
  'https://',
  `https://client.example/${'a'.repeat(2_000)}`,
])('bad: %j', (uri) => {
  expect(mayRedirectTo(uri)).toBe(false);
});

test.each([
  ['https://client.example/cb', 'https://client.example/cb', true],
  ['https://client.example/cb', 'https://client.example/cb/', false],
  ['https://client.example/cb', 'https://client.example/cb?x=1', false],
  ['https://client.example/cb', 'https://CLIENT.example/cb', false],
  ['https://client.example/cb', 'https://client.example:443/cb', false],
  ['https://client.example/cb', 'https://client.example:8443/cb', false],
  ['https://client.example/cb', 'https://client.example/x/../cb', false],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:33418/cb', true],
  ['http://127.0.0.1:1234/cb', 'http://127.0.0.1/cb', true],
  ['http://[::1]:1234/cb?x=1', 'http://[::1]:4321/cb?x=1', true],
  ['http://localhost:1234', 'http://localhost:4321', true],
  ['http://127.0.0.1:1234/cb', 'http://127.0.0.1:1234/other', false],
  ['http://127.0.0.1:1234/cb', 'http://127.0.0.1:99999/cb', false],
  ['http://127.0.0.1:1234/cb', 'http://localhost:1234/cb', false],
  ['http://127.0.0.1:1234/cb', 'https://127.0.0.1:1234/cb', false],
  ['http://127.0.0.1:1234/cb', 'http://127.0.0.1:1@client.example/cb', false],
  ['http://127.0.0.1:1234/cb', 'http://127.0.0.1:1234/cb#x', false],
  ['http://localhost/cb', 'http://localhost.client.example/cb', false],
  ['cursor://callback', 'cursor://callback', true],
  ['cursor://callback:1', 'cursor://callback:2', false],
])('%s and %s: %s', (registered, asked, same) => {
  expect(sameRedirect(registered, asked)).toBe(same);
});
