// oauth4webapi, which follows the specifications to the letter and takes nothing else, completes door B. Rows 20 to 22,
// 36, 39, 40, 44, 47 of protocol 11.
import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { ask, discover, exchange, insecure, refresh, register, scope } from '../support/clients/strict.ts';
import { throughConsent } from '../support/doors/consent.ts';
import { type hosts, useOAuth } from '../support/doors/oauth.ts';
import { useHill } from '../support/hill/index.ts';

describe.each<keyof typeof hosts>(['one host', 'two hosts'])('%s', (setup) => {
  const hill = useHill();
  const door = useOAuth(hill, setup);

  /** From the resource to its authorization server, and a client there. */
  const begin = async (resourceUrl: string) => {
    const { resource, server } = await discover(resourceUrl);
    return { resource, server, client: { ...(await register(server)), [oauth.clockSkew]: await skew() } };
  };
  /** The hill's clock is a simulated one. */
  const skew = async () => {
    const [row] = await hill.rows<{ now: number }>('select extract(epoch from engine.now())::float8 as now');
    return Math.floor((row?.now ?? 0) - Date.now() / 1000);
  };

  test.each([
    ['authUrl', '/mcp'],
    ['baseUrl', '/mcp'],
    ['authUrl', ''],
    ['baseUrl', ''],
  ] as const)('from the resource at %s%s to tokens, their renewal and their end', async (at, path) => {
    const { resource, server, client } = await begin(door[at] + path);
    expect(resource.resource).toBe(door[at] + path);
    const { url, state, verifier } = await ask(server, client, resource.resource);

    const params = oauth.validateAuthResponse(
      server,
      client,
      await throughConsent(url, `strict-${at}${path.slice(1)}@example.com`),
      state,
    );
    const tokens = await exchange(server, client, resource.resource, params, verifier);
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 900, scope });

    const bearer = new Request(`${door[at]}/mcp`, { headers: { Authorization: `Bearer ${tokens.access_token}` } });
    // all forms of a resource are one audience
    const claims = await oauth.validateJwtAccessToken(server, bearer, door[at], {
      ...insecure,
      [oauth.clockSkew]: await skew(),
      signingAlgorithms: ['ES256'],
    });
    expect(claims).toMatchObject({ iss: server.issuer, client_id: client.client_id, scope });

    const renewed = await refresh(server, client, tokens.refresh_token as string);
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
    expect(await door.accepts(renewed.access_token)).toBe('ok');

    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, oauth.None(), renewed.refresh_token as string, insecure),
    );
    expect(await door.accepts(renewed.access_token)).toBe('401 invalid_token');
    const late = refresh(server, client, renewed.refresh_token as string);
    await expect(late).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
  });

  test('a human who refuses, and a request that is wrong, are told by an answer that it can trust', async () => {
    const { resource, server, client } = await begin(door.authUrl);
    const { url, state } = await ask(server, client, resource.resource);

    const refused = await throughConsent(url, 'refusing@example.com', 'refuse');
    expect(() => oauth.validateAuthResponse(server, client, refused, state)).toThrow(
      expect.objectContaining({ error: 'access_denied', name: 'AuthorizationResponseError' }),
    );

    url.searchParams.set('code_challenge_method', 'plain');
    const wrong = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location') as string);
    expect(() => oauth.validateAuthResponse(server, client, wrong, state)).toThrow(
      expect.objectContaining({ error: 'invalid_request' }),
    );
    wrong.searchParams.set('iss', 'https://elsewhere.example');
    expect(() => oauth.validateAuthResponse(server, client, wrong, state)).toThrow(/iss/);
  });
});
