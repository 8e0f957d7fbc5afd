// What is no text, nested without end, broken off or never finished is refused by every door with its code, and is no
// news to whoever reads the log.
import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { csrfField, csrfToken } from '../../src/humans/forms.ts';
import { useConsole } from '../support/doors/console.ts';
import { useHumansDoor } from '../support/doors/humans-door.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { problemsOf } from '../support/doors/visitor.ts';
import { anAccount, useHill } from '../support/hill/index.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const humans = useHumansDoor(hill);
const mcp = useMcp(hill);
const staff = useConsole(hill);

const loud = (log: string) =>
  log.split('\n').filter((line) => /"level":[4-6]0/.test(line) && !line.includes('nobody can sign in'));

describe('a null character', () => {
  test.each([
    ['POST', '/account/code', { code: 'A\0B' }],
    ['POST', '/device', { user_code: 'BCDF\0GHJK', decision: 'approve' }],
    ['POST', '/device', { user_code: 'BCDF-GHJK', account_name: 'a\0', decision: 'approve' }],
    ['POST', '/claim', { claim_attempt_token: 'a\0', decision: 'approve', user_code: '123456' }],
    ['POST', '/claim', { claim_attempt_token: 'a\0', decision: 'refuse' }],
    ['POST', '/claim', { claim_attempt_token: 'a', decision: 'approve', user_code: '12\u00003456' }],
    ['GET', '/claim?claim_attempt_token=%00', {}],
    ['GET', '/oauth/authorize?client_id=%00', {}],
    ['GET', '/oauth/authorize?client_id=a&redirect_uri=%00', {}],
    ['POST', '/oauth/authorize', { client_id: '\0', decision: 'approve' }],
  ])('%s %s is refused on a page', async (method, path, fields) => {
    const ann = await humans.signIn('ann@example.com');
    const session = ann.cookies.get('hill_session') as string;
    const answer = await (method === 'GET'
      ? ann.once(humans.baseUrl + path)
      : ann.post(humans.baseUrl + path, { ...fields, [csrfField]: csrfToken(session) }));
    // a form of the own account comes back by a redirect
    if (answer.status === 303) expect(problemsOf(answer)).toBeDefined();
    else {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.headers.get('content-type')).toContain('text/html');
    }
    expect(loud(humans.logged())).toEqual([]);
  });

  test('in the address of the development sign-in is refused there', async () => {
    await expect(humans.signIn('a\0b@example.com')).rejects.toThrow('not signed in: 4');
    expect(loud(humans.logged())).toEqual([]);
  });

  test('is refused by the authorization server, however it is written', async () => {
    for (const client_name of ['a\0b', '\0'])
      expect(await mcp.json('/agent/identity', { type: 'anonymous', client_name })).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
    expect(
      await mcp.form('/oauth/token', { grant_type: 'refresh_token', refresh_token: '\0', client_id: 'x' }),
    ).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    // a backslash and the letters are six characters, and text
    expect((await mcp.json('/agent/identity', { type: 'anonymous', client_name: 'a \\u0000 b' })).status).toBe(200);
  });

  test('is refused by the console, as a name and as a key', async () => {
    for (const fields of [
      { key: staff.key, name: 'Sam\0' },
      { key: '\0', name: 'Sam' },
    ]) {
      const answer = await staff.fetch('/sign-in', { method: 'POST', body: new URLSearchParams(fields) });
      expect(answer.status).toBe(400);
    }
    expect(loud(staff.logged())).toEqual([]);
  });
});

describe('JSON that is nested thousands deep', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  test.each([
    [
      'the name of a tool',
      (deep: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${deep}}}`,
      5_000,
    ],
    [
      'an argument',
      (deep: string) =>
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"play","arguments":{"slot":${deep}}}}`,
      5_000,
    ],
    [
      'a handshake',
      (deep: string) => `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":${deep}}}`,
      3_000,
    ],
  ])('as %s is refused', async (_, message, depth) => {
    const { status, text } = await mcp.post(await mcp.token(await anAccount(hill)), message(nested(depth)));
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining('nested deeper') });
  });

  test('is no depth where the brackets are a text', async () => {
    const { status, message } = await mcp.callTool(await mcp.token(await anAccount(hill)), 'get_help', {
      topic: '[{'.repeat(100),
    });
    expect(status).toBe(200);
    expect(message.error).toBeUndefined();
  });

  test('or a query, is refused by the console', async () => {
    const cookie = await staff.signIn();
    for (const query of [
      `{${'a{'.repeat(3_000)}b${'}'.repeat(3_000)}}`,
      `query ($a: ${'['.repeat(3_000)}Int${']'.repeat(3_000)}) { a }`,
    ])
      expect(await staff.graphql(cookie, query)).toMatchObject({
        errors: [{ extensions: { code: 'INVALID_ARGUMENT' } }],
      });
  });
});

describe('a field Accept that is none', () => {
  test.each([',,,', 'a/b;q=x', ';', 'x/y'])('%s is no failure of the console', async (Accept) => {
    const Cookie = await staff.signIn();
    const body = JSON.stringify({ query: '{ __typename }' });
    const asked = await staff.fetch('/graphql', {
      method: 'POST',
      headers: { Cookie, Accept, 'Content-Type': 'application/json' },
      body,
    });
    expect({ status: asked.status, body: await asked.json() }).toEqual({
      status: 200,
      body: { data: { __typename: 'Query' } },
    });
    for (const path of ['/', '/graphql'])
      expect((await staff.fetch(path, { headers: { Cookie, Accept } })).status).toBeLessThan(500);
  });
});

