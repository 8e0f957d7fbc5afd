// Keeps bodies that were built once, and serves them until their content changes. Rules 10.11.
//
// What makes it safe: nothing is kept unless this process hears of changes (a lost connection drops all that could
// change), nothing that was built during a change, and nothing from shortly before a bell until its night is published.
// Every use compares the clock with the bell again.
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../db/call.ts';
import { Failure, Refusal } from '../db/errors.ts';
import { cacheControl, type Follows, secondsToKeep, untrue } from './freshness.ts';
import type { Representation } from './representation.ts';

export interface Built {
  readonly clock: Clock;
  readonly representation: Representation;
  /** Whether the database that answered had seen every change announced before the read: a replica may be behind. */
  readonly current: boolean;
  /** The accounts that a program reads about here, and the account whose page this is: see http/counters.ts. */
  readonly shows?: readonly string[] | undefined;
  readonly pageOf?: string | undefined;
}

export interface Kept extends Built {
  readonly follows: Follows;
  /**
   * When the read began, in milliseconds of this process: before the clock was read, so that a bell is expected too
   * early rather than too late.
   */
  readonly askedAt: number;
}

/** For all bodies together; a night of a million accounts has first pages of some 3 MB. */
const mostBytes = 192_000_000;
/** Whatever notification was missed, nothing that can change is served from memory for longer. */
const longestMs: Readonly<Record<Follows, number>> = {
  ...{
    front: 1_000,
    hill: 2_000,
    boards: 60_000,
    rules: 60_000,
    tournaments: 60_000,
    counters: 2_000,
    nights: 60_000,
    icons: 60_000,
  },
  ...{ days: 60_000, log: 60_000, past: Number.POSITIVE_INFINITY, archives: Number.POSITIVE_INFINITY },
};

/**
 * Refusals have a memory of their own, so that a scan of names that do not exist pushes out nothing but other refusals.
 */
const mostRefused = 5_000;
const refusedMs = 60_000;
/** Changes by which nothing comes to exist. */
const createsNothing: ReadonlySet<string> = new Set(['counters', 'sealed_count', 'announcements']);

/**
 * A read without an answer by then is tried a second time beside the first: one dead connection must not block a
 * reader.
 */
const impatienceMs = 2_000;
/** Second tries at once, of all keys: a database that is merely slow must not get every read twice. */
const mostSecond = 2;
/** A little more than a read may take. */
const longestFlightMs = 12_000;

interface Flight {
  readonly promise: Promise<Kept>;
  readonly generation: number;
  readonly pastGeneration: number;
  next?: Promise<Kept>;
}

