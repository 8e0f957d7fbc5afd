// How clients find their way in: rows 20 to 22 of protocol 11. RFC 8414, RFC 9728; protocol 7.
import { describe, expect, test } from 'vitest';
import { deviceGrant } from '../support/doors/device.ts';
import { assertionGrant, claimGrant, type hosts, useOAuth } from '../support/doors/oauth.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();

describe.each<keyof typeof hosts>(['one host', 'two hosts'])('%s', (setup) => {
  const door = useOAuth(hill, setup);

  test.each(['', '/mcp'])(
    '20: protected resource metadata at the well-known path%s, of each origin',
    async (suffix) => {
      for (const origin of new Set([door.baseUrl, door.authUrl])) {
        const { status, headers, body } = await door.get(`${origin}/.well-known/oauth-protected-resource${suffix}`);

        expect(status).toBe(200);
        expect(headers.get('access-control-allow-origin')).toBe('*');
        expect(body).toMatchObject({
          resource: origin + suffix, // to the letter (RFC 9728, 3.3)
          authorization_servers: [door.authUrl],
          scopes_supported: ['hill:read', 'hill:play'],
          bearer_methods_supported: ['header'],
        });
      }
    },
  );

  test('21: authorization server metadata, with the issuer to the character and what exists', async () => {
    const { status, headers, body } = await door.get<Record<string, unknown>>(
      `${door.authUrl}/.well-known/oauth-authorization-server`,
    );

    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(body).toMatchObject({
      issuer: door.authUrl,
      token_endpoint: `${door.authUrl}/oauth/token`,
      jwks_uri: `${door.authUrl}/.well-known/jwks.json`,
      token_endpoint_auth_methods_supported: ['none'],
      authorization_endpoint: `${door.authUrl}/oauth/authorize`,
      device_authorization_endpoint: `${door.authUrl}/oauth/device_authorization`,
      registration_endpoint: `${door.authUrl}/oauth/register`,
      grant_types_supported: ['authorization_code', 'refresh_token', deviceGrant, assertionGrant, claimGrant],
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      agent_auth: {
        skill: `${door.baseUrl}/auth.md`,
        identity_endpoint: `${door.authUrl}/agent/identity`,
        claim_endpoint: `${door.authUrl}/agent/identity/claim`,
        identity_types_supported: ['anonymous'],
      },
    });
    expect(body.agent_auth).not.toHaveProperty('events_endpoint');
    for (const [name, url] of Object.entries(body))
      if (name.endsWith('_endpoint'))
        expect((await fetch(url as string, { redirect: 'manual' })).status, name).not.toBe(404);
    for (const grant_type of body.grant_types_supported as string[])
      expect((await door.form('/oauth/token', { grant_type })).body.error).toMatch(/^invalid_(request|client)$/); // known, with something missing
  });

  test('22: the key set has public parts only, and may be kept', async () => {
    await door.register();
    const { status, headers, body } = await door.get<{ keys: Record<string, string>[] }>(
      `${door.authUrl}/.well-known/jwks.json`,
    );

    expect(status).toBe(200);
    expect(headers.get('cache-control')).toMatch(/^public, max-age=[1-9]/);
    expect(headers.get('etag')).toBeTruthy();
    expect(body.keys.length).toBeGreaterThan(0);
    for (const key of body.keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });

  test('browsers’ clients may ask before they call', async () => {
    for (const path of [
      '/oauth/token',
      '/oauth/revoke',
      '/agent/identity',
      '/.well-known/oauth-authorization-server',
    ]) {
      const response = await fetch(door.authUrl + path, {
        method: 'OPTIONS',
        headers: { 'Access-Control-Request-Method': 'POST' },
      });

      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-headers')).toContain('Content-Type');
    }
  });

  test('an endpoint says which methods it has', async () => {
    const response = await fetch(`${door.authUrl}/oauth/token`);

    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toContain('POST');
  });

  test('/auth.md names only addresses and grants that exist', async () => {
    const words = (await door.get<string>(`${door.baseUrl}/auth.md`)).body as unknown as string;

    const addresses = [...words.matchAll(/^POST (\S+)$/gm)].map(([, url]) => url as string);
    expect(addresses).toHaveLength(6); // door A, and the endpoint that it leads to; the browser’s are for a library
    for (const url of addresses)
      expect((await fetch(url, { method: 'POST' })).status, url).toBe(url.endsWith('/mcp') ? 401 : 400);
    const { body } = await door.get<{ grant_types_supported: string[] }>(
      `${door.authUrl}/.well-known/oauth-authorization-server`,
    );
    for (const [, grant] of words.matchAll(/grant_type=([\w:-]+)/g))
      expect(body.grant_types_supported).toContain(grant);
  });
});
