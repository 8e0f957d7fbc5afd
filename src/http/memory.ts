// http/memory.ts · bodies that were built once and are served until something of them changes. Decisions 8.
//
// What makes it safe: nothing is kept unless this process hears what changes (a lost connection empties the memory of all that could change), nothing that was
// built while something changed, and nothing from shortly before a bell until its night is published. Every use compares the clock with the bell again.
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../db/call.ts';
import { Failure } from '../db/errors.ts';
import { cacheControl, type Follows, secondsToKeep, untrue } from './freshness.ts';
import type { Representation } from './representation.ts';

export interface Built {
  readonly clock: Clock;
  readonly representation: Representation;
  /** Whether the database that answered had seen everything that was told before it was asked: a replica may be behind. */
  readonly current: boolean;
  /** Accounts that a program reads of here, and the account whose page it is, whose views are counted: see http/counters.ts. */
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

/** Who is not answered by then gets a second try beside the first: a connection that has gone silent keeps nobody from what others can read. */
const impatienceMs = 2_000;
/** Second tries at once, of all keys: a database that is merely slow is not asked for everything twice. */
const mostSecond = 2;
/** A little more than a statement of the reading may take. */
const longestFlightMs = 12_000;

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
  #second = 0;
  /** The last clock that was read, to know whether a bell is near. */
  #last: { clock: Clock; askedAt: number } | undefined;

  /** From now on everything that changes is told. */
  hear(): void {
    this.#generation += 1;
    this.#kept.clear();
    this.#hearing = true;
  }

  /** Nothing is told any more. Nights that are over stay, since nothing makes them untrue: they are served while the database is away. */
  deafen(): void {
    this.#hearing = false;
    this.#generation += 1;
    for (const [key, { follows }] of this.#kept) if (follows !== 'past') this.#kept.delete(key);
  }

  /** Drops what a change made untrue. */
  drop(change: string): void {
    this.#generation += 1;
    for (const [key, { follows }] of this.#kept) if (untrue(follows, change)) this.#kept.delete(key);
  }

  /** What is kept and true now. */
  get(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    const { follows, clock, askedAt } = kept;
    if (follows !== 'past' && !this.#hearing) return undefined;
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
    const promise = this.#inTime(build)
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

  /** What is built; by a second try if the first one takes long. After a while it fails in any case. */
  async #inTime(build: () => Promise<Built>): Promise<Built> {
    const over = new AbortController();
    const pause = (ms: number) => sleep(ms, undefined, { signal: over.signal });
    const first = build();
    const tries = [first];
    try {
      const answered = () => false;
      const slow = await Promise.race([first.then(answered, answered), pause(impatienceMs).then(() => true)]);
      if (slow && this.#second < mostSecond) {
        this.#second += 1;
        tries.push(
          build().finally(() => {
            this.#second -= 1;
          }),
        );
      }
      const tooLong = pause(longestFlightMs).then(() => Promise.reject(new Failure('UNAVAILABLE', new Error('nothing was built in time'))));
      return await Promise.race([Promise.any(tries), tooLong]);
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error;
    } finally {
      over.abort();
    }
  }
}

/** What readers beyond this process are told of something that was just read, or is kept. */
export const cacheControlOf = ({ follows, clock, askedAt, current }: Kept): string =>
  current || follows === 'past' ? cacheControl(follows, clock, (performance.now() - askedAt) / 1_000) : 'no-cache';
