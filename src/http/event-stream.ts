// What streams of server-sent events have in common: header fields, room for so many, and a pause between two events.
import { rateLimited } from '../db/errors.ts';
import { outsideRequests } from '../process/request.ts';
import { Counts } from '../process/siblings.ts';

export const streamType = 'text/event-stream';

/** No cache keeps a stream, and no proxy compresses it. */
export const streamFields = {
  'Content-Type': streamType,
  'Cache-Control': 'no-store, no-transform',
  'X-Content-Type-Options': 'nosniff',
  'X-Accel-Buffering': 'no', // nginx would hold events back
} as const;

/** Proxies close what is silent for a minute. */
export const heartbeatMs = 15_000;
/** How long the last words of a stream may take. */
export const goodbyeMs = 5_000;
/** How long to wait for room. */
const retrySeconds = 30;

/** How many streams may be open: of one account and one address on this port, and in this process in all. */
export class Room<Kind extends string> {
  readonly #most: Readonly<Record<Kind | 'process', number>>;
  readonly #counts: Counts;
  count = 0;

  constructor(name: string, most: Readonly<Record<Kind | 'process', number>>) {
    this.#counts = new Counts(name);
    this.#most = most;
  }

  get full(): boolean {
    return this.count >= this.#most.process;
  }

  /** Takes a place for a stream; what it returns gives the place back. Throws rate_limited if there is none. */
  enter(whose: Readonly<Record<Kind, string>>): () => void {
    const kinds = Object.entries(whose) as [Kind, string][];
    for (const [kind, who] of kinds)
      if (this.#counts.of(`${kind} ${who}`) >= this.#most[kind])
        throw rateLimited(retrySeconds, `An ${kind} may have ${this.#most[kind]} streams open.`);
    if (this.full) throw rateLimited(retrySeconds, 'This process has as many streams open as it may.');
    const add = (n: number) => {
      this.count += n;
      for (const [kind, who] of kinds) this.#counts.add(`${kind} ${who}`, n);
    };
    add(1);
    return () => add(-1);
  }
}

/** Does something at once; asked again too soon, it does it once more when `quietMs` have passed. */
export function spaced(quietMs: number, work: () => void): () => void {
  let resting = false;
  let again = false;
  const begin = () => {
    again = resting;
    if (resting) return;
    resting = true;
    outsideRequests(() =>
      setTimeout(() => {
        resting = false;
        if (again) begin();
      }, quietMs).unref(),
    );
    work();
  };
  return begin;
}
