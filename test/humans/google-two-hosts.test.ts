// Sign-in with a provider where clients know another host than humans: from authorize on the one to the consent page on
// the other. Protocol 5.1, 5.5; issuer and pages.
import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { useHumansDoor } from '../support/doors/humans-door.ts';
import { Visitor } from '../support/doors/visitor.ts';
import { useHill } from '../support/hill/index.ts';
import { useGoogle } from '../support/peers/google-server.ts';

const hill = useHill();
const google = useGoogle();
let authUrl = '';
const door = useHumansDoor(hill, (baseUrl) => {
  google.redirectUri = `${baseUrl}/sign-in/google/callback`;
  authUrl = baseUrl.replace('localhost', '127.0.0.1');
  const keys = {
    GOOGLE_ISSUER: google.issuer,
    GOOGLE_CLIENT_ID: google.clientId,
    GOOGLE_CLIENT_SECRET: google.clientSecret,
  };
  return { BASE_URL: baseUrl, AUTH_URL: authUrl, ...keys };
});

test('a client’s request, with a long state, goes by Google to the consent page, and its answer names the issuer', async () => {
  const registered = await fetch(`${authUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'A harness', redirect_uris: ['http://127.0.0.1/callback'] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const state = randomBytes(3_000).toString('base64url');
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: 'http://127.0.0.1:4321/callback',
    state,
    code_challenge: createHash('sha256').update('a verifier').digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${authUrl}/mcp`,
  });
  const visitor = new Visitor();
  const hosts: string[] = [];

  const signIn = await visitor.go(`${authUrl}/oauth/authorize?${asked}`);
  const link = /href="(\/sign-in\/google\?[^"]+)"/.exec(signIn.text)?.[1] as string;
  const consent = await visitor.go(new URL(link, signIn.url).href, (url) => {
    hosts.push(url.origin);
    return url;
  });

  expect(consent.url).toContain(`${door.baseUrl}/oauth/authorize?`);
  expect(consent.text).toContain('ann@example.com');
  expect(new Set(hosts)).toEqual(new Set([door.baseUrl, google.issuer]));
  const answer = await visitor.send(consent, '/oauth/authorize', { decision: 'approve' });
  const back = new URL(answer.headers.get('location') as string);
  expect(Object.fromEntries(back.searchParams)).toEqual({ code: expect.any(String), state, iss: authUrl });
});
