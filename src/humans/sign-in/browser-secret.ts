// humans/sign-in/browser-secret.ts · what is derived from the random text in a browser's cookie: it binds what comes back to the browser that began.
//
// Nothing of it is kept here, so nothing has to expire, and every process of the web can finish what another began.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const newSecret = (): string => randomBytes(32).toString('base64url');

/** 43 characters from which the secret cannot be told, nor what is derived from it for another purpose. */
export const derive = (secret: string, purpose: string): string => createHmac('sha256', secret).update(purpose).digest('base64url');

export function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
