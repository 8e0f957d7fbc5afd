// mcp/body.ts · the message of a request: one JSON object, up to the length that the largest call can need.
import type { IncomingMessage } from 'node:http';
import { type Answer, invalidRequest, parseError, rpcError } from './answers.ts';

/** A what-if of 200 moves is a tenth of it. */
export const mostBytes = 262_144;

/** What was sent, or the answer to something that is no message. */
export async function readMessage(req: IncomingMessage): Promise<{ value: object } | Answer> {
  const body = await readText(req);
  if (body === undefined) return rpcError(413, invalidRequest, 'The body is too long.', { headers: { Connection: 'close' } });
  if (!/^application\/json *(;|$)/i.test(req.headers['content-type'] ?? ''))
    return rpcError(415, invalidRequest, 'Send JSON: Content-Type: application/json.');
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return rpcError(400, parseError, 'The body is not JSON.');
  }
  if (Array.isArray(value)) return rpcError(400, invalidRequest, 'Batches are not served: send one message a request.');
  if (typeof value !== 'object' || value === null) return rpcError(400, invalidRequest, 'The body is no message.');
  return { value };
}

/** Undefined: too long, and not read to its end. */
async function readText(req: IncomingMessage): Promise<string | undefined> {
  if (Number(req.headers['content-length']) > mostBytes) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
