// When each of several requests that sent one refresh token at once is answered. Decisions 125.
import { LRUCache } from 'lru-cache';

/**
 * A client that refreshes once for each of several parallel calls has then sent the same token with all of them before
 * it gets the first answer. A call that already used the next token would move the chain on, and the tokens of the
 * other calls would be too old.
 */
const answeredAfterMs = 250;
/**
 * A client that writes its tokens to a file at each answer has then ended one write before it begins the next, on a
 * busy machine too.
 */
const apartMs = 400;

/**
 * Gives how many milliseconds an answer that is ready now still waits; `sent` is when its request came with the token.
 */
export function gathering(): (refreshToken: string, sent: number, now: number) => number {
  const leaves = new LRUCache<string, number>({ max: 10_000 });
  return (refreshToken, sent, now) => {
    const at = Math.max(now, sent + answeredAfterMs, (leaves.get(refreshToken) ?? 0) + apartMs);
    leaves.set(refreshToken, at);
    return at - now;
  };
}
