// mcp/door/bearer.ts · who signed the access token of a request, and for whom. Whether it is still live, SQL knows, at every use. RFC 6750; specification 5.
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';

/** The signed word of an access token. */
export interface Bearer {
  readonly token: string;
  /** Whom calls are counted for. */
  readonly client: string;
  readonly scopes: readonly string[];
}

export interface Claims {
  readonly sub?: string | undefined;
  readonly client_id?: unknown;
  readonly scope?: unknown;
  readonly iat?: number | undefined;
  readonly exp?: number | undefined;
}

/** The claims of a token that this hill signed for itself; undefined for anything else. */
export type ReadToken = (token: string) => Promise<Claims | undefined>;

/** `simulated`: the clock of `iat` and `exp` is not that of this machine. */
export function bearers(read: ReadToken, simulated: boolean) {
  // A signature takes longer to verify than most answers take to be found. The whole token is the key, so an altered one is never met here.
  const verified = new LRUCache<string, Bearer>({ max: 5_000, ttl: 1 });

  return async (token: string): Promise<Bearer | undefined> => {
    const known = verified.get(token);
    if (known) return known;
    const claims = await read(token);
    if (!claims) return undefined;
    const bearer = { token, client: `${claims.sub} ${claims.client_id}`, scopes: String(claims.scope).split(' ') };
    const { iat = 0, exp = 0 } = claims;
    const left = Math.floor((simulated ? exp - iat : exp - Date.now() / 1000) * 1000);
    if (left > 0) verified.set(token, bearer, { ttl: left });
    return bearer;
  };
}

/** The token of the Authorization header. One in the address is not looked at: addresses are logged and shared. */
export const tokenOf = (request: IncomingMessage): string | undefined =>
  /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
