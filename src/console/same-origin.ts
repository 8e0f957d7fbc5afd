// console/same-origin.ts · requests from other pages are refused, other pages of this very machine included.
import type Koa from 'koa';

/**
 * A name of somebody's that resolves to 127.0.0.1 would let that somebody's page talk to the console as its own origin. Whatever stands in front of
 * the console (an SSH tunnel) keeps one of these names.
 */
export const onlyLoopbackNames: Koa.Middleware = async (ctx, next) => {
  if (!/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(ctx.request.get('Host'))) {
    ctx.throw(421, 'The console answers to localhost only.', { expose: true });
  }
  await next();
};

/** SameSite=Strict does not tell ports apart: a page at localhost:8080 is of the same site. Its origin does. */
export const onlySameOrigin: Koa.Middleware = async (ctx, next) => {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD' && !sameOrigin(ctx)) {
    ctx.throw(403, 'The console takes requests from its own pages only (a script must send its address as Origin).', { expose: true });
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
