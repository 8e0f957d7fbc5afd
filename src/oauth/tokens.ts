// The signed tokens: access tokens and identity assertions. Their types keep one from being accepted as the other.
// Protocol 2.2.
import { randomBytes, randomUUID } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { algorithm, type KeyRing } from './keys.ts';
import type { Lifetimes } from './lifetimes.ts';

const accessType = 'at+jwt'; // RFC 9068
const assertionType = 'identity-assertion+jwt';

/** A random token, code or cookie: 256 bits. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

interface AccessClaims {
  readonly sub: string;
  readonly client_id: string;
  readonly audience: string;
  readonly scopes: readonly string[];
}

interface AssertionClaims {
  /** The registration; in the second generation, the account that claimed it. */
  readonly sub: string;
  readonly client_id: string;
  readonly registration_id: string;
  readonly generation: 1 | 2;
  readonly email?: string;
}

/** The body of a token response. */
interface AccessToken {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
}

interface Assertion {
  readonly identity_assertion: string;
  readonly assertion_expires: string;
  /** In the second generation, which is renewed: when it should be exchanged for the next. */
  readonly renew_before?: string;
}

/** Claims, and the key that signed them. */
type Read = JWTPayload & { readonly kid: string };

export interface Signer {
  accessToken(now: number, claims: AccessClaims): Promise<AccessToken>;
  assertion(now: number, claims: AssertionClaims): Promise<Assertion>;
  /**
   * The claims of an assertion that this server signed and that has not expired; undefined for anything else. SQL
   * decides whether it is still valid.
   */
  readAssertion(now: number, token: string): Promise<AssertionClaims | undefined>;
  /**
   * The claims of an access token that this server signed for one of the audiences, and the key. SQL decides whether it
   * has expired or was revoked.
   */
  readAccessToken(token: string, audiences: readonly string[]): Promise<Read | undefined>;
}

export function signer(issuer: string, keys: KeyRing, lifetimes: () => Promise<Lifetimes>): Signer {
  const sign = async (
    now: number,
    type: string,
    sub: string,
    audience: string,
    seconds: number,
    claims: JWTPayload,
  ) => {
    const { kid, privateKey } = await keys.signingKey(now);
    const iat = Math.floor(now);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm, typ: type, kid })
      .setIssuer(issuer)
      .setSubject(sub)
      .setAudience(audience)
      .setIssuedAt(iat)
      .setExpirationTime(iat + seconds)
      .setJti(randomUUID())
      .sign(privateKey);
  };

  const read = async (
    token: string,
    typ: string,
    audience: readonly string[],
    now?: number,
  ): Promise<Read | undefined> => {
    try {
      const { payload, protectedHeader } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = kid === undefined ? undefined : await keys.verificationKey(kid);
          if (!key) throw new NotOurs();
          return key;
        },
        {
          algorithms: [algorithm],
          typ,
          issuer,
          audience: [...audience],
          requiredClaims: ['sub', 'exp', 'iat', 'jti', 'client_id'],
          // The clock is the hill's; without one, SQL compares the expiry.
          currentDate: new Date((now ?? 0) * 1000),
        },
      );
      return { ...payload, kid: protectedHeader.kid as string };
    } catch (error) {
      if (error instanceof NotOurs || /^ERR_(JW[TSK]|JOSE)/.test((error as { code?: string }).code ?? ''))
        return undefined;
      throw error;
    }
  };

  return {
    async accessToken(now, { sub, client_id, audience, scopes }) {
      const { access_token_seconds: seconds } = await lifetimes();
      const scope = scopes.join(' ');
      const access_token = await sign(now, accessType, sub, audience, seconds, { client_id, scope });
      return { access_token, token_type: 'Bearer', expires_in: seconds, scope };
    },

    async assertion(now, { sub, ...claims }) {
      const vouched = claims.email === undefined ? {} : { email_verified: true };
      const { identity_assertion_seconds: seconds, assertion_renewal_seconds: renewal } = await lifetimes();
      const identity_assertion = await sign(now, assertionType, sub, issuer, seconds, { ...claims, ...vouched });
      const issued = Math.floor(now);
      return {
        identity_assertion,
        assertion_expires: instant(issued + seconds),
        ...(claims.generation === 2 ? { renew_before: instant(issued + renewal) } : {}),
      };
    },

    readAssertion: async (now, token) =>
      (await read(token, assertionType, [issuer], now)) as (Read & AssertionClaims) | undefined,
    readAccessToken: (token, audiences) => read(token, accessType, audiences),
  };
}

class NotOurs extends Error {}

export const instant = (seconds: number): string => new Date(seconds * 1000).toISOString();
