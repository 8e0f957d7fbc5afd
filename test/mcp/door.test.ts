// The endpoint of the play interface: rows 1 to 19 of protocol 11, on one host and on two. Protocol 8.5, 9.1, 9.6.
import http from 'node:http';
import { SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { mostBytes } from '../../src/mcp/door/request.ts';
import { type Posted, type PostOptions, type ToolResult, useMcp } from '../support/doors/mcp.ts';
import { succeeded } from '../support/doors/oauth.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';

interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: string; additionalProperties?: boolean };
  outputSchema: { type: string };
  annotations: { readOnlyHint: boolean; idempotentHint: boolean; destructiveHint: boolean };
}

const modern = '2026-07-28';
/** What the revision without a handshake wants with each request. */
const envelope = (version = modern) => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
});
const modernHeaders = (method: string, name?: string, version = modern) => ({
  'MCP-Protocol-Version': version,
  'Mcp-Method': method,
  ...(name ? { 'Mcp-Name': name } : {}),
});

const hill = useHill();
const mcp = useMcp(hill, 'two hosts');
const asked: NonNullable<PostOptions['at']>[] = ['authUrl', 'baseUrl'];
let ann: Account;
let token: string;

beforeAll(async () => {
  ann = await anAccount(hill, { name: 'Ann', credits: 5000 });
  token = await mcp.token(ann);
});

const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const askModern = <T>(method: string, params: object = {}, name?: string, version = modern) =>
  mcp.post<T>(
    token,
    { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: envelope(version) } },
    { headers: modernHeaders(method, name, version) },
  );
const challengeOf = ({ headers }: Posted) => headers.get('www-authenticate') ?? '';
/** A token that only reads, of an agent that nobody has claimed. */
const readToken = async () => succeeded(await mcp.exchange((await mcp.register()).identity_assertion)).access_token;

