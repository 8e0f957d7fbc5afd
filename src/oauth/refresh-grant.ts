// oauth/refresh-grant.ts · a refresh token for an access token and the next refresh token. Specification 3.3.
import { call } from '../db/call.ts';
import type { Form } from './body.ts';
import { knownClient, sameAudience } from './code-grant.ts';
import { invalidGrant } from './errors.ts';
import { scopesOf } from './resources.ts';
import type { AuthorizationServer } from './server.ts';
import { accessSeconds, randomToken } from './tokens.ts';

interface Bound {
  readonly client_id: string;
  readonly account_id: string;
  readonly scopes: string[];
  readonly audience: string;
}

export async function refreshGrant(server: AuthorizationServer, form: Form, now: number) {
  const client_id = await knownClient(server, form.get('client_id'));
  const given = form.need('refresh_token');
  const bound = await call<Bound | null>(server.db, 'api_oauth.look_at_refresh', { refresh_token: given });
  if (!bound || bound.client_id !== client_id) throw refused();
  sameAudience(server, form, bound.audience);
  const scopes = scopesOf(bound.scopes, form.get('scope'));

  const { account_id: sub, audience } = bound;
  const access_token = await server.signer.accessToken(now, { sub, client_id, audience, scopes });
  const next_token = randomToken();
  const refreshed = await call<boolean>(server.db, 'api_oauth.refresh', {
    refresh_token: given,
    access_token,
    next_token,
    scopes,
    grace_seconds: server.config.refreshGraceSeconds,
  });
  if (!refreshed) throw refused();
  return { access_token, token_type: 'Bearer', expires_in: accessSeconds, scope: scopes.join(' '), refresh_token: next_token };
}

const refused = () => invalidGrant('The refresh token is unknown, expired, revoked or was used before. Authorize again.');
