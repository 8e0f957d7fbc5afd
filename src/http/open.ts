// http/open.ts · what lets a script of any origin read: data, texts, and what went wrong. Specification 1; the Fetch standard, CORS.
import type Koa from 'koa';

/** Fields of every answer. */
export const open = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Retry-After, Allow, RateLimit, RateLimit-Policy',
  'X-Content-Type-Options': 'nosniff',
} as const;

export const methods = 'GET, HEAD, OPTIONS';

/** Answers OPTIONS, also as a preflight. */
export function tellMethods(ctx: Koa.Context): void {
  ctx.set({
    Allow: methods,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  });
  ctx.status = 204;
}
