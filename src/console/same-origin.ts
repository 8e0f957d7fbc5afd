// Refuses requests from other pages, including pages served by this same machine.
import type Koa from 'koa';
import { isLoopback } from '../http/loopback.ts';

/**
 * A foreign name that resolves to 127.0.0.1 would let a foreign page talk to the console as its own origin (DNS
 * rebinding), so only these host names are accepted. A tunnel in front of the console (SSH) keeps one of them.
 */
export const onlyLoopbackNames: Koa.Middleware = async (ctx, next) => {
  if (!isLoopback(ctx.request.get('Host'))) {
    ctx.throw(421, 'The console answers to localhost only.', { expose: true });
  }
  await next();
};

/** SameSite=Strict ignores ports: a page at localhost:8080 is of the same site. Its origin differs. */
export const onlySameOrigin: Koa.Middleware = async (ctx, next) => {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD' && !sameOrigin(ctx)) {
    ctx.throw(403, 'The console takes requests from its own pages only (a script must send its address as Origin).', {
      expose: true,
    });
  }
  await next();
};

function sameOrigin(ctx: Koa.Context): boolean {
  const site = ctx.request.get('Sec-Fetch-Site');
  const origin = ctx.request.get('Origin');
  if (site && site !== 'same-origin') return false;
  if (origin) return URL.canParse(origin) && new URL(origin).host === ctx.request.get('Host').toLowerCase();
  return site === 'same-origin';
}
