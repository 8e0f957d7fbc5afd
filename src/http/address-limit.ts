// How often one address may read, counted in memory, so that it is cheap enough to come before everything else.
import type http from 'node:http';
import { Counts } from '../process/siblings.ts';
import { countedAddress } from './counted-address.ts';
import type { Limit } from './rate-limit.ts';

export interface Taken {
  /** 0: admitted. */
  readonly retryAfterSeconds: number;
  /** The header field RateLimit (draft-ietf-httpapi-ratelimit-headers-10). */
  readonly rateLimit: string;
}

export class AddressLimit {
  /** The header field RateLimit-Policy: q requests in a window of w seconds. */
  readonly policy: string;
  readonly #name: string;
  readonly #limit: Limit;
  // One window for all addresses, so that all counts are dropped at once.
  readonly #taken: Counts;

  constructor(name: string, limit: Limit) {
    this.#name = name;
    this.#limit = limit;
    this.#taken = new Counts(name);
    this.policy = `"${name}";q=${limit.atMost};w=${limit.seconds}`;
  }

  take(address: string, at = ofThisMachine()): Taken {
    const now = Math.floor(at); // whole milliseconds: a sum of fractions may be rounded up, and a window of 60 seconds told to have 61 left
    const windowMs = this.#limit.seconds * 1_000;
    this.#taken.begin(Math.floor(now / windowMs));
    const who = countedAddress(address);
    const before = this.#taken.of(who);
    const seconds = Math.ceil((windowMs - (now % windowMs)) / 1_000);
    const over = before >= this.#limit.atMost;
    if (!over) this.#taken.add(who, 1); // a refused request is not counted
    const left = over ? 0 : this.#limit.atMost - before - 1;
    return { retryAfterSeconds: over ? seconds : 0, rateLimit: `"${this.#name}";r=${left};t=${seconds}` };
  }
}

/** Milliseconds of a clock that nobody sets and that all processes of a machine read alike. */
function ofThisMachine(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}

/**
 * The client's address: of the connection, or as reported by this many proxies in front. The same as Koa's `ctx.ip`,
 * but without a context.
 */
export function addressOf(req: http.IncomingMessage, proxies: number): string {
  if (proxies > 0) {
    const forwarded = req.headers['x-forwarded-for'];
    const addresses = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? ''))
      .split(',')
      .map((text) => text.trim());
    const asked = addresses.filter((text) => text !== '').slice(-proxies)[0];
    if (asked) return asked;
  }
  return req.socket.remoteAddress ?? '';
}
