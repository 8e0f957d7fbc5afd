// Door B, for clients that open a browser: rows 36 to 46 of protocol 11, over HTTP, with a human who signed in and the
// form of the consent page.
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { callback, useBrowserDoor } from '../support/doors/browser-door.ts';
import { payloadOf, succeeded, useOAuth } from '../support/doors/oauth.ts';
import { unescaped, Visitor } from '../support/doors/visitor.ts';
import { call, refusal, useHill } from '../support/hill/index.ts';

const both = 'hill:read hill:play';
const seconds = (n: number) => n * 1000;

const hill = useHill();
const door = useOAuth(hill, 'two hosts');
let named = 0;
const anEmail = () => `human-${++named}@example.com`;

beforeEach(() => hill.clock.tick(seconds(1)));

const browser = useBrowserDoor(door);
const { register, asking, authorize, decide, approved, exchange, refresh } = browser;
const told = (response: Response) => {
  expect(response.status).toBe(303);
  return browser.told(response);
};
/** What a browser comes to, on the host of the pages. */
const pageOf = async (query: URLSearchParams, session?: string) => {
  const headers: Record<string, string> = session ? { Cookie: `hill_session=${session}` } : {};
  const answer = await authorize(query, headers);
  return answer.status === 303 && told(answer).origin === new URL(door.baseUrl).origin
    ? fetch(told(answer), { headers, redirect: 'manual' })
    : answer;
};
const signedIn = (more = {}) => browser.signedIn(anEmail(), more);

test('38: an unknown client or address is a page of 400, and no redirect', async () => {
  const { client_id } = await register();
  for (const query of [
    asking('nobody'),
    asking(client_id, { redirect_uri: 'https://evil.example/' }),
    asking(client_id, { redirect_uri: undefined }),
  ]) {
    const response = await authorize(query);
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
    expect(response.headers.get('content-type')).toContain('text/html');
  }
});