export class Memory {
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: mostBytes,
    // Compressed forms are added later and are smaller; and an address can be longer than its body.
    sizeCalculation: ({ representation }, key) => (representation.bytes + key.length) * 2 + 1_000,
  });
  readonly #flights = new Map<string, Flight>();
  readonly #refused = new LRUCache<string, { readonly error: Refusal; readonly until: number }>({ max: mostRefused });
  #hearing = false;
  /** Counts changes; and those that outdate nights that are over. */
  #generation = 0;
  #pastGeneration = 0;
  #second = 0;
  /** The last clock that was read: it tells whether a bell is near. */
  #last: { clock: Clock; askedAt: number } | undefined;

  /** For operators. */
  readonly lookups = { hits: 0, misses: 0 };

  get figures() {
    return { bytes: this.#kept.calculatedSize, entries: this.#kept.size, hearing: this.#hearing, ...this.lookups };
  }

  /** From now on every change is heard. */
  hear(): void {
    this.#generation += 1;
    this.#pastGeneration += 1; // one may have been missed
    this.#kept.clear();
    this.#refused.clear();
    this.#hearing = true;
  }

  /**
   * No change is heard any more. Nights that are over are kept, since they hardly change: they are served while the
   * database is away.
   */
  deafen(): void {
    this.#hearing = false;
    this.#refused.clear();
    this.#generation += 1;
    for (const [key, { follows }] of this.#kept) if (follows !== 'past') this.#kept.delete(key);
  }

  /** Drops what a change has outdated. */
  drop(change: string): void {
    this.#generation += 1;
    if (untrue('past', change)) this.#pastGeneration += 1;
    if (!createsNothing.has(change)) this.#refused.clear();
    for (const [key, { follows }] of this.#kept) if (untrue(follows, change)) this.#kept.delete(key);
  }

  /** What is kept and still current. */
  get(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    const { follows, clock, askedAt } = kept;
    if (follows !== 'past' && !this.#hearing) return undefined;
    const elapsed = performance.now() - askedAt;
    if (elapsed <= longestMs[follows] && secondsToKeep(follows, clock, elapsed / 1_000) > 0) {
      this.lookups.hits += 1;
      return kept;
    }
    this.#kept.delete(key);
    return undefined;
  }

  /** What is kept, or is built now: once for all readers that ask meanwhile. */
  async read(key: string, follows: Follows, build: () => Promise<Built>): Promise<Kept> {
    const kept = this.get(key);
    if (kept) return kept;
    const running = this.#flights.get(key);
    if (!running) return this.#fly(key, follows, build);
    if (this.#shared(running, follows)) return running.promise;
    // The build under way may have read the database before this reader asked, so all who come now wait for the next
    // one.
    running.next ??= running.promise.then(
      () => this.#fly(key, follows, build),
      () => this.#fly(key, follows, build),
    );
    return running.next;
  }

  /**
   * What is asked for, unless it is known to be refused: nothing of that name, no such night, an argument that the
   * database refuses. A refusal holds until something comes to exist, a bell is near, or a minute has passed.
   */
  async unlessRefused<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#refused.get(key);
    if (known && performance.now() < known.until) {
      this.lookups.hits += 1;
      throw known.error;
    }
    const generation = this.#generation;
    try {
      return await ask();
    } catch (error) {
      if (
        error instanceof Refusal &&
        [400, 404].includes(error.status) &&
        this.#hearing &&
        generation === this.#generation
      ) {
        const ms = Math.min(refusedMs, this.#quietSeconds() * 1_000);
        if (ms > 0) this.#refused.set(key, { error, until: performance.now() + ms });
      }
      throw error;
    }
  }

  /** For how long no bell rings, by the last clock that was read. */
  #quietSeconds(): number {
    return this.#last ? secondsToKeep('nights', this.#last.clock, (performance.now() - this.#last.askedAt) / 1_000) : 0;
  }

  /** Whether an answer that is being built is current enough for a reader that asks only now. */
  #shared({ generation, pastGeneration }: Flight, follows: Follows): boolean {
    if (follows === 'past') return pastGeneration === this.#pastGeneration;
    if (!this.#hearing || generation !== this.#generation || !this.#last) return false;
    const { clock, askedAt } = this.#last;
    return secondsToKeep(follows, clock, (performance.now() - askedAt) / 1_000) > 0;
  }

  #fly(key: string, follows: Follows, build: () => Promise<Built>): Promise<Kept> {
    this.lookups.misses += 1;
    const askedAt = performance.now();
    const generation = this.#generation;
    const pastGeneration = this.#pastGeneration;
    const promise = this.unlessRefused(key, () => this.#inTime(build))
      .then((built): Kept => {
        const kept = { ...built, follows, askedAt };
        if (!this.#last || askedAt >= this.#last.askedAt) this.#last = { clock: built.clock, askedAt };
        const unchanged =
          follows === 'past' ? pastGeneration === this.#pastGeneration : generation === this.#generation;
        if (this.#hearing && unchanged && built.current && secondsToKeep(follows, built.clock) > 0)
          this.#kept.set(key, kept);
        return kept;
      })
      .finally(() => {
        if (this.#flights.get(key)?.promise === promise) this.#flights.delete(key);
      });
    this.#flights.set(key, { promise, generation, pastGeneration });
    return promise;
  }

  /** Builds, with a second try if the first one takes long. After a while it fails in any case. */
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
      const tooLong = pause(longestFlightMs).then(() =>
        Promise.reject(new Failure('UNAVAILABLE', new Error('nothing was built in time'))),
      );
      return await Promise.race([Promise.any(tries), tooLong]);
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error;
    } finally {
      over.abort();
    }
  }
}

/** The Cache-Control of an answer that was just built or is kept. */
export const cacheControlOf = ({ follows, clock, askedAt, current }: Kept): string =>
  current ? cacheControl(follows, clock, (performance.now() - askedAt) / 1_000) : 'no-cache';
