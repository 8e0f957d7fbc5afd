// oauth/authorize.ts · GET /oauth/authorize: what a client asks of a human, checked before and after the human decides. RFC 6749, 7636, 8707, 9207.
import { call } from '../db/call.ts';
import type { Authorization, AuthorizationRequest, Checked, Client } from '../humans/consent/authorization.ts';
import { longestTarget } from '../humans/sign-in/return-to.ts';
import { OAuthError } from './errors.ts';
import { findClient, keepClient } from './find-client.ts';
import { isOnThisComputer, sameRedirect } from './redirect-uris.ts';
import { audienceOf, scopesOf } from './resources.ts';
import type { AuthorizationServer } from './server.ts';
import { randomToken } from './tokens.ts';

const longestRequest = longestTarget - 100;
const names = ['response_type', 'client_id', 'redirect_uri', 'scope', 'state', 'code_challenge', 'code_challenge_method', 'resource'];

export function authorization(server: AuthorizationServer): Authorization {
  const back = (redirectUri: string, state: string | undefined, answer: Record<string, string>): string => {
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries({ ...answer, ...(state === undefined ? {} : { state }), iss: server.issuer }))
      url.searchParams.append(name, value);
    return url.href;
  };

  const clientOf = async (client_id: string, ip: string): Promise<Client | Stop> => {
    try {
      return await findClient(server, client_id, ip);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const { retryAfterSeconds } = error;
      return { ...stop(error.message, error.status === 429 ? 429 : 400), ...(retryAfterSeconds ? { retryAfterSeconds } : {}) };
    }
  };

  return {
    async check(query, ip) {
      const one = (name: string) => query.get(name) || undefined;
      const client = await clientOf(one('client_id') ?? '', ip);
      if ('outcome' in client) return client;
      const redirectUri = one('redirect_uri');
      if (redirectUri === undefined || !client.redirect_uris.some((known) => sameRedirect(known, redirectUri)))
        return stop(
          'The program that sent you here wants the answer at an address that it has not registered, or of a kind that this hill sends nobody to.',
        );

      const state = one('state');
      try {
        if (names.some((name) => name !== 'resource' && query.getAll(name).length > 1))
          throw refused('A parameter is given more than once.');
        const fields = Object.fromEntries(names.flatMap((name) => (query.get(name) ? [[name, query.get(name) as string]] : [])));
        // the whole request passes through the sign-in
        if (new URLSearchParams(fields).toString().length > longestRequest)
          throw refused(`The request is longer than ${longestRequest} characters: shorten its state.`);
        const type = one('response_type');
        if (type === undefined) throw refused('response_type is missing.');
        if (type !== 'code') throw new OAuthError(400, 'unsupported_response_type', 'Only response_type=code is served.');
        const codeChallenge = one('code_challenge');
        if (one('code_challenge_method') !== 'S256' || codeChallenge === undefined || !/^[\w-]{43}$/.test(codeChallenge))
          throw refused('PKCE is required: a code_challenge with code_challenge_method=S256.');
        const request: AuthorizationRequest = {
          client,
          redirectUri,
          scopes: scopesOf(client.scopes, one('scope')),
          audience: audienceOf(server.resources, query.getAll('resource').filter(Boolean)),
          codeChallenge,
          state,
          fields,
        };
        return { outcome: 'ask', request };
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        const to = back(redirectUri, state, { error: error.error, error_description: error.message });
        return { outcome: 'tell', client, redirectUri, to, ownComputer: isOnThisComputer(redirectUri), why: error };
      }
    },

    async approve(session, { client, redirectUri, codeChallenge, scopes: granted, audience, state }, account_name) {
      const code = randomToken();
      await keepClient(server, client);
      await call(server.db, 'api_human.approve_client', {
        session,
        client_id: client.client_id,
        code,
        redirect_uri: redirectUri,
        code_challenge: codeChallenge,
        scopes: granted,
        audience,
        account_name,
      });
      return back(redirectUri, state, { code });
    },

    refuse: ({ redirectUri, state }) => back(redirectUri, state, { error: 'access_denied', error_description: 'The human refused.' }),
  };
}

const refused = (description: string) => new OAuthError(400, 'invalid_request', description);

type Stop = Extract<Checked, { outcome: 'stop' }>;
const stop = (why: string, status = 400): Stop => ({ outcome: 'stop', status, why });
