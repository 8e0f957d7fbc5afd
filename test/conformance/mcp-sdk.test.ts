// The MCP SDK's own client gets in by door B with its own auth() flow, from nothing but the address and a bare 401, calls a tool, and renews its token by itself:
// once for each of several calls at once, which must not sign its human out. HILL_TEST_ROUNDS says how often that is tried.

import { setTimeout as sleep } from 'node:timers/promises';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, test } from 'vitest';
import { throughConsent } from '../support/doors/consent.ts';
import { type hosts, payloadOf, useOAuth } from '../support/doors/oauth.ts';
import { useHill } from '../support/hill/index.ts';

/** What a harness keeps for its human. */
class Harness implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:41999/callback';
  readonly clientMetadata = {
    client_name: 'A harness',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
  };
  client: OAuthClientInformationMixed | undefined;
  saved: OAuthTokens | undefined;
  opened: URL | undefined;
  #verifier = '';
  state = () => 'a state of the harness';
  clientInformation = () => this.client;
  saveClientInformation = (client: OAuthClientInformationMixed) => {
    this.client = client;
  };
  tokens = () => this.saved;
  saveTokens = (tokens: OAuthTokens) => {
    this.saved = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.opened = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
}

describe.each<keyof typeof hosts>(['one host', 'two hosts'])('%s', (setup) => {
  const hill = useHill();
  const door = useOAuth(hill, setup);

  test.each(['authUrl', 'baseUrl'] as const)('from a bare 401 of %s/mcp to a tool, and on when the token has expired', async (at) => {
    const harness = new Harness();
    const transport = () => new StreamableHTTPClientTransport(new URL(`${door[at]}/mcp`), { authProvider: harness });
    const first = transport();
    const client = new Client({ name: 'A harness', version: '1' });

    await expect(client.connect(first as Transport)).rejects.toBeInstanceOf(UnauthorizedError);
    expect(harness.opened?.href).toContain(`${door.authUrl}/oauth/authorize?`);
    expect(harness.opened?.searchParams.get('scope')).toBe('hill:read hill:play');
    expect(harness.opened?.searchParams.get('resource')).toBe(`${door[at]}/mcp`);
    const back = await throughConsent(harness.opened as URL, `harness-${at}@example.com`);
    expect(back.searchParams.get('state')).toBe('a state of the harness');
    expect(back.searchParams.get('iss')).toBe(door.authUrl);
    await first.finishAuth(back.searchParams.get('code') as string);
    await client.connect(transport() as Transport);

    const told = await client.callTool({ name: 'whoami', arguments: {} });
    expect(told.isError).not.toBe(true);
    expect(told.structuredContent).toMatchObject({ scopes: ['hill:read', 'hill:play'] });
    const before = harness.saved as OAuthTokens;
    expect(payloadOf(before.access_token)).toMatchObject({ aud: door[at], iss: door.authUrl });

    await hill.clock.tick(901_000);
    expect((await client.callTool({ name: 'whoami', arguments: {} })).isError).not.toBe(true);
    expect(harness.saved?.access_token).not.toBe(before.access_token);
    expect(harness.saved?.refresh_token).not.toBe(before.refresh_token);
    await client.close();
  });
});

describe('45b: four calls at once when the token has expired', { timeout: 600_000 }, () => {
  const hill = useHill();
  const door = useOAuth(hill, 'one host', { HILL_LIMIT_TOKENS: '1000000/600' });
  const rounds = Number(process.env.HILL_TEST_ROUNDS ?? 15);
  /** A network in which no two requests take the same time. */
  const uneven: typeof fetch = async (...request) => {
    await sleep(Math.random() * 20);
    const response = await fetch(...request);
    await sleep(Math.random() * 20);
    return response;
  };

  test.each([
    ['of one transport', 1, fetch],
    ['of one transport, on an uneven network', 1, uneven],
    ['of four transports with one store of tokens', 4, fetch],
    ['of four transports with one store of tokens, on an uneven network', 4, uneven],
  ] as const)('%s: all are answered, and the human stays signed in', async (_, transports, fetching) => {
    const harness = new Harness();
    const transport = () => new StreamableHTTPClientTransport(new URL(`${door.authUrl}/mcp`), { authProvider: harness, fetch: fetching });
    const first = transport();
    await expect(new Client({ name: 'A harness', version: '1' }).connect(first as Transport)).rejects.toBeInstanceOf(UnauthorizedError);
    const back = await throughConsent(harness.opened as URL, 'parallel@example.com');
    await first.finishAuth(back.searchParams.get('code') as string);
    const clients = await Promise.all(
      Array.from({ length: transports }, async () => {
        const client = new Client({ name: 'A harness', version: '1' });
        await client.connect(transport() as Transport);
        return client;
      }),
    );
    harness.opened = undefined;

    const refreshed = new Set([harness.saved?.refresh_token]);
    for (let round = 0; round < rounds; round++) {
      await hill.clock.tick(901_000);
      const answers = await Promise.all(
        [0, 1, 2, 3].map((n) => (clients[n % transports] as Client).callTool({ name: 'whoami', arguments: {} })),
      );

      expect(answers.map(({ isError }) => isError)).toEqual([undefined, undefined, undefined, undefined]);
      refreshed.add(harness.saved?.refresh_token);
    }

    expect(harness.opened).toBeUndefined(); // nobody was sent to sign in
    expect(refreshed.size).toBeGreaterThan(rounds);
    await Promise.all(clients.map((client) => client.close()));
  });
});
