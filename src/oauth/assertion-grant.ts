// An identity assertion for an access token (RFC 7523). Protocol 1.4, 2.3.
import { call } from '../db/call.ts';
import type { Form } from './body.ts';
import { invalidGrant, OAuthError } from './errors.ts';
import { audienceOf, scopes, scopesOf } from './resources.ts';
import type { AuthorizationServer } from './server.ts';

export async function assertionGrant(server: AuthorizationServer, form: Form, now: number) {
  const assertion = form.need('assertion');
  const audience = audienceOf(server.resources, form.all('resource'));
  const claims = await server.signer.readAssertion(now, assertion);
  if (!claims) throw refused();
  const named = form.get('client_id');
  if (named !== undefined && named !== claims.client_id)
    throw new OAuthError(401, 'invalid_client', 'The assertion is not of that client.');

  const claimed = claims.generation === 2;
  const granted = scopesOf(claimed ? scopes : ['hill:read'], form.get('scope'));
  const token = await server.signer.accessToken(now, {
    sub: claims.sub,
    client_id: claims.client_id,
    audience,
    scopes: granted,
  });
  // An agent that renews in time needs its human only once.
  const next = claimed ? await server.signer.assertion(now, renewed(claims)) : undefined;
  const issued = await call<boolean>(server.db, 'api_oauth.exchange_assertion', {
    assertion,
    access_token: token.access_token,
    scopes: granted,
    audience,
    next_assertion: next?.identity_assertion ?? null,
  });
  if (!issued) throw refused();
  return { ...token, ...next };
}

const renewed = ({
  sub,
  client_id,
  registration_id,
  generation,
  email,
}: Parameters<AuthorizationServer['signer']['assertion']>[1]) => ({
  sub,
  client_id,
  registration_id,
  generation,
  ...(email === undefined ? {} : { email }),
});

const refused = () =>
  invalidGrant(
    'The assertion is not from this server, or it has expired, been superseded or been revoked. Send the newest one you were given; if that has expired, register again.',
  );
