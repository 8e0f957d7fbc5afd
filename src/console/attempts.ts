// How often a wrong key may be tried.

const most = 5;
const withinMs = 60_000;

/** Counts the tries that have not succeeded, including those still under way, so that parallel tries count, too. */
export class Attempts {
  #tries: number[] = [];
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Seconds to wait before the next try; 0 for none. */
  wait(): number {
    const now = this.#now();
    this.#tries = this.#tries.filter((at) => at > now - withinMs);
    const oldest = this.#tries[0];
    return oldest === undefined || this.#tries.length < most ? 0 : Math.ceil((oldest + withinMs - now) / 1000);
  }

  /** Counts a try. Call the returned function if it succeeds. */
  begin(): () => void {
    const at = this.#now();
    this.#tries.push(at);
    return () => this.#tries.splice(this.#tries.indexOf(at), 1);
  }
}
