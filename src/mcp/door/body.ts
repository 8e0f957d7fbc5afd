// mcp/door/body.ts · the message of a request: one JSON object, up to the length that the largest call can need.
import type { IncomingMessage } from 'node:http';
import { Failure } from '../../db/errors.ts';
import { parseJson } from '../../http/json.ts';
import { readBody } from '../../http/read-body.ts';
import { type Answer, invalidRequest, parseError, rpcError } from './answers.ts';

/** A what-if of 200 moves is a tenth of it. */
export const mostBytes = 262_144;

/** What was sent, or the answer to something that is no message. */
export async function readMessage(req: IncomingMessage): Promise<{ value: object } | Answer> {
  let body: string;
  try {
    body = await readBody(req, mostBytes);
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'BODY_TOO_LONG') throw thrown;
    return rpcError(413, invalidRequest, 'The body is too long.', { headers: { Connection: 'close' } });
  }
  if (!/^application\/json *(;|$)/i.test(req.headers['content-type'] ?? ''))
    return rpcError(415, invalidRequest, 'Send JSON: Content-Type: application/json.');
  let value: unknown;
  try {
    value = parseJson(body);
  } catch {
    return rpcError(400, parseError, 'The body is not JSON, or is nested deeper than any message.');
  }
  if (Array.isArray(value)) return rpcError(400, invalidRequest, 'Batches are not served: send one message a request.');
  if (typeof value !== 'object' || value === null) return rpcError(400, invalidRequest, 'The body is no message.');
  return { value };
}
