// An agent built on oauth4webapi, which follows the specifications to the letter: with a browser for its human, or with
// a code.
import * as oauth from 'oauth4webapi';
import { assertionGrant, type Claim, claimGrant, type Registration } from '../doors/oauth.ts';
import type { Human } from './human.ts';
import type { Player, Told } from './libraries.ts';

export const insecure = { [oauth.allowInsecureRequests]: true }; // http, on loopback
const callback = 'http://127.0.0.1:53682/callback';
export const scope = 'hill:read hill:play';

/** From the resource to its authorization server. */
export async function discover(resourceUrl: string) {
  const address = new URL(resourceUrl);
  const resource = await oauth.processResourceDiscoveryResponse(
    address,
    await oauth.resourceDiscoveryRequest(address, insecure),
  );
  const issuer = new URL((resource.authorization_servers as string[])[0] as string);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' }),
  );
  return { resource, server };
}

export const register = async (server: oauth.AuthorizationServer): Promise<oauth.Client> =>
  oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      { client_name: 'A strict client', redirect_uris: [callback], scope },
      insecure,
    ),
  );

/** What the human is to open, and what to check the answer by. */
export async function ask(server: oauth.AuthorizationServer, client: oauth.Client, resource: string) {
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
}

export async function exchange(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  resource: string,
  params: URLSearchParams,
  verifier: string,
) {
  const request = { ...insecure, additionalParameters: { resource } };
  const granted = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    params,
    callback,
    verifier,
    request,
  );
  return oauth.processAuthorizationCodeResponse(server, client, granted);
}

export async function refresh(server: oauth.AuthorizationServer, client: oauth.Client, token: string) {
  return oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, insecure),
  );
}

type Tokens = oauth.TokenEndpointResponse;
interface Way {
  /** With the human's help. */
  begin(): Promise<Tokens>;
  /** Without. */
  renew(tokens: Tokens): Promise<Tokens>;
}

export const withBrowser = (address: string, human: Human): Promise<Player> =>
  player(address, async () => {
    const { resource, server } = await discover(address);
    const client = await register(server);
    return {
      async begin() {
        const { url, state, verifier } = await ask(server, client, resource.resource);
        const answer = oauth.validateAuthResponse(server, client, await human.open(url), state);
        return exchange(server, client, resource.resource, answer, verifier);
      },
      renew: ({ refresh_token }) => refresh(server, client, refresh_token as string),
    };
  });

export const withCode = (address: string, human: Human): Promise<Player> =>
  player(address, async () => {
    const { server } = await discover(address);
    const { identity_endpoint, claim_endpoint } = server.agent_auth as {
      identity_endpoint: string;
      claim_endpoint: string;
    };
    const post = async <T>(url: string, body: object): Promise<T> =>
      (
        await fetch(url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json() as T;
    let client: oauth.Client;
    const grant = async (type: string, parameters: Record<string, string>) => {
      const answer = await oauth.genericTokenEndpointRequest(server, client, oauth.None(), type, parameters, insecure);
      return oauth.processGenericTokenEndpointResponse(server, client, answer);
    };
    return {
      async begin() {
        const { client_id, claim_token } = await post<Registration>(identity_endpoint, {
          type: 'anonymous',
          client_name: 'A strict bot',
        });
        client = { client_id };
        const { claim_attempt } = await post<Claim>(claim_endpoint, { claim_token, email: human.email });
        await human.claim(claim_attempt.verification_uri, claim_attempt.user_code);
        return grant(claimGrant, { claim_token });
      },
      renew: ({ identity_assertion }) => grant(assertionGrant, { assertion: identity_assertion as string }),
    };
  });

/** Renews once for each call that is refused, as the SDKs do, and begins anew when it can no longer renew. */
async function player(address: string, found: () => Promise<Way>): Promise<Player> {
  const way = await found();
  const said: string[] = [];
  let tokens = await way.begin();
  const post = (message: object) =>
    fetch(address, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${tokens.access_token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    });
  const request = async <T>(method: string, params: object = {}): Promise<T> => {
    let response = await post({ method, params });
    if (response.status === 401) {
      const held = tokens;
      try {
        tokens = await way.renew(held);
      } catch (error) {
        if (!(error instanceof oauth.ResponseBodyError)) throw error;
        said.push(`${error.error}: ${error.error_description}`);
        tokens = await way.begin();
      }
      response = await post({ method, params });
    }
    return ((await response.json()) as { result: T }).result;
  };
  return {
    said,
    tools: async () => (await request<{ tools: { name: string }[] }>('tools/list')).tools.map(({ name }) => name),
    call: (name, args = {}) => request<Told>('tools/call', { name, arguments: args }),
    close: async () => {},
  };
}