describe.each(asked)('at %s', (at) => {
  const metadata = () => `${mcp[at]}/.well-known/oauth-protected-resource/mcp`;

  test('1: without a token the answer is a challenge that names no error', async () => {
    const answer = await mcp.post(undefined, listTools, { at });

    expect(answer.status).toBe(401);
    expect(challengeOf(answer)).toBe(`Bearer resource_metadata="${metadata()}", scope="hill:read hill:play"`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.message.error?.data).toMatchObject({
      code: 'INVALID_TOKEN',
      hint: expect.stringContaining('/auth.md'),
    });
    const found = await mcp.get<{ resource: string }>(metadata());
    expect([found.status, found.body.resource]).toEqual([200, `${mcp[at]}/mcp`]);
  });

  test.each(['', 'Basic YTpi', 'Bearer', 'Bearer ', 'Bearer a b'])(
    '1: so it is with Authorization: %s',
    async (Authorization) => {
      const answer = await mcp.post(undefined, listTools, { at, headers: { Authorization } });

      expect([answer.status, challengeOf(answer).includes('error=')]).toEqual([401, false]);
    },
  );

  test('2: a bad token is an invalid_token', async () => {
    for (const bad of ['nonsense', 'a.b.c', `${token.slice(0, -3)}AAA`, `${token}x`]) {
      const answer = await mcp.post(bad, listTools, { at });

      expect(answer.status).toBe(401);
      expect(challengeOf(answer)).toMatch(
        /^Bearer error="invalid_token", error_description="[^"]+", resource_metadata="/,
      );
      expect(challengeOf(answer)).toContain(`resource_metadata="${metadata()}", scope="hill:read hill:play"`);
    }
  });

  test('4: GET and DELETE are 405 before anything is asked', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD'])
      for (const headers of [
        {},
        { Authorization: `Bearer ${token}` },
        { Authorization: 'Bearer nonsense' },
        { Origin: 'https://evil.example' },
      ]) {
        const answer = await fetch(`${mcp[at]}/mcp`, { method, headers });

        expect([answer.status, answer.headers.get('allow'), answer.headers.get('www-authenticate')]).toEqual([
          405,
          'POST',
          null,
        ]);
      }
  });

  test('5: a foreign Origin is 403, with a good token too; the hill’s own and none pass', async () => {
    for (const Origin of [
      'https://evil.example',
      'null',
      `${mcp.baseUrl}.evil.example`,
      'http://127.0.0.1:1',
      `${mcp.baseUrl}/`,
    ])
      for (const bearer of [token, undefined]) {
        const answer = await mcp.post(bearer, listTools, { at, headers: { Origin } });
        expect([Origin, answer.status, answer.headers.get('www-authenticate')]).toEqual([Origin, 403, null]);
      }
    for (const Origin of [mcp.baseUrl, mcp.authUrl])
      expect((await mcp.post(token, listTools, { at, headers: { Origin } })).status).toBe(200);
    expect((await mcp.post(token, listTools, { at })).status).toBe(200);
  });

  test('6: a hill:read token sees the play tools; calling one is 403, with the way to be claimed', async () => {
    const reading = await readToken();
    const listed = await mcp.request<{ tools: ListedTool[] }>(reading, 'tools/list', undefined, { at });
    expect(listed.message.result?.tools.map(({ name }) => name)).toContain('play');

    const answer = await mcp.callTool(reading, 'play', { slot: 3, move: 'PEACE' }, { at });

    expect(answer.status).toBe(403);
    expect(challengeOf(answer)).toMatch(
      /^Bearer error="insufficient_scope", error_description="[^"]+", resource_metadata="/,
    );
    expect(challengeOf(answer)).toContain(`resource_metadata="${metadata()}", scope="hill:read hill:play"`);
    expect(answer.message.error?.data).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      scope: 'hill:play',
      claim: {
        begin: { method: 'POST', href: `${mcp.authUrl}/agent/identity/claim` },
        poll: { href: `${mcp.authUrl}/oauth/token` },
        guide: `${mcp.baseUrl}/auth.md`,
        expired: false,
      },
    });
    // wrong arguments do not hide what matters first
    expect((await mcp.callTool(reading, 'play', { slot: 'three' }, { at })).status).toBe(403);
  });

  test('7: a token for another audience is 401; both addresses of the hill are one resource', async () => {
    const foreign = await mcp.token(ann, { audience: 'https://elsewhere.example' });
    const answer = await mcp.post(foreign, listTools, { at });
    expect([answer.status, challengeOf(answer).includes('error="invalid_token"')]).toEqual([401, true]);

    for (const audience of [mcp.authUrl, mcp.baseUrl])
      expect((await mcp.post(await mcp.token(ann, { audience }), listTools, { at })).status).toBe(200);
  });

  test('18: the list is the same each time, and says which tools only read', async () => {
    const [one, two] = [
      await mcp.post<{ tools: ListedTool[] }>(token, listTools, { at }),
      await mcp.post(token, listTools, { at }),
    ];

    expect(one.text).toBe(two.text);
    const tools = one.message.result?.tools ?? [];
    expect(tools.length).toBeGreaterThan(0);
    for (const { name, title, description, annotations, inputSchema, outputSchema } of tools) {
      expect([name, title.length > 0, description.length > 40, inputSchema.type, outputSchema.type]).toEqual([
        name,
        true,
        true,
        'object',
        'object',
      ]);
      expect([name, inputSchema.additionalProperties]).toEqual([name, false]);
      expect(annotations).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
      });
    }
    const reading = tools.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name);
    expect(reading).toContain('whoami');
    for (const name of [
      'play',
      'announce',
      'fund',
      'subscribe',
      'set_profile',
      'verify_badge',
      'report_missing_capability',
    ])
      expect(reading).not.toContain(name);
  });
});

test('2: an expired token is an invalid_token, by the hill’s clock, for the list as for a tool', async () => {
  const short = await readToken();
  await hill.clock.tick(899_000);
  expect((await mcp.post(short, listTools)).status).toBe(200);
  await hill.clock.tick(2_000);

  for (const answer of [
    await mcp.post(short, listTools),
    await mcp.callTool(short, 'whoami'),
    await mcp.callTool(short, 'play'),
  ])
    expect([answer.status, challengeOf(answer).includes('error="invalid_token"')]).toEqual([401, true]);
});

