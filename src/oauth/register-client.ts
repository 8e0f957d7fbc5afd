// POST /oauth/register: dynamic registration of clients that open a browser (RFC 7591). Public clients only.
import { randomUUID } from 'node:crypto';
import type Koa from 'koa';
import { call } from '../db/call.ts';
import { readJson } from './body.ts';
import { OAuthError } from './errors.ts';
import { deviceGrantType } from './grant-types.ts';
import { mayRedirectTo } from './redirect-uris.ts';
import { scopes } from './resources.ts';
import type { AuthorizationServer } from './server.ts';

export const registerClient = (server: AuthorizationServer) => async (ctx: Koa.Context) => {
  const now = await server.admit(ctx, 'registrations');
  const { client_name, redirect_uris = [], grant_types, scope } = await readJson(ctx);
  // A client that only shows codes is not sent back to.
  const shows =
    Array.isArray(grant_types) && grant_types.includes(deviceGrantType) && !grant_types.includes('authorization_code');
  if (
    !Array.isArray(redirect_uris) ||
    redirect_uris.length < (shows ? 0 : 1) ||
    redirect_uris.length > 10 ||
    !redirect_uris.every((uri) => typeof uri === 'string' && mayRedirectTo(uri))
  )
    throw new OAuthError(
      400,
      'invalid_redirect_uri',
      'redirect_uris must be 1 to 10 addresses: https, http on loopback, or a private scheme with a dot, as com.example.app:; without a fragment.',
    );
  if (scope !== undefined && typeof scope !== 'string')
    throw new OAuthError(400, 'invalid_client_metadata', 'scope must be a text.');

  const asked = scope?.split(/\s+/) ?? [];
  const known = scopes.filter((name) => asked.includes(name));
  const granted = known.length > 0 ? known : [...scopes];
  const client_id = `client-${randomUUID()}`;
  const name = (typeof client_name === 'string' && (await server.shownName(client_name))) || 'Unnamed client';
  await call(server.db, 'api_oauth.register_client', {
    client_id,
    client_name: name,
    redirect_uris,
    scopes: granted,
    details: '{}',
  });
  ctx.status = 201;
  ctx.body = {
    client_id,
    client_id_issued_at: Math.floor(now),
    client_name: name,
    redirect_uris,
    // what it may use, which is what its redirect addresses allow
    grant_types: [...(redirect_uris.length > 0 ? ['authorization_code'] : []), 'refresh_token', deviceGrantType],
    response_types: redirect_uris.length > 0 ? ['code'] : [],
    token_endpoint_auth_method: 'none',
    scope: granted.join(' '),
  };
};
