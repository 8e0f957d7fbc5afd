// mcp/door/body.ts · the message of a request: one JSON object, as long as the largest call can need.
import type { IncomingMessage } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { Failure } from '../../db/errors.ts';
import { parseJson } from '../../http/json.ts';
import { readBody } from '../../http/read-body.ts';
import { type Answer, invalidRequest, parseError, rpcError } from './answers.ts';

/** Ten times a what-if with the most moves. */
export const mostBytes = 262_144;

/** The message, or the answer to a body that is none. */
export async function readMessage(req: IncomingMessage): Promise<{ value: object } | Answer> {
  let body: string;
  try {
    body = await readBody(req, mostBytes);
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'BODY_TOO_LONG') throw thrown;
    return rpcError(413, invalidRequest, 'The body is too long.', { headers: { Connection: 'close' } });
  }
  if (!isJsonContentType(req.headers['content-type'])) return rpcError(415, invalidRequest, 'Send JSON: Content-Type: application/json.');
  let value: unknown;
  try {
    value = parseJson(body);
  } catch {
    return rpcError(400, parseError, 'The body is not JSON, or is nested deeper than this server reads.');
  }
  if (Array.isArray(value)) return rpcError(400, invalidRequest, 'Batches are not served: send one message per request.');
  if (typeof value !== 'object' || value === null) return rpcError(400, invalidRequest, 'The body is not a JSON-RPC message.');
  return { value };
}
