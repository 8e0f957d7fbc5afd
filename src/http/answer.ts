// Sends a body with a strong validator, or 304 to a reader that has it already.
import type Koa from 'koa';
import type { Representation } from './representation.ts';

// Koa's own answer also looks at the request's Cache-Control, and Node's fetch sends no-cache with every If-None-Match:
// it would never see a 304. What is compared with here is current, so there is nothing that no-cache could ask for. RFC
// 9110, 13.1.2.
export async function answer(ctx: Koa.Context, representation: Representation, cacheControl: string): Promise<void> {
  const coding = representation.coding(ctx.req.headers['accept-encoding']);
  // What may not be kept has no validator: some caches (nginx) take a 304 as permission to keep the old answer for
  // another full period.
  const kept = cacheControl !== 'no-cache';
  const known = kept ? representation.known(ctx.get('If-None-Match'), coding) : undefined;
  const body = known ? undefined : await representation.encode(coding);
  const fields = fieldsOf(representation, cacheControl, kept ? (known ?? representation.etag(coding)) : undefined);
  for (let i = 0; i < fields.length; i += 2) ctx.set(fields[i] as string, fields[i + 1] as string);
  if (!body) {
    ctx.status = 304;
    return;
  }
  ctx.status = 200;
  ctx.type = representation.type;
  const digest = representation.digest(coding);
  if (digest !== undefined) ctx.set('Content-Digest', digest);
  if (coding !== 'identity') ctx.set('Content-Encoding', coding);
  ctx.body = body;
}

/** Header fields of 200 and 304 alike: names and values in turn. */
export const fieldsOf = (
  { fields, vary }: Representation,
  cacheControl: string,
  etag: string | undefined,
): string[] => [
  ...fields,
  'Cache-Control',
  cacheControl,
  ...(etag === undefined ? [] : ['ETag', etag]),
  ...(vary === null ? [] : ['Vary', vary]),
];
