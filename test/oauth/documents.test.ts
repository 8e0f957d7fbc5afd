// A client whose id is the address of its own document: from the document to a token, over HTTP. Protocol 4.2.
import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deviceGrant, useDevice } from '../support/doors/device.ts';
import { payloadOf, succeeded, type Tokens, useOAuth } from '../support/doors/oauth.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();
const door = useOAuth(hill, 'one host', { HILL_LIMIT_REGISTRATIONS: '10/3600' });
const device = useDevice(door);
const callback = 'http://127.0.0.1:4321/callback';
const verifier = randomBytes(32).toString('base64url');
let origin: string;

const publisher = http.createServer((request, response) => {
  const document = {
    client_id: `${origin}/client.json`,
    client_name: 'A document’s client',
    redirect_uris: [callback],
  };
  response.setHeader('Content-Type', 'application/json');
  if (request.url === '/client.json') response.end(JSON.stringify(document));
  else if (request.url === '/device.json')
    response.end(
      JSON.stringify({
        client_id: `${origin}/device.json`,
        client_name: 'A document’s device',
        grant_types: [deviceGrant],
      }),
    );
  else if (request.url === '/liar.json') response.end(JSON.stringify(document));
  else response.writeHead(404).end('{}');
});
beforeAll(async () => {
  await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}`;
});
afterAll(() => publisher.close());

const asking = (client_id: string) =>
  new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: callback,
    state: 'a state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
const authorize = (query: URLSearchParams, headers: Record<string, string>) =>
  fetch(`${door.baseUrl}/oauth/authorize?${query}`, { headers, redirect: 'manual' });

test('the metadata says so', async () => {
  const { body } = await door.get<Record<string, unknown>>(`${door.authUrl}/.well-known/oauth-authorization-server`);

  expect(body.client_id_metadata_document_supported).toBe(true);
});

test('its human sees it, approves it, and it gets its tokens', async () => {
  const client_id = `${origin}/client.json`;
  const session = await door.human('reader@example.com');
  const headers = { Cookie: `hill_session=${session}` };
  const page = await (await authorize(asking(client_id), headers)).text();
  expect(page).toContain('A document’s client');
  const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] as string;

  const answer = await fetch(`${door.baseUrl}/oauth/authorize`, {
    method: 'POST',
    headers: { ...headers, Origin: door.baseUrl },
    body: new URLSearchParams([...asking(client_id), ['csrf', csrf], ['decision', 'approve']]),
    redirect: 'manual',
  });
  const code = new URL(answer.headers.get('location') as string).searchParams.get('code') as string;
  const tokens = succeeded(
    await door.form<Tokens>('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      client_id,
      redirect_uri: callback,
      code_verifier: verifier,
    }),
  );

  expect(payloadOf(tokens.access_token)).toMatchObject({ client_id, scope: 'hill:read hill:play' });
  expect(await door.accepts(tokens.access_token)).toBe('ok');
  const refresh = { grant_type: 'refresh_token', client_id, refresh_token: tokens.refresh_token as string };
  expect((await door.form('/oauth/token', refresh)).status).toBe(200);
});

test('one that only shows codes needs no redirect, and gets its tokens by the device grant', async () => {
  const client_id = `${origin}/device.json`;
  const codes = succeeded(await device.ask(client_id));
  expect((await device.poll(client_id, codes.device_code)).body.error).toBe('authorization_pending'); // not invalid_client
  const visitor = await device.human('reader@example.com');
  const shown = await device.type(visitor, codes.user_code);
  expect(shown.text).toContain('A document’s device');
  await device.decide(visitor, shown, 'approve');

  const tokens = succeeded(await device.poll(client_id, codes.device_code));
  expect(payloadOf(tokens.access_token)).toMatchObject({ client_id, scope: 'hill:read hill:play' });
  expect((await authorize(asking(client_id), {})).status).toBe(400);
  expect(await device.ask(`${origin}/nothing.json`)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
});

test('counts once, however often its human comes by while its document is kept', async () => {
  const counted = async () =>
    (await hill.rows<{ n: number }>("select sum(count)::integer as n from oauth.rates where what = 'registrations'"))[0]
      ?.n;
  const before = await counted();
  for (let i = 0; i < 5; i++) expect((await authorize(asking(`${origin}/client.json`), {})).status).toBe(303);

  expect(await counted()).toBe(before);
});

test.each([
  ['that is not there', '/nothing.json'],
  ['that speaks of another client', '/liar.json'],
  ['in the private ranges', undefined],
])('one %s is a page of 400, and no redirect', async (_, path) => {
  const answer = await authorize(asking(path ? origin + path : 'https://192.168.0.1/client.json'), {});

  expect(answer.status).toBe(400);
  expect(answer.headers.get('location')).toBeNull();
});

test('a null character in a client’s id is no client’s', async () => {
  expect((await authorize(asking('client-\0'), {})).status).toBe(400);
});

test('49: what strangers make the hill fetch is limited', async () => {
  const answers = [];
  for (let i = 0; i < 10; i++) answers.push(await authorize(asking(`${origin}/nothing-${i}.json`), {}));

  expect(answers.at(-1)?.status).toBe(429);
  expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
});