test.each([
  ['no challenge', { code_challenge: undefined }, 'invalid_request'],
  ['the plain method', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['no method', { code_challenge_method: undefined }, 'invalid_request'],
  ['another response', { response_type: 'token' }, 'unsupported_response_type'],
  ['a foreign resource', { resource: 'https://elsewhere.example' }, 'invalid_target'],
  ['no scope that exists', { scope: 'openid' }, 'invalid_scope'],
])('39: with %s the client is told', async (_, more, error) => {
  const to = told(await authorize(asking((await register()).client_id, more)));

  expect(to.origin + to.pathname).toBe(callback);
  expect(Object.fromEntries(to.searchParams)).toMatchObject({ error, state: 'a state', iss: door.authUrl });
});

describe('39: an address that is not on loopback', () => {
  const evil = 'https://evil.example/path?x=1';
  const wrong = (client_id: string, redirect_uri = evil) =>
    asking(client_id, { redirect_uri, code_challenge_method: 'plain' });
  const linkIn = (text: string) => new URL(unescaped(/<a class="button[^>]* href="([^"]*)"/.exec(text)?.[1] as string));

  test.each([evil, 'com.example.app:/callback', 'cursor://evil/callback'])(
    'is no redirect for a client that nobody let in: a page names %s, and its link carries the error',
    async (redirect_uri) => {
      const { client_id } = await register([redirect_uri]);
      for (const session of [undefined, await door.human(anEmail())]) {
        const page = await pageOf(wrong(client_id, redirect_uri), session);
        const text = await page.text();

        expect([page.status, page.headers.get('location')]).toEqual([400, null]);
        expect(text).toContain(redirect_uri === evil ? '<bdi>evil.example</bdi>' : 'an application on your device');
        const link = linkIn(text);
        expect(link.href.startsWith(redirect_uri)).toBe(true);
        expect(Object.fromEntries(link.searchParams)).toMatchObject({
          error: 'invalid_request',
          state: 'a state',
          iss: door.authUrl,
        });
      }
    },
  );

  test('is a redirect once this human has let the client in, until it is cut off, and for nobody else', async () => {
    const { client_id } = await register([evil]);
    const session = await door.human(anEmail());
    const to = told(await decide(asking(client_id, { redirect_uri: evil }), 'approve', session));
    expect(to.host).toBe('evil.example'); // the human chose it, on a page that names it
    const refused = told(
      await decide(asking(client_id, { redirect_uri: evil }), 'refuse', await door.human(anEmail())),
    );
    expect(Object.fromEntries(refused.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'a state',
      iss: door.authUrl,
    });

    const known = await pageOf(wrong(client_id), session);
    expect(known.status).toBe(303);
    expect(Object.fromEntries(told(known).searchParams)).toMatchObject({
      x: '1',
      error: 'invalid_request',
      iss: door.authUrl,
    });
    expect((await pageOf(wrong(client_id), await door.human(anEmail()))).status).toBe(400);

    const [agent] = await call<{ agent_id: string }[]>(hill.as('web'), 'api_human.agents', { session });
    await call(hill.as('web'), 'api_human.cut_agent', { session, agent_id: agent?.agent_id });
    expect((await pageOf(wrong(client_id), session)).status).toBe(400);
  });

  test.each(['search-ms:query=x', 'ms-settings:display', 'chrome:settings', 'web+x:y', 'myapp://callback'])(
    '%s, of a client that registered before it was refused, leads nowhere',
    async (redirect_uri) => {
      const { client_id } = await register();
      await hill.root.query('update oauth.clients set redirect_uris = $2 where id = $1', [client_id, [redirect_uri]]);

      for (const query of [wrong(client_id, redirect_uri), asking(client_id, { redirect_uri })]) {
        const page = await pageOf(query, await door.human(anEmail()));
        expect([page.status, page.headers.get('location')]).toEqual([400, null]);
        expect(await page.text()).not.toContain(`href="${redirect_uri.slice(0, 5)}`);
      }
    },
  );
});

test('whoever is not signed in is asked to sign in, on the host of the pages', async () => {
  let at = told(await authorize(asking((await register()).client_id)));
  if (at.pathname === '/oauth/authorize') at = told(await fetch(at, { redirect: 'manual' }));

  expect(at.origin + at.pathname).toBe(`${door.baseUrl}/sign-in`);
});

test('40: refused by the human', async () => {
  const { client_id } = await register();
  const to = told(await decide(asking(client_id), 'refuse', await door.human(anEmail())));

  expect(Object.fromEntries(to.searchParams)).toMatchObject({
    error: 'access_denied',
    state: 'a state',
    iss: door.authUrl,
  });
  expect(to.searchParams.has('code')).toBe(false);
});

test('43: a code gives tokens once; replayed it takes them back', async () => {
  const { client_id } = await register();
  const code = await approved(client_id, await door.human(anEmail()));
  const tokens = succeeded(await exchange(client_id, code));
  expect(tokens).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 900,
    scope: both,
    refresh_token: expect.any(String),
  });
  expect(payloadOf(tokens.access_token)).toMatchObject({ client_id, aud: door.authUrl, iss: door.authUrl });
  expect(await door.accepts(tokens.access_token)).toBe('ok');

  expect((await exchange(client_id, code)).body.error).toBe('invalid_grant');

  expect(await door.accepts(tokens.access_token)).toBe('401 invalid_token');
  expect((await refresh(client_id, tokens.refresh_token as string)).body.error).toBe('invalid_grant');
});

test('44: refresh gives a new pair, and never a wider scope', async () => {
  const { client_id } = await register();
  const code = await approved(client_id, await door.human(anEmail()), { scope: 'hill:read' });
  const first = succeeded(await exchange(client_id, code));
  expect(first.scope).toBe('hill:read');

  const second = succeeded(await refresh(client_id, first.refresh_token as string, { scope: both }));
  expect(second.scope).toBe('hill:read');
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect((await refresh(client_id, second.refresh_token as string, { scope: 'hill:play' })).body.error).toBe(
    'invalid_scope',
  );
});

test('47, 48: revoked by the client, or cut by the human, everything ends', async () => {
  for (const how of ['revoke', 'cut']) {
    const { client_id, session, tokens, refresh_token } = await signedIn();
    if (how === 'revoke') await door.revoke(refresh_token, { client_id });
    else
      await hill
        .as('web')
        .query("select api_human.cut_agent($1, (api_human.agents($1) -> 0 ->> 'agent_id')::uuid)", [session]);

    expect(await door.accepts(tokens.access_token), how).toBe('401 invalid_token');
    expect((await refresh(client_id, refresh_token)).body.error).toBe('invalid_grant');
  }
});

test('where staff have cut an agent, its client is approved again as another, and the first has ended', async () => {
  const { client_id, session, tokens, refresh_token } = await signedIn();
  const agents = () => call<{ agent_id: string; held: boolean }[]>(hill.as('web'), 'api_human.agents', { session });
  const [{ agent_id } = { agent_id: '' }] = await agents();
  const staff = { agent_id, reason: 'a test' };
  await hill.asStaff().call('api_staff.cut_agent', staff);
  expect((await refresh(client_id, refresh_token)).body.error).toBe('invalid_grant');
  expect(await call(hill.as('web'), 'api_human.knows_client', { session, client_id })).toBe(false);
  succeeded(await exchange(client_id, await approved(client_id, session)));

  expect((await agents()).map(({ held }) => held)).toEqual([false, false]);
  expect((await refusal(hill.asStaff().call('api_staff.uncut_agent', staff))).code).toBe('NOT_ALLOWED');
  expect(await door.accepts(tokens.access_token)).toBe('401 invalid_token');
});

test('51: a resource may be named in each of its forms, or not at all, and again at the token endpoint', async () => {
  const [{ client_id }, session] = [await register(), await door.human(anEmail())];
  for (const origin of new Set([door.authUrl, door.baseUrl]))
    for (const resource of [origin, `${origin}/`, `${origin}/mcp`]) {
      const tokens = succeeded(
        await exchange(client_id, await approved(client_id, session, { resource }), { resource: origin }),
      );
      expect(payloadOf(tokens.access_token).aud).toBe(origin);
      const renewed = succeeded(
        await refresh(client_id, tokens.refresh_token as string, { resource: `${origin}/mcp` }),
      );
      expect(payloadOf(renewed.access_token).aud).toBe(origin);
    }
  const tokens = succeeded(await exchange(client_id, await approved(client_id, session, { resource: undefined })));
  expect(payloadOf(tokens.access_token).aud).toBe(door.authUrl);
  expect(
    (await exchange(client_id, await approved(client_id, session), { resource: 'https://elsewhere.example' })).body
      .error,
  ).toBe('invalid_target');
});

test('a state of several thousand characters goes through the sign-in and comes back; one that is longer is refused before', async () => {
  const { client_id } = await register();
  const state = randomBytes(3_900).toString('base64url'); // 5,200 characters
  const visitor = new Visitor();
  const page = await visitor.go(`${door.authUrl}/oauth/authorize?${asking(client_id, { state })}`);
  expect(page.url).toContain(`${door.baseUrl}/sign-in`);
  const signed = await visitor.send(page, '/sign-in/development', { email: anEmail() });
  const consent = await visitor.go(new URL(signed.headers.get('location') as string, page.url).href);
  expect(consent.text).toContain('An app wants to play for you');

  const to = told(await visitor.send(consent, '/oauth/authorize', { decision: 'approve' }));

  expect(to.searchParams.get('state')).toBe(state);
  expect((await exchange(client_id, to.searchParams.get('code') as string)).status).toBe(200);
  const refused = told(await authorize(asking(client_id, { state: 'x'.repeat(6_000) })));
  expect(refused.searchParams.get('error')).toBe('invalid_request');
});

test('36: registration', async () => {
  const { status, headers, body } = await door.json('/oauth/register', {
    client_name: 'A harness',
    redirect_uris: [callback],
    scope: `${both} offline_access`,
  });

  expect(status).toBe(201);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toMatchObject({
    client_name: 'A harness',
    redirect_uris: [callback],
    token_endpoint_auth_method: 'none',
    scope: both,
  });
  expect(body).not.toHaveProperty('client_secret');
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'http://example.com/cb',
  'https://example.com/cb#x',
  'file:///x',
  'search-ms:query=x',
  'myapp://callback',
  'not an address',
  '',
])('37: the address %s is refused', async (address) => {
  expect(await door.json('/oauth/register', { redirect_uris: [callback, address] })).toMatchObject({
    status: 400,
    body: { error: 'invalid_redirect_uri' },
  });
});

test.each([
  ['\u3164\u2800\u115f\u{e0100}', 'Unnamed client'],
  ['Cla\u3164ude\u{e0100} \u202e Code\u2800', 'Cla ude Code'],
  ['Zoe\u0308', 'Zo\u00eb'],
  ['\u65e5\u672c', '\u65e5\u672c'],
  ['x'.repeat(100), 'x'.repeat(60)],
  [5, 'Unnamed client'],
])('36: the name %j is shown as %j, also where it was stored before', async (client_name, shown) => {
  const { body } = await door.json<{ client_id: string; client_name: string }>('/oauth/register', {
    client_name,
    redirect_uris: [callback],
  });
  expect(body.client_name).toBe(shown);

  await hill.root.query('update oauth.clients set name = $2 where id = $1', [
    body.client_id,
    typeof client_name === 'string' ? client_name : '\u2800',
  ]);
  const session = await door.human(anEmail());
  const page = await pageOf(asking(body.client_id), session);
  expect(await page.text()).toContain(`<strong><bdi>${shown}</bdi></strong>`);
  await approved(body.client_id, session);
  const [agent] = await call<{ name: string }[]>(hill.as('web'), 'api_human.agents', { session });
  expect(agent?.name).toBe(shown);
});

test('41: on loopback the port is free, the path is not', async () => {
  const { client_id } = await register();
  const session = await door.human(anEmail());
  const elsewhere = 'http://127.0.0.1:9999/callback';
  const to = told(await decide(asking(client_id, { redirect_uri: elsewhere }), 'approve', session));
  expect(to.origin + to.pathname).toBe(elsewhere);
  expect(to.searchParams.get('iss')).toBe(door.authUrl);
  expect((await authorize(asking(client_id, { redirect_uri: 'http://127.0.0.1:9999/other' }))).status).toBe(400);
});

test('42: a wrong verifier, client or address', async () => {
  const session = await door.human(anEmail());
  const [{ client_id }, other] = [await register(), await register()];
  const code = await approved(client_id, session);
  for (const [by, more] of [
    [client_id, { code_verifier: randomBytes(32).toString('base64url') }],
    [client_id, { redirect_uri: 'http://127.0.0.1:4322/callback' }],
    [other.client_id, {}],
  ] as const)
    expect(await exchange(by, code, more)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  await hill.clock.tick(seconds(60));
  expect((await exchange(client_id, code)).body.error).toBe('invalid_grant');
});

test('44: the parent of the newest, sent again within the grace, gets the same successor again; what works is what it gave', async () => {
  const { client_id, refresh_token, tokens } = await signedIn();
  const second = succeeded(await refresh(client_id, refresh_token));
  await hill.clock.tick(seconds(9.9));

  const again = succeeded(await refresh(client_id, refresh_token, { scope: 'hill:read' }));

  expect(again.refresh_token).toBe(second.refresh_token);
  expect(second.refresh_token).toMatch(/^[\w-]{43}$/);
  expect([again.scope, again.access_token === second.access_token]).toEqual(['hill:read', false]);
  for (const { access_token } of [tokens, second, again]) expect(await door.accepts(access_token)).toBe('ok');
  const third = succeeded(await refresh(client_id, again.refresh_token as string));
  expect(await door.accepts(third.access_token)).toBe('ok');
});

test('45: within the grace, too, one that is older than the parent of the newest ends the chain', async () => {
  const { client_id, refresh_token } = await signedIn();
  const second = succeeded(await refresh(client_id, refresh_token));
  const third = succeeded(await refresh(client_id, second.refresh_token as string));

  expect((await refresh(client_id, refresh_token)).body.error).toBe('invalid_grant');

  for (const ended of [second, third])
    expect((await refresh(client_id, ended.refresh_token as string)).body.error).toBe('invalid_grant');
  expect(await door.accepts(third.access_token)).toBe('401 invalid_token');
});

test('45: an old refresh token ends the chain after 10 seconds, the newest with it', async () => {
  const { client_id, refresh_token } = await signedIn();
  const second = succeeded(await refresh(client_id, refresh_token));
  await hill.clock.tick(seconds(10));

  expect((await refresh(client_id, refresh_token)).body.error).toBe('invalid_grant');

  expect((await refresh(client_id, second.refresh_token as string)).body.error).toBe('invalid_grant');
  expect(await door.accepts(second.access_token)).toBe('401 invalid_token');
});

test.each([
  ['a scope that the chain has not', { scope: 'hill:play' }],
  ['a foreign resource', { resource: 'https://elsewhere.example' }],
])('45: so does one that is used again for %s', async (_, more) => {
  const { client_id, refresh_token } = await signedIn({ scope: 'hill:read' });
  const second = succeeded(await refresh(client_id, refresh_token));
  await hill.clock.tick(seconds(10));

  expect((await refresh(client_id, refresh_token, more)).body.error).toBe('invalid_grant');

  expect((await refresh(client_id, second.refresh_token as string)).body.error).toBe('invalid_grant');
  expect(await door.accepts(second.access_token)).toBe('401 invalid_token');
});

test('45: another client’s use of an old one is refused, within the grace as well, and ends nothing', async () => {
  const [{ client_id, refresh_token }, other] = [await signedIn(), await register()];
  const second = succeeded(await refresh(client_id, refresh_token));

  expect((await refresh(other.client_id, refresh_token)).body.error).toBe('invalid_grant');

  expect((await refresh(client_id, second.refresh_token as string)).status).toBe(200);
});

test('refresh tokens live 30 days', async () => {
  const { client_id, refresh_token } = await signedIn();
  await hill.clock.tick(seconds(30 * 86_400 - 5));
  const second = succeeded(await refresh(client_id, refresh_token));
  await hill.clock.tick(seconds(30 * 86_400));
  expect((await refresh(client_id, second.refresh_token as string)).body.error).toBe('invalid_grant');
});

test('46: an unknown client is 401', async () => {
  for (const answer of [await exchange('nobody', 'x'), await refresh('nobody', 'x')])
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
});

test.each([
  ['a refresh token that was used', 'refresh_token'],
  ['an access token that has expired', 'access_token'],
] as const)('47: %s ends all that its client holds, and is nobody else’s to use', async (_, which) => {
  const { client_id, tokens, refresh_token } = await signedIn();
  const second = succeeded(await refresh(client_id, refresh_token));
  await hill.clock.tick(seconds(901));
  const third = succeeded(await refresh(client_id, second.refresh_token as string));
  const token = tokens[which] as string;

  expect((await door.revoke(token, { client_id: (await register()).client_id })).status).toBe(200);
  expect(await door.accepts(third.access_token)).toBe('ok');
  expect((await door.revoke(token, { client_id })).status).toBe(200);

  expect(await door.accepts(third.access_token)).toBe('401 invalid_token');
  expect((await refresh(client_id, third.refresh_token as string)).body.error).toBe('invalid_grant');
});
