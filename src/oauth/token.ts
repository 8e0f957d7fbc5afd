// POST /oauth/token: each grant in a file of its own. Protocol 1.4.
import type Koa from 'koa';
import { assertionGrant } from './assertion-grant.ts';
import { type Form, readForm } from './body.ts';
import { claimGrant } from './claim-grant.ts';
import { codeGrant } from './code-grant.ts';
import { deviceGrant } from './device-grant.ts';
import { OAuthError } from './errors.ts';
import { assertionGrantType, claimGrantType, deviceGrantType } from './grant-types.ts';
import { refreshGrant } from './refresh-grant.ts';
import type { AuthorizationServer } from './server.ts';

type Grant = (server: AuthorizationServer, form: Form, now: number) => Promise<object>;

const grants: ReadonlyMap<string, Grant> = new Map<string, Grant>([
  ['authorization_code', codeGrant],
  ['refresh_token', refreshGrant],
  [deviceGrantType, deviceGrant],
  [assertionGrantType, assertionGrant],
  [claimGrantType, claimGrant],
]);

export const token = (server: AuthorizationServer) => async (ctx: Koa.Context) => {
  const now = await server.admit(ctx, 'tokens');
  const form = await readForm(ctx);
  const grant = grants.get(form.need('grant_type'));
  if (!grant)
    throw new OAuthError(400, 'unsupported_grant_type', 'See grant_types_supported in the metadata of this server.');
  ctx.body = await grant(server, form, now);
};
