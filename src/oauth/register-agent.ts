// POST /agent/identity: registers an agent without a browser, and gives it what it needs to read at once. Protocol 3.1.
import { randomUUID } from 'node:crypto';
import type Koa from 'koa';
import { call } from '../db/call.ts';
import { rule } from '../db/rules.ts';
import { readJson } from './body.ts';
import { fitName } from './client-name.ts';
import { invalidRequest, OAuthError } from './errors.ts';
import type { AuthorizationServer } from './server.ts';
import { instant, randomToken } from './tokens.ts';

export const registerAgent = (server: AuthorizationServer) => async (ctx: Koa.Context) => {
  const now = await server.admit(ctx, 'registrations');
  const { type, client_name } = await readJson(ctx);
  checkType(type);
  const name = client_name === undefined ? 'Unnamed agent' : await fitName(server.shownName, client_name);
  if (name === undefined)
    throw invalidRequest(
      `client_name must be a name of 1 to ${rule('name_length')} printable characters, one of them a letter or a digit.`,
    );

  const registration_id = randomUUID();
  const client_id = `agent-${registration_id}`;
  const claim_token = randomToken();
  const { claim_token_seconds } = await server.lifetimes();
  const assertion = await server.signer.assertion(now, {
    sub: registration_id,
    client_id,
    registration_id,
    generation: 1,
  });
  await call(server.db, 'api_oauth.register_anonymous', {
    registration_id,
    client_id,
    client_name: name,
    claim_token,
    assertion: assertion.identity_assertion,
  });
  ctx.body = {
    registration_id,
    registration_type: 'anonymous',
    client_id,
    ...assertion,
    pre_claim_scopes: ['hill:read'],
    claim_url: `${server.issuer}/agent/identity/claim`,
    claim_token,
    claim_token_expires: instant(Math.floor(now) + claim_token_seconds),
    post_claim_scopes: ['hill:read', 'hill:play'],
  };
};

function checkType(type: unknown): void {
  if (type === 'anonymous') return;
  if (type === 'service_auth')
    throw new OAuthError(400, 'service_auth_not_enabled', 'Only the type anonymous is accepted.');
  if (type === 'identity_assertion')
    throw new OAuthError(400, 'issuer_not_enabled', 'No identity provider is accepted, only the type anonymous.');
  throw invalidRequest('type must be "anonymous".');
}
