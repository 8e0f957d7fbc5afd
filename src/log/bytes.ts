// Bytes, and their SHA-256, in Node and in a browser alike: what verifies a log needs no more of either.
import { sha256 as hash } from '@noble/hashes/sha2.js';

export { bytesToHex as hex, concatBytes as concat, hexToBytes as unhex } from '@noble/hashes/utils.js';

const encoder = new TextEncoder();
// what a file begins with is part of it
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export const utf8 = (text: string): Uint8Array => encoder.encode(text);
export const text = (bytes: Uint8Array): string => decoder.decode(bytes);
export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
/** False where one of them is not there. */
export const equal = (a: Uint8Array | undefined | null, b: Uint8Array | undefined): boolean =>
  a?.length === b?.length && a?.every((byte, n) => byte === b?.[n]) === true;
/** A character for each byte. */
export const latin1 = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

/** Of the parts as if they were one. In one step, unlike that of Web Cryptography: a tree asks millions of times. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = hash.create();
  for (const part of parts) whole.update(part);
  return whole.digest();
}
