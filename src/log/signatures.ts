// Whether a signature is of a key, by Node's OpenSSL. In a browser browser-signatures.ts does it: package.json names
// both.
import { createPublicKey, verify, type webcrypto } from 'node:crypto';

/** RFC 8032. False of what is no key or no signature, too. */
export const isByEd25519 = (key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  isBy({ kty: 'OKP', crv: 'Ed25519', x: coded(key) }, message, signature);

/** FIPS 204, pure and without a context. */
export const isByMlDsa44 = (key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  isBy({ kty: 'AKP', alg: 'ML-DSA-44', pub: coded(key) }, message, signature);

function isBy(jwk: Readonly<Record<string, string>>, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return verify(null, message, createPublicKey({ key: jwk as webcrypto.JsonWebKey, format: 'jwk' }), signature);
  } catch {
    return false;
  }
}

const coded = (key: Uint8Array): string => Buffer.from(key).toString('base64url');
