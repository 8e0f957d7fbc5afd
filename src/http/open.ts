// Header fields that let scripts of any origin read answers and errors (CORS). Rules 10.1; the Fetch standard.
import type Koa from 'koa';

/** On every answer. */
export const open = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Link, Content-Digest, Content-Location, Retry-After, Allow, RateLimit, RateLimit-Policy, X-Request-Id',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** On a picture: it runs nothing, loads nothing, and may be shown by any site. */
export const openPicture = {
  ...open,
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

export const methods = 'GET, HEAD, OPTIONS';

/** Answers OPTIONS, preflight requests included. */
export function answerMethods(ctx: Koa.Context): void {
  ctx.set({
    Allow: methods,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  });
  ctx.status = 204;
}
