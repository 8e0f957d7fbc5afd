// POST /oauth/device_authorization: a client whose human has a screen elsewhere gets two codes, one to poll with and
// one to show. RFC 8628, 3.1, 3.2; protocol 4.6.
import type Koa from 'koa';
import { call } from '../db/call.ts';
import { keptUserCode, newUserCode } from '../process/user-codes.ts';
import { readForm } from './body.ts';
import { OAuthError } from './errors.ts';
import { findClient, keepClient } from './find-client.ts';
import { audienceOf, scopesOf } from './resources.ts';
import type { AuthorizationServer } from './server.ts';
import { randomToken } from './tokens.ts';

export function deviceAuthorization(server: AuthorizationServer) {
  const kept = keptUserCode(server.config);
  const verification_uri = `${server.config.baseUrl}/device`;

  return async (ctx: Koa.Context) => {
    await server.admit(ctx, 'claims');
    const form = await readForm(ctx);
    const client = await clientOf(server, form.need('client_id'), ctx.ip);
    const asked = {
      scopes: scopesOf(client.scopes, form.get('scope')),
      audience: audienceOf(server.resources, form.all('resource')),
    };
    await keepClient(server, client);

    const device_code = randomToken();
    let user_code: string;
    let begun: { expires_in: number; interval: number } | null;
    do {
      user_code = newUserCode(); // another one, if somebody else has it
      begun = await call(server.db, 'api_oauth.begin_device', {
        ...{ client_id: client.client_id, device_code, user_code: kept(user_code), ...asked },
      });
    } while (!begun);
    ctx.body = {
      device_code,
      user_code,
      verification_uri,
      verification_uri_complete: `${verification_uri}?user_code=${user_code}`,
      ...begun,
    };
  };
}

/** What it throws is for a program here, and not for a human. */
async function clientOf(server: AuthorizationServer, client_id: string, ip: string) {
  try {
    return await findClient(server, client_id, ip);
  } catch (error) {
    if (error instanceof OAuthError && error.error === 'invalid_client')
      throw new OAuthError(
        401,
        'invalid_client',
        'client_id is not that of a registered client, nor the address of a document that describes one.',
      );
    throw error;
  }
}
