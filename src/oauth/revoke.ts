// POST /oauth/revoke (RFC 7009): ends all tokens of the client; an unknown token gets the same answer. Protocol 6.1.
import { setTimeout as sleep } from 'node:timers/promises';
import type Koa from 'koa';
import { call } from '../db/call.ts';
import { readForm, readJson } from './body.ts';
import { invalidRequest } from './errors.ts';
import type { AuthorizationServer } from './server.ts';

const answeredAfterMs = 50;

export const revoke = (server: AuthorizationServer) => async (ctx: Koa.Context) => {
  await server.admit(ctx, 'tokens');
  const { token, client_id } = ctx.is('json') ? await readJson(ctx) : await formFields(ctx);
  if (typeof token !== 'string' || token === '') throw invalidRequest('token is missing.');
  if (client_id !== undefined && typeof client_id !== 'string') throw invalidRequest('client_id must be a text.');
  // Revoking takes longer than finding nothing. Both are answered only after this time, so that nobody can probe which
  // tokens are known.
  const asLong = sleep(answeredAfterMs);
  await call(server.db, 'api_oauth.revoke_token', { token, client_id: client_id ?? null });
  await asLong;
  ctx.body = {};
};

async function formFields(ctx: Koa.Context) {
  const form = await readForm(ctx);
  return { token: form.get('token'), client_id: form.get('client_id') };
}
