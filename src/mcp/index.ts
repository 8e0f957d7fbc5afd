// mcp/index.ts · the play interface: POST /mcp on every host of the hill, stateless, so that any process can serve any call. Specification 4.2, 5, 7.
import type Koa from 'koa';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { call } from '../db/call.ts';
import { Failure, Refusal, refusal, typed } from '../db/errors.ts';
import { linksOf } from '../links.ts';
import type { Logger } from '../log.ts';
import { type Answer, challenge, idOf, invalidRequest, parseError, refused, rpcError } from './answers.ts';
import { type Bearer, bearers, type ReadToken, tokenOf } from './bearer.ts';
import { readBody } from './body.ts';
import { callTool } from './call-tool.ts';
import { howToBeClaimed } from './claim.ts';
import { exchanges } from './exchange.ts';
import { servers, toolsByName } from './server.ts';
import type { Caller, Tool } from './tool.ts';

/** `readToken` knows which tokens this hill signed, for itself. */
export function mcpDoor(config: Config, db: pg.Pool, log: Logger, readToken: ReadToken): Koa.Middleware {
  const links = linksOf(config);
  const bearerOf = bearers(readToken, config.clock === 'simulated');
  const makeServer = servers(links);
  const exchange = exchanges((error) => log.debug({ type: error.name }, 'a request to the play interface was refused'));
  const origins = [...new Set([config.authUrl, config.baseUrl])].map((url) => new URL(url));
  const metadataOf = (host: string) =>
    `${(origins.find((url) => url.host === host.toLowerCase()) ?? (origins[0] as URL)).origin}/.well-known/oauth-protected-resource`;

  const callerOf = ({ token }: Bearer): Caller => ({ call: (name, args) => call(db, name, { token, ...args }), links });

  /** The answer to a token that lacks the scope: how to get one that has it. If it is not even live, that is what has to be known first. */
  const notAllowed = async (caller: Caller, id: ReturnType<typeof idOf>, metadata: string): Promise<Answer> => {
    const { claim } = await caller.call<{ claim: Parameters<typeof howToBeClaimed>[1] | null }>('api_agent.whoami');
    const error = refusal(
      'INSUFFICIENT_SCOPE',
      'This tool needs a token with the scope hill:play.',
      claim
        ? 'No human has claimed you yet. Follow claim.steps, or open a browser for your human and authorize with both scopes.'
        : 'Get a token with both scopes: exchange your newest identity assertion without naming a scope, or authorize again.',
      { scope: 'hill:play' },
    );
    return refused(error, id, {
      headers: challenge(metadata, 'insufficient_scope', error.message),
      data: claim ? { claim: howToBeClaimed(links, claim) } : {},
    });
  };

  async function answer(ctx: Koa.Context): Promise<Answer> {
    const metadata = metadataOf(ctx.host);
    const token = tokenOf(ctx.req);
    if (token === undefined) {
      const error = refusal('INVALID_TOKEN', 'An access token is needed.', `Get one: ${links.act.guide} says how, without a browser too.`);
      return refused(error, null, { headers: challenge(metadata) });
    }
    const invalid = (id: ReturnType<typeof idOf>) => {
      const message = 'The access token is unknown, expired, revoked, or not for this server.';
      const error = refusal('INVALID_TOKEN', message, `Renew it as you got it, or get in anew: ${links.act.guide}`);
      return refused(error, id, { headers: challenge(metadata, 'invalid_token', message) });
    };
    const bearer = await bearerOf(token);
    if (!bearer) return invalid(null);

    const body = await readBody(ctx.req);
    if (body === undefined) return rpcError(413, invalidRequest, 'The body is too long.', { headers: { Connection: 'close' } });
    if (!/^application\/json *(;|$)/i.test(ctx.get('Content-Type')))
      return rpcError(415, invalidRequest, 'Send JSON: Content-Type: application/json.');
    let message: unknown;
    try {
      message = JSON.parse(body);
    } catch {
      return rpcError(400, parseError, 'The body is not JSON.');
    }
    if (Array.isArray(message)) return rpcError(400, invalidRequest, 'Batches are not served: send one message a request.');

    const id = idOf(message);
    const caller = callerOf(bearer);
    try {
      const tool = toolOf(message);
      if (tool && !bearer.scopes.includes(tool.scope)) return await notAllowed(caller, id, metadata);
      if (!tool) await caller.call('api_agent.check_token'); // a tool's own function looks at the token as well
      let challenged: Refusal | undefined;
      const run = async (called: Tool, args: unknown) => {
        const began = performance.now();
        try {
          const { result, outcome } = await callTool(called, args, caller);
          log.info({ tool: called.name, outcome, ms: Math.round(performance.now() - began) }, 'a tool was called');
          return result;
        } catch (error) {
          challenged = error as Refusal;
          return { content: [] };
        }
      };
      const given = await exchange({ url: ctx.href, headers: headersOf(ctx), message }, () => makeServer(run));
      if (challenged) throw challenged;
      return given;
    } catch (thrown) {
      const error = typed(thrown);
      if (error instanceof Refusal && error.oauth === 'invalid_token') return invalid(id);
      if (error instanceof Refusal && error.oauth === 'insufficient_scope') return await notAllowed(caller, id, metadata);
      if (error instanceof Failure) log.error({ code: error.code, kind: error.kind }, 'the play interface failed');
      return refused(error, id);
    }
  }

  return async (ctx, next) => {
    if (ctx.path !== '/mcp') return next();
    ctx.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    let given: Answer;
    // A browser sends its page's origin, and no page but the hill's own has business here. Nothing else sends one.
    const origin = ctx.get('Origin');
    if (ctx.method !== 'POST') given = rpcError(405, invalidRequest, 'Only POST is served.', { headers: { Allow: 'POST' } });
    else if (origin !== '' && !origins.some((url) => url.origin === origin))
      given = rpcError(403, invalidRequest, 'Requests of other sites are not served.');
    else given = await answer(ctx);
    ctx.status = given.status;
    ctx.set(given.headers);
    ctx.body = given.body === '' ? null : given.body;
    ctx.status = given.status; // an empty body would make it 204
  };
}

/** The tool that a message calls, if it calls one that exists. */
function toolOf(message: unknown): Tool | undefined {
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } };
  return method === 'tools/call' ? toolsByName.get(String(params?.name)) : undefined;
}

function headersOf(ctx: Koa.Context): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(ctx.req.headers)) if (typeof value === 'string') headers.set(name, value);
  return headers;
}
