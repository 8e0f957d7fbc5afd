// GET /oauth/authorize: what a client asks of a human, checked before and after the human decides. RFC 6749, 7636,
// 8707, 9207.
import { call } from '../db/call.ts';
import type { Authorization, Checked, Client } from '../humans/consent/authorization.ts';
import { longestTarget } from '../humans/return-to.ts';
import { invalidRequest, OAuthError } from './errors.ts';
import { findClient, keepClient } from './find-client.ts';
import { isOnThisComputer, sameRedirect } from './redirect-uris.ts';
import { audienceOf, scopesOf } from './resources.ts';
import type { AuthorizationServer } from './server.ts';
import { randomToken } from './tokens.ts';

const longestRequest = longestTarget - 100;
const names = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
];

const single = (query: URLSearchParams, name: string): string | undefined => query.get(name) || undefined;

// Checks of a request, in the order of the answers that a client may rely on. Each throws an OAuthError.

function checkOnce(query: URLSearchParams): void {
  const repeated = names.some((name) => name !== 'resource' && query.getAll(name).length > 1);
  if (repeated) throw invalidRequest('A parameter is given more than once.');
}

/** The whole request passes through the sign-in. */
function checkLength(fields: Record<string, string>): void {
  if (new URLSearchParams(fields).toString().length > longestRequest)
    throw invalidRequest(`The request is longer than ${longestRequest} characters: shorten its state.`);
}

function checkResponseType(query: URLSearchParams): void {
  const type = single(query, 'response_type');
  if (type === undefined) throw invalidRequest('response_type is missing.');
  if (type !== 'code') throw new OAuthError(400, 'unsupported_response_type', 'Only response_type=code is served.');
}

function checkPkce(query: URLSearchParams): string {
  const challenge = single(query, 'code_challenge');
  if (single(query, 'code_challenge_method') !== 'S256' || challenge === undefined || !/^[\w-]{43}$/.test(challenge))
    throw invalidRequest('PKCE is required: a code_challenge with code_challenge_method=S256.');
  return challenge;
}

function checkRequest({ resources }: AuthorizationServer, query: URLSearchParams, client: Client) {
  checkOnce(query);
  const fields = Object.fromEntries(
    names.flatMap((name) => (query.get(name) ? [[name, query.get(name) as string]] : [])),
  );
  checkLength(fields);
  checkResponseType(query);
  const codeChallenge = checkPkce(query);
  const scopes = scopesOf(client.scopes, single(query, 'scope'));
  const audience = audienceOf(resources, query.getAll('resource').filter(Boolean));
  return { fields, codeChallenge, scopes, audience };
}

/** A client that is not known stops the request: there is no address to which it could be told. */
async function clientOf(server: AuthorizationServer, client_id: string, ip: string): Promise<Client | Stop> {
  try {
    return await findClient(server, client_id, ip);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const { retryAfterSeconds } = error;
    return {
      ...stop(error.message, error.status === 429 ? 429 : 400),
      ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
    };
  }
}

type Stop = Extract<Checked, { outcome: 'stop' }>;
const stop = (why: string, status = 400): Stop => ({ outcome: 'stop', status, why });

async function check(server: AuthorizationServer, query: URLSearchParams, ip: string): Promise<Checked> {
  const client = await clientOf(server, single(query, 'client_id') ?? '', ip);
  if ('outcome' in client) return client;
  const redirectUri = single(query, 'redirect_uri');
  if (redirectUri === undefined || !client.redirect_uris.some((known) => sameRedirect(known, redirectUri)))
    return stop(
      'The program that sent you here wants the answer at an address that it has not registered, or of a kind that this hill sends nobody to.',
    );
  const state = single(query, 'state');
  try {
    return { outcome: 'ask', request: { client, redirectUri, state, ...checkRequest(server, query, client) } };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const to = returnTo(server, redirectUri, state, { error: error.error, error_description: error.message });
    return { outcome: 'tell', client, redirectUri, to, ownComputer: isOnThisComputer(redirectUri), why: error };
  }
}

/** The client's address with an answer. */
function returnTo(
  { issuer }: AuthorizationServer,
  redirectUri: string,
  state: string | undefined,
  answer: Record<string, string>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...answer, ...(state === undefined ? {} : { state }), iss: issuer }))
    url.searchParams.append(name, value);
  return url.href;
}

export const authorization = (server: AuthorizationServer): Authorization => ({
  check: (query, ip) => check(server, query, ip),

  async approve(session, { client, redirectUri, codeChallenge, scopes, audience, state }, account_name, terms_id) {
    const code = randomToken();
    await keepClient(server, client);
    await call(server.db, 'api_human.approve_client', {
      ...{ session, client_id: client.client_id, code, redirect_uri: redirectUri, code_challenge: codeChallenge },
      ...{ scopes, audience, account_name, terms_id },
    });
    return returnTo(server, redirectUri, state, { code });
  },

  refuse: ({ redirectUri, state }) =>
    returnTo(server, redirectUri, state, { error: 'access_denied', error_description: 'The human refused.' }),
});
