// mcp/door/bearer.ts · who the access token of a request was signed for. Whether it is still live is for SQL to say, at every use. RFC 6750; protocol 2.2.
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';

/** What an access token says, its signature verified. */
export interface Bearer {
  readonly token: string;
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
}

/** The claims of a token that this hill signed for its own resources; undefined for anything else. */
export type ReadToken = (token: string) => Promise<Claims | undefined>;

/** `simulated`: `iat` and `exp` are not by the clock of this machine. */
export function bearers(read: ReadToken, simulated: boolean) {
  // Verifying a signature takes longer than finding most answers. The key is the whole token, so an altered one is not found.
  const verified = new LRUCache<string, Bearer>({ max: 5_000, ttl: 1 });

  return async (token: string): Promise<Bearer | undefined> => {
    const known = verified.get(token);
    if (known) return known;
    const claims = await read(token);
    if (!claims) return undefined;
    const bearer = {
      token,
      account: String(claims.sub),
      client: `${claims.sub} ${claims.client_id}`,
      scopes: String(claims.scope).split(' '),
    };
    const { iat = 0, exp = 0 } = claims;
    const left = Math.floor((simulated ? exp - iat : exp - Date.now() / 1000) * 1000);
    if (left > 0) verified.set(token, bearer, { ttl: left });
    return bearer;
  };
}

/** The token of the Authorization header. One in the address is ignored: addresses are logged and shared. */
export const tokenOf = (request: IncomingMessage): string | undefined =>
  /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
