// console/graphql/bounded.ts · limits the length and depth of a query: GraphQL's parser is recursive.
import type Koa from 'koa';
import { parseJson, tooDeep } from '../../http/json.ts';
import { readBody } from '../../http/read-body.ts';

/** PostGraphile's own limit. */
const most = 100_000;

export const bounded =
  (path: string): Koa.Middleware =>
  async (ctx, next) => {
    if (ctx.path !== path) return next();
    // PostGraphile's parser of Accept throws on a malformed field; Koa's does not.
    ctx.req.headers.accept = ctx.accepts('application/graphql-response+json', 'application/json') || 'application/json';
    if (ctx.method !== 'POST') return next();
    const text = await readBody(ctx.req, most);
    if (!fits(text)) {
      ctx.status = 400;
      ctx.body = { errors: [{ message: 'The query is not JSON, or is nested too deep.', extensions: { code: 'INVALID_ARGUMENT' } }] };
      return;
    }
    // where PostGraphile looks for a body that was read already
    (ctx.request as Koa.Request & { body?: unknown }).body = text;
    await next();
  };

function fits(text: string): boolean {
  try {
    const { query } = (parseJson(text) ?? {}) as { query?: unknown };
    return typeof query !== 'string' || !tooDeep(query);
  } catch {
    return false;
  }
}
