// Limits how many fetches run at once. None waits: one too many is refused.
import { FetchRefused } from './refusal.ts';

export class Gate {
  readonly #inside = new Map<string, number>();

  /** Returns the function that leaves again, which works once. Throws a FetchRefused. */
  enter(key: string, most: number): () => void {
    const inside = this.#inside.get(key) ?? 0;
    if (inside >= most) throw new FetchRefused('busy');
    this.#inside.set(key, inside + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const others = (this.#inside.get(key) ?? 1) - 1;
      if (others > 0) this.#inside.set(key, others);
      else this.#inside.delete(key);
    };
  }
}
