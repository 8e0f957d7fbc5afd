// oauth/refresh-grant.ts · a refresh token for an access token and the next refresh token. Protocol 2.4.
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../db/call.ts';
import type { Form } from './body.ts';
import { knownClient, sameAudience } from './code-grant.ts';
import { invalidGrant } from './errors.ts';
import { scopesOf } from './resources.ts';
import type { AuthorizationServer } from './server.ts';

interface Bound {
  readonly account_id: string;
  readonly scopes: string[];
  readonly audience: string;
}

export async function refreshGrant(server: AuthorizationServer, form: Form, now: number) {
  const sent = performance.now();
  const client_id = await knownClient(server, form.get('client_id'));
  const given = form.need('refresh_token');
  const held = { refresh_token: given, client_id, grace_seconds: server.config.refreshGraceSeconds };
  // checked before anything else: a token that was used already ends its chain, whatever the request asks for
  const bound = await call<Bound | null>(server.db, 'api_oauth.look_at_refresh', held);
  if (!bound) throw refused();
  sameAudience(server, form, bound.audience);
  const scopes = scopesOf(bound.scopes, form.get('scope'));

  const { account_id: sub, audience } = bound;
  const token = await server.signer.accessToken(now, { sub, client_id, audience, scopes });
  const next_token = server.successorOf(given);
  const refreshed = await call<boolean>(server.db, 'api_oauth.refresh', {
    ...held,
    access_token: token.access_token,
    next_token,
    scopes,
  });
  if (!refreshed) throw refused();
  if (server.config.refreshGraceSeconds > 0) await sleep(server.gather(given, sent, performance.now()));
  return { ...token, refresh_token: next_token };
}

const refused = () => invalidGrant('The refresh token is unknown, expired, revoked or was used before. Authorize again.');