/** All that comes back on a connection, and how long that took; `then` is called when the bytes are out. */
const raw = (url: string, text: string, then: (socket: net.Socket) => void = () => {}) =>
  new Promise<{ heard: string; seconds: number }>((resolve) => {
    let heard = '';
    const began = Date.now();
    const { port } = new URL(url);
    const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(text, () => then(socket)));
    socket
      .on('data', (data) => (heard += data))
      .on('error', () => {})
      .on('close', () => resolve({ heard, seconds: (Date.now() - began) / 1_000 }));
  });

describe('the target of a request', () => {
  test('that is an address is the path of that address; one that is none is refused with a code', async () => {
    const ask = (target: string) =>
      raw(humans.baseUrl, `GET ${target} HTTP/1.1\r\nHost: hill\r\nConnection: close\r\n\r\n`);
    expect((await ask(`${humans.baseUrl}/healthz`)).heard).toMatch(/^HTTP\/1\.1 200 /);
    for (const target of ['http://[::1', 'http://[::1/healthz', 'ftp://hill/healthz', 'healthz'])
      expect((await ask(target)).heard).toMatch(/^HTTP\/1\.1 400 .*"code":"MALFORMED_REQUEST"/s);
    const atDesk = await raw(staff.url, 'GET http://[::1 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(atDesk.heard).toMatch(/^HTTP\/1\.1 400 /);
    expect(loud(humans.logged() + staff.logged())).toEqual([]);
  });
});

describe('a body', () => {
  const bodies = (token: string): [string, string][] => [
    ['/mcp', `Authorization: Bearer ${token}\r\nContent-Type: application/json`],
    ['/oauth/token', 'Content-Type: application/x-www-form-urlencoded'],
    ['/agent/identity', 'Content-Type: application/json'],
    [
      '/sign-in/development',
      'Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\nOrigin: null',
    ],
  ];
  const begun = (path: string, fields: string, host: string) =>
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${fields}\r\nContent-Length: 100\r\n\r\n{"a`;

  test('that is broken off is no news: 200 of them leave nothing in the log', async () => {
    // the last has said that nothing more will come, and could still hear an answer
    const leave = [(s: net.Socket) => s.resetAndDestroy(), (s: net.Socket) => s.destroy(), (s: net.Socket) => s.end()];
    const token = await mcp.token(await anAccount(hill));
    const { host } = new URL(mcp.authUrl);
    for (const [path, fields] of bodies(token))
      for (let round = 0; round < 5; round++)
        await Promise.all(
          Array.from({ length: 10 }, (_, i) =>
            raw(mcp.authUrl, begun(path, fields, host), (socket) => setTimeout(() => leave[i % 3]?.(socket), 5)),
          ),
        );
    const atDesk = begun(
      '/sign-in',
      `Content-Type: application/x-www-form-urlencoded\r\nOrigin: ${staff.url}`,
      new URL(staff.url).host,
    );
    for (let i = 0; i < 4; i++) await raw(staff.url, atDesk, (socket) => setTimeout(() => leave[i % 2]?.(socket), 5));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(loud(`${mcp.logged.join('\n')}\n${staff.logged()}`)).toEqual([]);
  });

  test('that is too long is told so, also where its length is not said', async () => {
    const token = await mcp.token(await anAccount(hill));
    for (const [path, fields] of bodies(token)) {
      const chunk = `${(300_000).toString(16)}\r\n${' '.repeat(300_000)}\r\n0\r\n\r\n`;
      const { host } = new URL(mcp.authUrl);
      const { heard } = await raw(
        mcp.authUrl,
        `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${fields}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
      );
      expect(heard, path).toMatch(/^HTTP\/1\.1 413 /);
    }
  });

  test('or a header that does not come to its end is answered 408 and let go, within 40 seconds', async () => {
    const token = await mcp.token(await anAccount(hill));
    const { host } = new URL(mcp.authUrl);
    const slow = [
      ...bodies(token).map(([path, fields]) => begun(path, fields, host)),
      'GET / HTTP/1.1\r\nHost: hill\r\nX-Slow: ',
    ];
    // somebody who sends a byte now and then is no quicker
    const drip = (socket: net.Socket) => {
      const timer = setInterval(() => socket.write('x'), 1_000);
      socket.on('close', () => clearInterval(timer));
    };
    const answers = await Promise.all([
      ...slow.map((text) => raw(mcp.authUrl, text, drip)),
      raw(
        staff.url,
        begun(
          '/sign-in',
          `Content-Type: application/x-www-form-urlencoded\r\nOrigin: ${staff.url}`,
          new URL(staff.url).host,
        ),
      ),
    ]);
    for (const { heard, seconds } of answers) {
      expect(heard).toMatch(/^HTTP\/1\.1 408 /);
      expect(seconds).toBeLessThan(40);
    }
    for (const { heard } of answers.slice(0, slow.length)) expect(heard).toContain('"code":"REQUEST_TIMEOUT"');
    await until('nothing hangs', async () => (await mcp.get(`${mcp.authUrl}/healthz`)).status === 200);
  });
});
