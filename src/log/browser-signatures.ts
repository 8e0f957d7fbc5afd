// Whether a signature is of a key, where Node is not: Web Cryptography has no ML-DSA yet, Ed25519 not in each browser,
// and neither on a page without TLS.
import { ed25519 } from '@noble/curves/ed25519.js';
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';

/** As signatures.ts has it. */
export const isByEd25519 = (key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  holds(() => ed25519.verify(signature, message, key, { zip215: false }));

/** As signatures.ts has it. */
export const isByMlDsa44 = (key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  holds(() => ml_dsa44.verify(signature, message, key));

function holds(verify: () => boolean): boolean {
  try {
    return verify();
  } catch {
    return false;
  }
}
