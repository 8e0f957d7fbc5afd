// http/memory.ts · bodies that were built once and are served until something of them changes. Decisions 8.
//
// What makes it safe: nothing is kept unless this process hears what changes (a lost connection empties the memory), nothing that was built while something
// changed, and nothing from shortly before a bell until its night is published. Every use compares the clock with the bell again.
import { LRUCache } from 'lru-cache';
import type { Clock } from '../db/call.ts';
import { cacheControl, type Follows, secondsToKeep, untrue } from './freshness.ts';
import type { Representation } from './representation.ts';

export interface Built {
  readonly clock: Clock;
  readonly representation: Representation;
  /** Whether the database that answered had seen everything that was told before it was asked: a replica may be behind. */
  readonly current: boolean;
  /** Accounts that a program reads of here, and the account whose page it is, whose views are counted: see counters.ts. */
  readonly shows?: readonly string[] | undefined;
  readonly pageOf?: string | undefined;
}

export interface Kept extends Built {
  readonly follows: Follows;
  /** When it was asked for, in milliseconds of this process: earlier than the clock was read, so that a bell is expected too early rather than too late. */
  readonly askedAt: number;
}

/** All bodies together; a night of a million accounts has first pages of some 3 MB. */
const mostBytes = 192_000_000;
/** Whatever was missed: nothing that can change is served from memory for longer. */
const longestMs: Readonly<Record<Follows, number>> = {
  ...{ front: 1_000, hill: 2_000, boards: 60_000, rules: 60_000, tournaments: 60_000, counters: 2_000, nights: 60_000 },
  past: Number.POSITIVE_INFINITY,
};

interface Flight {
  readonly promise: Promise<Kept>;
  readonly generation: number;
  next?: Promise<Kept>;
}

export class Memory {
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: mostBytes,
    // coded forms come later, and are smaller than the first
    // and an address can be longer than what it leads to
    sizeCalculation: ({ representation }, key) => (representation.identity.length + key.length) * 2 + 1_000,
  });
  readonly #flights = new Map<string, Flight>();
  #hearing = false;
  /** How often something has changed. */
  #generation = 0;
  /** The last clock that was read, to know whether a bell is near. */
  #last: { clock: Clock; askedAt: number } | undefined;

  /** From now on everything that changes is told. */
  hear(): void {
    this.#forget();
    this.#hearing = true;
  }

  deafen(): void {
    this.#hearing = false;
    this.#forget();
  }

  /** Drops what a change made untrue. */
  drop(change: string): void {
    this.#generation += 1;
    for (const [key, { follows }] of this.#kept) if (untrue(follows, change)) this.#kept.delete(key);
  }

  #forget(): void {
    this.#generation += 1;
    this.#kept.clear();
  }

  /** What is kept and true now. */
  get(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    if (!kept || !this.#hearing) return undefined;
    const { follows, clock, askedAt } = kept;
    const elapsed = performance.now() - askedAt;
    if (elapsed <= longestMs[follows] && secondsToKeep(follows, clock, elapsed / 1_000) > 0) return kept;
    this.#kept.delete(key);
    return undefined;
  }

  /** What is kept, or what is built now: once for all who ask meanwhile. */
  async read(key: string, follows: Follows, build: () => Promise<Built>): Promise<Kept> {
    const kept = this.get(key);
    if (kept) return kept;
    const running = this.#flights.get(key);
    if (!running) return this.#fly(key, follows, build);
    if (this.#shared(running, follows)) return running.promise;
    // What is under way may have looked before this reader asked, so all who come now wait for the one after it.
    running.next ??= running.promise.then(
      () => this.#fly(key, follows, build),
      () => this.#fly(key, follows, build),
    );
    return running.next;
  }

  /** Whether an answer that is being built is true for whoever asks only now. */
  #shared({ generation }: Flight, follows: Follows): boolean {
    if (follows === 'past') return true;
    if (!this.#hearing || generation !== this.#generation || !this.#last) return false;
    const { clock, askedAt } = this.#last;
    return secondsToKeep(follows, clock, (performance.now() - askedAt) / 1_000) > 0;
  }

  #fly(key: string, follows: Follows, build: () => Promise<Built>): Promise<Kept> {
    const askedAt = performance.now();
    const generation = this.#generation;
    const promise = build()
      .then((built): Kept => {
        const kept = { ...built, follows, askedAt };
        if (!this.#last || askedAt >= this.#last.askedAt) this.#last = { clock: built.clock, askedAt };
        const unchanged = generation === this.#generation || follows === 'past';
        if (this.#hearing && unchanged && built.current && secondsToKeep(follows, built.clock) > 0) this.#kept.set(key, kept);
        return kept;
      })
      .finally(() => {
        if (this.#flights.get(key)?.promise === promise) this.#flights.delete(key);
      });
    this.#flights.set(key, { promise, generation });
    return promise;
  }
}

/** What readers beyond this process are told of something that was just read, or is kept. */
export const cacheControlOf = ({ follows, clock, askedAt, current }: Kept): string =>
  current || follows === 'past' ? cacheControl(follows, clock, (performance.now() - askedAt) / 1_000) : 'no-cache';
