// Receipts: the promise that a deposit is in the log, as compact JWS (RFC 7515) by a key for nothing else. Rules 20.17,
// 20.18.
import { createHash, createPublicKey, sign } from 'node:crypto';
import { derivedKey } from './signing.ts';

export interface Committed {
  readonly day: number;
  readonly deposited_at: string;
  readonly commitment: string;
}

export interface ReceiptSigner {
  /** RFC 7638. */
  readonly kid: string;
  readonly publicJwk: string;
  /** The same each time: Ed25519 draws nothing at random. */
  sign(deposit: Committed): string;
}

/** `origin` is the host and `/log`: of a log without the number behind it. */
export function receiptSigner(secret: string, origin: string): ReceiptSigner {
  const key = derivedKey(secret, `hill receipts ed25519 ${origin}`, 'ed25519');
  const { crv, kty, x } = createPublicKey(key).export({ format: 'jwk' });
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
  const header = encoded({ alg: 'EdDSA', typ: 'hill-receipt+jwt', kid });
  return {
    kid,
    publicJwk: JSON.stringify({ kty, crv, x, kid, alg: 'EdDSA', use: 'sig' }),
    sign({ day, deposited_at, commitment }) {
      const input = `${header}.${encoded({ iss: origin, day, deposited_at, commitment, promise: `In the first checkpoint that has night ${day}.` })}`;
      return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`;
    },
  };
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
