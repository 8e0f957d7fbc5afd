// Secrets derived from the random text in a browser's cookie. They bind an answer to the browser that began the
// sign-in.
//
// Nothing is stored on the server, so nothing has to expire, and any web process can finish what another began.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const newSecret = (): string => randomBytes(32).toString('base64url');

/** 43 characters that reveal neither the secret nor what is derived from it for another purpose. */
export const derive = (secret: string, purpose: string): string =>
  createHmac('sha256', secret).update(purpose).digest('base64url');

export function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
