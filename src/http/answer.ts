// http/answer.ts · an answer with a strong validator, or 304 for whoever has it already.
import { createHash } from 'node:crypto';
import type Koa from 'koa';

export function answer(ctx: Koa.Context, type: string, body: string, cacheControl: string): void {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  ctx.set({ 'Cache-Control': cacheControl, 'X-Content-Type-Options': 'nosniff' });
  // What may not be kept has none: some caches (nginx) take a 304 for leave to keep the old answer for as long again as it was once good for.
  if (cacheControl !== 'no-cache') {
    ctx.set('ETag', etag);
    if (has(ctx.get('If-None-Match'), etag)) {
      ctx.status = 304;
      return;
    }
  }
  ctx.status = 200;
  ctx.type = type;
  ctx.body = body;
}

// Koa's own answer also looks at the request's Cache-Control, and Node's fetch sends no-cache with every If-None-Match: it would never see a 304.
// What is compared with here has just been read, so there is nothing that no-cache could ask for. RFC 9110, 13.1.2.
const has = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
