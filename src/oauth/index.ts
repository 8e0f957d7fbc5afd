// The authorization server: which file answers which address. Protocol 1.1, 1.3.
import Router from '@koa/router';
import type Koa from 'koa';
import { call } from '../db/call.ts';
import { Failure, typed } from '../db/errors.ts';
import { answer } from '../http/answer.ts';
import { Representation } from '../http/representation.ts';
import { authMarkdown } from './auth-md.ts';
import { claimAgent } from './claim-agent.ts';
import { deviceAuthorization } from './device-authorization.ts';
import { agentWording, asOAuthError, OAuthError, tokenWording, type Wording } from './errors.ts';
import { resourceMetadata, serverMetadata } from './metadata.ts';
import { registerAgent } from './register-agent.ts';
import { registerClient } from './register-client.ts';
import { revoke } from './revoke.ts';
import type { AuthorizationServer } from './server.ts';
import { token } from './token.ts';

const json = 'application/json; charset=utf-8';
// Clients read these before every sign-in; a new key is published an hour before it signs.
const brief = 'public, max-age=300, must-revalidate';

export function oauthDoor(server: AuthorizationServer): Koa.Middleware {
  const { config, log } = server;
  const router = new Router({ sensitive: true, strict: true });

  const serve = (
    path: string,
    methods: string,
    wording: Wording,
    handle: (ctx: Koa.Context) => Promise<void> | void,
  ) => {
    const endpoint: Koa.Middleware = async (ctx) => {
      ctx.set({
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': 'Retry-After, WWW-Authenticate, ETag',
      });
      if (ctx.method === 'OPTIONS') {
        ctx.set({
          Allow: `${methods}, OPTIONS`,
          'Access-Control-Allow-Methods': `${methods}, OPTIONS`,
          'Access-Control-Allow-Headers': 'Content-Type, Authorization, Accept, MCP-Protocol-Version, *',
          'Access-Control-Max-Age': '86400',
        });
        ctx.status = 204;
        return;
      }
      ctx.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache', 'X-Content-Type-Options': 'nosniff' });
      if (!methods.split(', ').includes(ctx.method)) {
        ctx.set('Allow', `${methods}, OPTIONS`);
        ctx.status = 405;
        ctx.body = wording(new OAuthError(405, 'invalid_request', 'Use one of the methods that Allow names.'));
        return;
      }
      try {
        await handle(ctx);
      } catch (thrown) {
        const error = asOAuthError(thrown);
        const cause = typed(thrown);
        // only the kind: the message may repeat a token
        if (error.status >= 500 && cause instanceof Failure)
          log.error({ code: cause.code, kind: cause.kind }, 'the authorization server failed');
        if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
        ctx.status = error.status;
        ctx.body = wording(error);
      }
    };
    router.all(path, endpoint);
  };
  const document = (path: string, type: string, body: (ctx: Koa.Context) => string | Promise<string>) => {
    let last = { text: '', representation: new Representation(type, '', { vary: null }) };
    serve(path, 'GET, HEAD', tokenWording, async (ctx) => {
      const text = await body(ctx);
      if (text !== last.text) last = { text, representation: new Representation(type, text, { vary: null }) };
      ctx.remove('Pragma');
      await answer(ctx, last.representation, brief);
    });
  };

  const metadata = JSON.stringify(serverMetadata(server));
  document('/.well-known/oauth-authorization-server', json, () => metadata);
  for (const path of ['', '/mcp'] as const)
    document(`/.well-known/oauth-protected-resource${path}`, json, (ctx) =>
      JSON.stringify(resourceMetadata(server, ctx.host, path)),
    );
  document('/.well-known/jwks.json', json, async () => JSON.stringify(await server.keys.published()));
  // for ever, and also when another secret signs
  document('/log/receipt-keys', json, async () => JSON.stringify(await call(server.db, 'api_oauth.receipt_keys')));
  document('/auth.md', 'text/markdown; charset=utf-8', async () => authMarkdown(config, await server.lifetimes()));

  serve('/agent/identity', 'POST', agentWording, registerAgent(server));
  serve('/agent/identity/claim', 'POST', agentWording, claimAgent(server));
  serve('/oauth/register', 'POST', tokenWording, registerClient(server));
  serve('/oauth/device_authorization', 'POST', tokenWording, deviceAuthorization(server));
  serve('/oauth/token', 'POST', tokenWording, token(server));
  serve('/oauth/revoke', 'POST', tokenWording, revoke(server));

  return router.routes() as Koa.Middleware;
}
