// http/read-form.ts · the body of a form.
import type Koa from 'koa';

/** `most`: bytes. What a human types is short. */
export async function readForm(ctx: Koa.Context, most = 4_096): Promise<URLSearchParams> {
  if (!ctx.is('application/x-www-form-urlencoded'))
    ctx.throw(415, 'A form is sent as application/x-www-form-urlencoded.', { expose: true });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) ctx.throw(413, 'The form is too long.', { expose: true });
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