test('2: a token that was signed here and is not recorded is an invalid_token', async () => {
  const unknown = await mcp.token(ann);
  await hill.root.query('delete from oauth.access_tokens where token_hash = engine.hash_token($1)', [unknown]);

  expect((await mcp.post(unknown, listTools)).status).toBe(401);
});

test('3: a token in the address is not looked at', async () => {
  const response = await fetch(`${mcp.authUrl}/mcp?access_token=${token}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify(listTools),
  });

  expect([response.status, response.headers.get('www-authenticate')?.includes('error=')]).toEqual([401, false]);
});

test('8: an identity assertion is no access token, nor is anything else that looks like one', async () => {
  const { identity_assertion } = await mcp.register();
  expect((await mcp.post(identity_assertion, listTools)).status).toBe(401);

  const forged = await new SignJWT({ client_id: 'x', scope: 'hill:read hill:play' })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'x' })
    .setIssuer(mcp.authUrl)
    .setAudience(mcp.authUrl)
    .setSubject(ann.id)
    .setIssuedAt()
    .setExpirationTime('1h')
    .setJti('1')
    .sign(Buffer.from('a secret that anybody may have, for this'));
  expect((await mcp.post(forged, listTools)).status).toBe(401);
});

test.each(['2025-11-25', '2025-06-18', '2025-03-26'])(
  '9: initialize %s gives instructions and no session',
  async (protocolVersion) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'a test', version: '1' } };
    const { status, headers, message } = await mcp.request<{
      protocolVersion: string;
      instructions: string;
      capabilities: object;
      serverInfo: { name: string };
    }>(token, 'initialize', params);

    expect([status, headers.get('mcp-session-id'), headers.get('content-type')]).toEqual([
      200,
      null,
      'application/json',
    ]);
    expect(message.result).toMatchObject({
      protocolVersion,
      serverInfo: { name: 'hill' },
      capabilities: { tools: {} },
    });
    const screen = message.result?.instructions ?? '';
    for (const word of ['PEACE', 'WAR', 'PASS', 'whoami', 'status', '00:00 UTC', '/auth.md'])
      expect(screen).toContain(word);
    expect(screen.length).toBeLessThan(2_500); // about 40 lines of 80 characters with the empty ones
  },
);

test('10: notifications are 202 and empty', async () => {
  for (const method of ['notifications/initialized', 'notifications/cancelled']) {
    const { status, text } = await mcp.post(token, { jsonrpc: '2.0', method });
    expect([status, text]).toEqual([202, '']);
  }
});

test('11: tools/list works without initialize', async () => {
  const { status, message } = await mcp.post<{ tools: ListedTool[] }>(token, listTools);

  expect([status, message.id]).toEqual([200, 1]);
  expect(message.result?.tools[0]).toMatchObject({ name: 'whoami' });
});

test('11: a client that accepts JSON alone, or anything, is served', async () => {
  for (const Accept of ['application/json', '*/*'])
    expect((await mcp.post(token, listTools, { headers: { Accept } })).status).toBe(200);
});

test('12: server/discover of the revision without a handshake', async () => {
  const { status, message } = await askModern<Record<string, unknown>>('server/discover');

  expect(status).toBe(200);
  expect(message.result).toMatchObject({
    supportedVersions: expect.arrayContaining([modern]),
    capabilities: { tools: {} },
    instructions: expect.stringContaining('PEACE'),
    ttlMs: expect.any(Number),
    cacheScope: 'public',
  });
});

test('12: the same revision lists and calls, and refuses as the others do', async () => {
  const listed = await askModern<{ tools: ListedTool[]; ttlMs: number }>('tools/list');
  expect(listed.message.result?.tools[0]).toMatchObject({ name: 'whoami' });
  const called = await askModern<ToolResult>('tools/call', { name: 'whoami', arguments: {} }, 'whoami');
  expect(called.message.result?.structuredContent).toMatchObject({ account: { name: 'Ann' } });
  const refused = await askModern<ToolResult>('tools/call', { name: 'whoami', arguments: { verbose: true } }, 'whoami');
  expect(refused.message.result).toMatchObject({
    isError: true,
    structuredContent: { code: 'INVALID_ARGUMENT', argument: 'verbose' },
  });
});

test('12: and challenges as the others do', async () => {
  const reading = await readToken();
  const params = { name: 'play', arguments: { slot: 1, move: 'PEACE' }, _meta: envelope() };
  const scope = await mcp.post(
    reading,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    { headers: modernHeaders('tools/call', 'play') },
  );
  expect([scope.status, challengeOf(scope).includes('insufficient_scope')]).toEqual([403, true]);
});

test('12: lists never change, so a stream for them is over at once', async () => {
  const { status, headers, text } = await askModern('subscriptions/listen', {
    notifications: { toolsListChanged: true },
  });

  expect([status, headers.get('content-type'), headers.get('x-accel-buffering')]).toEqual([
    200,
    'text/event-stream',
    'no',
  ]);
  expect(text.match(/"(method|resultType)":"[^"]+"/g)).toEqual([
    '"method":"notifications/subscriptions/acknowledged"',
    '"resultType":"complete"',
  ]);
});

test('an agent that nobody has claimed reads what changes, too; what its tool refuses is an error with the code', async () => {
  const reading = await readToken();
  const read = (uri: string) => mcp.request<{ contents: { text: string }[] }>(reading, 'resources/read', { uri });
  const { message } = await read('hill://account');
  expect(JSON.parse(message.result?.contents[0]?.text ?? '')).toMatchObject({ claimed: false });
  expect((await read('hill://nowhere')).message.error?.code).toBe(-32602);
  expect((await read('hill://night/latest')).message.error).toMatchObject({
    code: -32000,
    data: { code: 'DAY_NOT_RESOLVED' },
  });
});

test('13: an unknown protocol version is 400, with what is supported', async () => {
  const old = await mcp.post(token, listTools, { headers: { 'MCP-Protocol-Version': '1999-01-01' } });
  expect(old.status).toBe(400);
  expect(old.message.error?.message).toContain('2025-11-25');

  const unknown = await askModern('tools/list', {}, undefined, '2099-01-01');
  expect(unknown.status).toBe(400);
  expect(unknown.message).toMatchObject({
    id: 7,
    error: { code: -32022, data: { supported: expect.arrayContaining([modern]) } },
  });
});

test('13: a handshake that asks for an unknown version is offered one that is served', async () => {
  const params = { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'a test', version: '1' } };
  const { status, message } = await mcp.request<{ protocolVersion: string }>(token, 'initialize', params);

  expect([status, message.result?.protocolVersion]).toEqual([200, '2025-11-25']);
});

test('14: a batch is 400', async () => {
  for (const batch of [[listTools], [listTools, { ...listTools, id: 2 }], []]) {
    const { status, message } = await mcp.post(token, batch);
    expect([status, message.error?.code, message.id]).toEqual([400, -32600, null]);
  }
});

test.each(['{', '', 'nonsense', '{"jsonrpc": "2.0", "method": tools/list}'])(
  '15: malformed JSON (%s) is 400, -32700',
  async (body) => {
    const { status, message } = await mcp.post(token, body);

    expect([status, message.error?.code, message.id]).toEqual([400, -32700, null]);
  },
);

test.each([
  '{}',
  '5',
  'null',
  '"text"',
  '{"jsonrpc": "1.0", "id": 1, "method": "ping"}',
  '{"jsonrpc": "2.0", "id": 1, "method": 5}',
])('15: JSON that is no message (%s) is 400, -32600', async (body) => {
  const { status, text } = await mcp.post(token, body);

  expect([status, JSON.parse(text).error.code]).toEqual([400, -32600]);
});

test.each([
  'text/plain',
  'application/json; a=b, text/plain',
  'application/jsonp',
  'application/json, application/json',
])('15: what is sent as %s, which is not JSON, is 415', async (type) => {
  expect((await mcp.post(token, listTools, { headers: { 'Content-Type': type } })).status).toBe(415);
});

test.each(['Application/JSON', 'application/json; charset=utf-8', 'application/json;', 'application/json ; a="b, c"'])(
  '15: what is sent as %s, which is JSON, is answered',
  async (type) => {
    expect((await mcp.post(token, listTools, { headers: { 'Content-Type': type } })).status).toBe(200);
  },
);

test('15: a body that is too long is 413', async () => {
  const params = { name: 'whoami', arguments: { padding: 'x'.repeat(mostBytes) } };
  expect((await mcp.request(token, 'tools/call', params)).status).toBe(413);
});

test('15: a body without an end is not read to its end', async () => {
  const status = await new Promise<number | string | undefined>((resolve, reject) => {
    const request = http.request(`${mcp.authUrl}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    });
    request.once('response', (response) => {
      resolve(response.statusCode);
      request.destroy();
    });
    // who goes on sending may meet the closed connection before the answer
    request.on('error', (error: NodeJS.ErrnoException) =>
      /ECONNRESET|EPIPE/.test(error.code ?? '') ? resolve(error.code) : reject(error),
    );
    const chunk = Buffer.alloc(65_536, ' ');
    const feed = () => {
      while (!request.destroyed && request.write(chunk)) {}
      if (!request.destroyed) request.once('drain', feed);
    };
    feed();
  });

  expect([413, 'ECONNRESET', 'EPIPE']).toContain(status);
  expect((await mcp.callTool(token, 'whoami')).status).toBe(200);
});

