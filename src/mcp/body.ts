// mcp/body.ts · the body of a request, up to what the largest call can need.
import type { IncomingMessage } from 'node:http';

/** A what-if of 200 moves is a tenth of it. */
export const mostBytes = 262_144;

/** Undefined: too long, and not read to its end. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers['content-length']) > mostBytes) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
