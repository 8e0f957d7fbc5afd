// http/answer.ts · an answer with a strong validator, or 304 for whoever has it already.
import { createHash } from 'node:crypto';
import type Koa from 'koa';

export function answer(ctx: Koa.Context, type: string, body: string, cacheControl: string): void {
  ctx.status = 200;
  ctx.set('Cache-Control', cacheControl);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.etag = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  ctx.body = body;
}
