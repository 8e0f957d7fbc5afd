// What a request says: who its access token was signed for, and its message. Whether the token is still live is for SQL
// to say, at every use. RFC 6750; protocol 2.2.
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import { Failure } from '../../db/errors.ts';
import { parseJson } from '../../http/json.ts';
import { readBody } from '../../http/read-body.ts';
import { type Answer, invalidRequest, parseError, rpcError } from './answers.ts';

/** What an access token says, its signature verified. */
export interface Bearer {
  /** The account; before the claim, the registration. */
  readonly account: string;
  /** The client whose calls are counted. */
  readonly client: string;
  readonly scopes: readonly string[];
}

interface Claims {
  readonly sub?: string | undefined;
  readonly client_id?: unknown;
  readonly scope?: unknown;
  readonly iat?: number | undefined;
  readonly exp?: number | undefined;
  /** The key that signed it. */
  readonly kid: string;
}

export interface Signatures {
  /** The claims of a token that this hill signed for its own resources; undefined for anything else. */
  read(token: string): Promise<Claims | undefined>;
  /** Whether a key is still one of the hill's. */
  isPublished(kid: string): boolean;
}

interface Held {
  readonly bearer: Bearer;
  readonly kid: string;
  /** By performance.now(). */
  readonly until: number;
}

/** Each takes some 500 bytes. */
const most = 50_000;

/**
 * Verifying a signature takes longer than finding most answers, so it is done once in the life of a token. What is held
 * is what the signature proves, under a hash of the whole token: an altered one is not found, and a wrong one is never
 * held. `simulated`: `iat` and `exp` are not by the clock of this machine. Decisions 281.
 */
export function bearers({ read, isPublished }: Signatures, simulated: boolean) {
  const verified = new LRUCache<string, Held>({ max: most });

  return async (token: string): Promise<Bearer | undefined> => {
    const key = hash('sha256', token, 'base64');
    const known = verified.get(key);
    if (known && known.until > performance.now() && isPublished(known.kid)) return known.bearer;
    const claims = await read(token);
    if (!claims) {
      if (known) verified.delete(key);
      return undefined;
    }
    const bearer = {
      account: String(claims.sub),
      client: `${claims.sub} ${claims.client_id}`,
      scopes: String(claims.scope).split(' '),
    };
    const { iat = 0, exp = 0, kid } = claims;
    const left = (simulated ? exp - iat : exp - Date.now() / 1000) * 1000;
    if (left > 0) verified.set(key, { bearer, kid, until: performance.now() + left });
    return bearer;
  };
}

/** The token of the Authorization header. One in the address is ignored: addresses are logged and shared. */
export const tokenOf = (request: IncomingMessage): string | undefined =>
  /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];

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
  if (!isJsonContentType(req.headers['content-type']))
    return rpcError(415, invalidRequest, 'Send JSON: Content-Type: application/json.');
  let value: unknown;
  try {
    value = parseJson(body);
  } catch {
    return rpcError(400, parseError, 'The body is not JSON, or is nested deeper than this server reads.');
  }
  if (Array.isArray(value))
    return rpcError(400, invalidRequest, 'Batches are not served: send one message per request.');
  if (typeof value !== 'object' || value === null)
    return rpcError(400, invalidRequest, 'The body is not a JSON-RPC message.');
  return { value };
}
