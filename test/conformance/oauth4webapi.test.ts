// oauth4webapi, which follows the specifications to the letter and takes nothing else, completes door B. Rows 20 to 22, 36, 39, 40, 44, 47 of protocol 11.
import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { throughConsent } from '../support/doors/consent.ts';
import { type hosts, useOAuth } from '../support/doors/oauth.ts';
import { useHill } from '../support/hill/index.ts';

const insecure = { [oauth.allowInsecureRequests]: true }; // http, on loopback
const callback = 'http://127.0.0.1:53682/callback';
const scope = 'hill:read hill:play';

describe.each<keyof typeof hosts>(['one host', 'two hosts'])('%s', (setup) => {
  const hill = useHill();
  const door = useOAuth(hill, setup);

  /** From the resource to its authorization server, and a client there. */
  const begin = async (resourceUrl: string) => {
    const resource = await oauth.processResourceDiscoveryResponse(
      new URL(resourceUrl),
      await oauth.resourceDiscoveryRequest(new URL(resourceUrl), insecure),
    );
    const issuer = new URL((resource.authorization_servers as string[])[0] as string);
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' }));
    const registration = await oauth.dynamicClientRegistrationRequest(
      server,
      { client_name: 'A strict client', redirect_uris: [callback], scope },
      insecure,
    );
    const client = await oauth.processDynamicClientRegistrationResponse(registration);
    return { resource, server, client: { ...client, [oauth.clockSkew]: await skew() } as oauth.Client };
  };
  /** The hill's clock is a simulated one. */
  const skew = async () => {
    const [row] = await hill.rows<{ now: number }>('select extract(epoch from engine.now())::float8 as now');
    return Math.floor((row?.now ?? 0) - Date.now() / 1000);
  };
  const ask = async (server: oauth.AuthorizationServer, client: oauth.Client, resource: string) => {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(server.authorization_endpoint as string);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: callback,
      scope,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      resource,
    }).toString();
    return { url, state, verifier };
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

    const params = oauth.validateAuthResponse(server, client, await throughConsent(url, `strict-${at}${path.slice(1)}@example.com`), state);
    const granted = await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), params, callback, verifier, {
      ...insecure,
      additionalParameters: { resource: resource.resource },
    });
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, granted);
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 900, scope });

    const bearer = new Request(`${door[at]}/mcp`, { headers: { Authorization: `Bearer ${tokens.access_token}` } });
    // all forms of a resource are one audience
    const claims = await oauth.validateJwtAccessToken(server, bearer, door[at], {
      ...insecure,
      [oauth.clockSkew]: await skew(),
      signingAlgorithms: ['ES256'],
    });
    expect(claims).toMatchObject({ iss: server.issuer, client_id: client.client_id, scope });

    const renewed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token as string, insecure),
    );
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
    expect(await door.accepts(renewed.access_token)).toBe('ok');

    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, oauth.None(), renewed.refresh_token as string, insecure),
    );
    expect(await door.accepts(renewed.access_token)).toBe('401 invalid_token');
    const late = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), renewed.refresh_token as string, insecure);
    await expect(oauth.processRefreshTokenResponse(server, client, late)).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
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
    expect(() => oauth.validateAuthResponse(server, client, wrong, state)).toThrow(expect.objectContaining({ error: 'invalid_request' }));
    wrong.searchParams.set('iss', 'https://elsewhere.example');
    expect(() => oauth.validateAuthResponse(server, client, wrong, state)).toThrow(/iss/);
  });
});
