// A refresh token for an access token and the next refresh token. Protocol 2.4.
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../db/call.ts';
import type { Form } from './body.ts';
import { knownClient, sameAudience } from './code-grant.ts';
import { invalidGrant } from './errors.ts';
import { scopesOf } from './resources.ts';
import type { AuthorizationServer } from './server.ts';

/**
 * A token that replaced another is taken no sooner than this after it did. Of several parallel calls a late one finds
 * it already saved and refreshes with it, while the refresh of an earlier one may still be on its way with the token
 * before: that would then be a reuse, and end the chain. Decisions 127.
 */
const settledAfterSeconds = 2;

interface Bound {
  readonly account_id: string;
  readonly scopes: string[];
  readonly audience: string;
  readonly age_seconds: number | null;
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

  const patient = server.config.refreshGraceSeconds > 0;
  const { account_id: sub, audience, age_seconds: age } = bound;
  if (patient && age !== null && age < settledAfterSeconds)
    await sleep((settledAfterSeconds - Math.max(age, 0)) * 1000);
  const token = await server.signer.accessToken(now, { sub, client_id, audience, scopes });
  const next_token = server.successorOf(given);
  const refreshed = await call<boolean>(server.db, 'api_oauth.refresh', {
    ...held,
    access_token: token.access_token,
    next_token,
    scopes,
  });
  if (!refreshed) throw refused();
  if (patient) await sleep(server.gather(given, sent, performance.now()));
  return { ...token, refresh_token: next_token };
}

const refused = () =>
  invalidGrant('The refresh token is unknown, expired, revoked or was used before. Authorize again.');
