// Exchanges an authorization code for tokens; the client proves itself by the PKCE verifier. Protocol 4.5; RFC 7636.
import { createHash } from 'node:crypto';
import { call } from '../db/call.ts';
import type { Client } from '../humans/consent/authorization.ts';
import type { Form } from './body.ts';
import { invalidGrant, OAuthError } from './errors.ts';
import { audienceOf } from './resources.ts';
import type { AuthorizationServer } from './server.ts';
import { randomToken } from './tokens.ts';

interface Bound {
  readonly client_id: string;
  readonly account_id: string;
  readonly redirect_uri: string;
  readonly code_challenge: string;
  readonly scopes: string[];
  readonly audience: string;
}

export async function codeGrant(server: AuthorizationServer, form: Form, now: number) {
  const client_id = await knownClient(server, form.get('client_id'));
  const code = form.need('code');
  const verifier = form.need('code_verifier');
  const bound = await call<Bound | null>(server.db, 'api_oauth.look_at_code', { code });
  const redirectUri = form.get('redirect_uri');
  if (
    !bound ||
    bound.client_id !== client_id ||
    (redirectUri !== undefined && redirectUri !== bound.redirect_uri) ||
    createHash('sha256').update(verifier).digest('base64url') !== bound.code_challenge
  )
    throw refused();
  sameAudience(server, form, bound.audience);

  const { account_id: sub, audience, scopes } = bound;
  const token = await server.signer.accessToken(now, { sub, client_id, audience, scopes });
  const refresh_token = randomToken();
  if (
    !(await call<boolean>(server.db, 'api_oauth.exchange_code', {
      code,
      access_token: token.access_token,
      refresh_token,
    }))
  )
    throw refused();
  return { ...token, refresh_token };
}

export async function knownClient(server: AuthorizationServer, client_id: string | undefined): Promise<string> {
  const client = client_id && (await call<Client | null>(server.db, 'api_oauth.find_client', { client_id }));
  if (!client) throw new OAuthError(401, 'invalid_client', 'client_id is not that of a registered client.');
  return client.client_id;
}

/** If a resource is named again, it must be the one that the human approved. */
export function sameAudience(server: AuthorizationServer, form: Form, audience: string): void {
  const named = form.all('resource');
  if (named.length > 0 && audienceOf(server.resources, named) !== audience)
    throw new OAuthError(400, 'invalid_target', 'The human approved another resource.');
}

const refused = () =>
  invalidGrant('The code is unknown, expired or used, or was given for another client, address or verifier.');
