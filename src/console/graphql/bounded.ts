// console/graphql/bounded.ts · the body of a query, bounded in length and depth: GraphQL's parser calls itself for each level of it.
import type Koa from 'koa';
import { parseJson, tooDeep } from '../../http/json.ts';
import { readBody } from '../../http/read-body.ts';

/** As long as PostGraphile takes by itself. */
const most = 100_000;

export const bounded =
  (path: string): Koa.Middleware =>
  async (ctx, next) => {
    if (ctx.path !== path) return next();
    // Its own reading of Accept breaks on a field that is none; Koa's takes whatever there is.
    ctx.req.headers.accept = ctx.accepts('application/graphql-response+json', 'application/json') || 'application/json';
    if (ctx.method !== 'POST') return next();
    const text = await readBody(ctx.req, most);
    if (!fits(text)) {
      ctx.status = 400;
      ctx.body = { errors: [{ message: 'The query is not JSON, or is nested too deep.', extensions: { code: 'INVALID_ARGUMENT' } }] };
      return;
    }
    // where PostGraphile looks for what was read before it
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
