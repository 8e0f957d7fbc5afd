// The security header fields of every answer.
import { randomBytes } from 'node:crypto';
import type Koa from 'koa';

export const nonceOf = (ctx: Koa.Context): string => ctx.state.nonce as string;

/** GraphiQL is served from here and works offline: nothing is loaded from, or sent to, another origin. */
export const secureHeaders: Koa.Middleware = async (ctx, next) => {
  const nonce = randomBytes(16).toString('base64');
  ctx.state.nonce = nonce;
  ctx.set({
    'Content-Security-Policy': [
      "default-src 'none'",
      `script-src 'self' 'nonce-${nonce}'`,
      "style-src 'self' 'unsafe-inline'", // the editor in GraphiQL writes style elements and attributes as it runs
      "font-src 'self' data:",
      "img-src 'self' data:",
      "connect-src 'self'",
      "worker-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin', // with no-referrer, browsers send "Origin: null" with our own forms
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  });
  await next();
};