test('16: an unknown tool is -32602, an unknown method -32601', async () => {
  for (const name of ['no_such_tool', 'constructor', '__proto__', '']) {
    const { message } = await mcp.callTool(token, name);
    expect([name, message.error?.code]).toEqual([name, -32602]);
  }
  expect((await mcp.request(token, 'tools/call', {})).message.error?.code).toBe(-32602);
  expect((await mcp.request(token, 'no/such/method')).message.error?.code).toBe(-32601);
});

test('17: an argument that a tool does not know is a result with isError and the code', async () => {
  const { status, message } = await mcp.callTool(token, 'whoami', { verbose: true });

  expect(status).toBe(200);
  expect(message.result).toMatchObject({
    isError: true,
    structuredContent: {
      code: 'INVALID_ARGUMENT',
      argument: 'verbose',
      message: expect.any(String),
      hint: expect.any(String),
    },
  });
  expect(message.result?.content[0]?.text).toMatch(/^INVALID_ARGUMENT: /);
});

test('a token that was cut or revoked is refused at the very next call', async () => {
  const { tokens, registration } = await mcp.playing('cut@example.com');
  expect((await mcp.callTool(tokens.access_token, 'whoami')).status).toBe(200);
  await mcp.revoke(tokens.access_token, { client_id: registration.client_id });

  for (const answer of [
    await mcp.callTool(tokens.access_token, 'whoami'),
    await mcp.post(tokens.access_token, listTools),
    await mcp.callTool(tokens.access_token, 'play', { slot: 3, move: 'PEACE' }),
  ])
    expect([answer.status, challengeOf(answer).includes('error="invalid_token"')]).toEqual([401, true]);
});

test('a token from before the claim is told that it is over, and not that it should be claimed', async () => {
  const { registration } = { registration: await mcp.register() };
  const reading = succeeded(await mcp.exchange(registration.identity_assertion)).access_token;
  await hill.clock.tick(1_000);
  const claim = succeeded(await mcp.claim(registration.claim_token, 'over@example.com'));
  const session = await mcp.human('over@example.com');
  const attempt = new URL(claim.claim_attempt.verification_uri).searchParams.get('claim_attempt_token') as string;
  await mcp.approve(session, attempt, claim.claim_attempt.user_code);

  const answer = await mcp.callTool(reading, 'play', { slot: 3, move: 'PEACE' });

  expect([answer.status, challengeOf(answer).includes('error="invalid_token"')]).toEqual([401, true]);
});
