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
  'vscode://publisher.extension/callback',
  'com.example.app:/oauth2redirect',
  'com.example.my-app://callback?x=1',
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
  ...['search-ms:query=x', 'ms-settings:display', 'ms-msdt:/id', 'ms-word:ofe|u|https://client.example/x', 'microsoft.windows.camera:'],
  ...['chrome:settings', 'chrome://settings', 'edge:x', 'web+x:y', 'web+a.b:c', 'ext+a.b:c', 'x-apple.systempreferences:com.apple.x'],
  ...['tel:112', 'sms:112', 'mailto:a@client.example', 'ftp://client.example/', 'ws://client.example/', 'wss://client.example/'],
  ...['smb://client.example/x', 'ldap://client.example/', 'ssh://client.example/', 'jar:https://client.example/', 'filesystem:x'],
  ...['android-app://com.example/x', 'steam://run/1', 'slack://open', 'myapp:callback', 'vscodium://x', 'cursors://x', 'CURSOR://callback'],
  ...['.a:b', 'a.:b', '1.a:b'],
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
