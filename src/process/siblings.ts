// Web processes that share one port (HILL_WEB_PROCESSES), as one of them sees it: what it sends to the process that
// started it, and what it counts together with the others. Decisions 325-327.
import cluster from 'node:cluster';
import type { Collected } from './metrics.ts';

/** What a process counts for itself and all siblings have to know: who has taken how many. */
interface Counted {
  readonly of: string;
  readonly round: number;
  /** What the sender has counted itself, of those for whom that has changed. */
  readonly counts: readonly (readonly [string, number])[];
}

/** Checks of health. One that is not well has a reason. */
export type Checks = Readonly<
  Record<string, { readonly ok: boolean; readonly reason?: string; readonly since: string }>
>;

/** What an operator sees of a process. */
export interface Watched {
  readonly metrics: readonly Collected[];
  readonly checks: Checks;
}

export type FromSibling =
  | { readonly kind: 'open' }
  | { readonly kind: 'failed'; readonly message: string; readonly expected: boolean }
  | ({ readonly kind: 'watched'; readonly ask: number } & Watched)
  | ({ readonly kind: 'counted' } & Counted);

export type ToSibling =
  | { readonly kind: 'stop' }
  | { readonly kind: 'watch'; readonly ask: number }
  /** A sibling has counted. */
  | ({ readonly kind: 'add'; readonly from: number } & Counted)
  /** A sibling has ended: what it counted is forgotten. */
  | { readonly kind: 'forget'; readonly from: number }
  /** A sibling is new: it needs all counts. */
  | { readonly kind: 'count' };

export const isSibling: boolean = cluster.isWorker;

/** Resolves when it has been sent: a process may end then. */
export const sendToParent = (message: FromSibling): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve());
    else resolve();
  });

const acts: { readonly kind: string; act(message: ToSibling): void }[] = [];

/** Messages wait until the first call. */
export function onMessage<K extends ToSibling['kind']>(
  kind: K,
  act: (message: Extract<ToSibling, { kind: K }>) => void,
): void {
  if (!isSibling) return;
  acts.push({ kind, act: act as (message: ToSibling) => void });
  if (acts.length === 1)
    process.on('message', (message: ToSibling) => {
      for (const one of acts) if (one.kind === message.kind) one.act(message);
    });
}

/** How late the others may hear of what was counted. */
const gatherMs = 50;

/**
 * Counts by name. What siblings have counted is in them, up to `gatherMs` late: a limit that lives in memory is one
 * limit for all that share a port.
 */
export class Counts {
  readonly #name: string;
  #round = 0;
  readonly #own = new Map<string, number>();
  readonly #others = new Map<number, { readonly round: number; readonly counts: Map<string, number> }>();
  #changed = new Set<string>();

  constructor(name: string) {
    this.#name = name;
    onMessage('add', ({ of, from, round, counts }) => {
      if (of !== name) return;
      const known = this.#others.get(from);
      const heard = known?.round === round ? known : { round, counts: new Map<string, number>() };
      this.#others.set(from, heard);
      for (const [who, n] of counts)
        if (n === 0) heard.counts.delete(who);
        else heard.counts.set(who, n);
    });
    onMessage('forget', ({ from }) => this.#others.delete(from));
    onMessage('count', () => {
      for (const who of this.#own.keys()) this.#change(who);
    });
  }

  of(who: string): number {
    let all = this.#own.get(who) ?? 0;
    for (const { round, counts } of this.#others.values()) if (round === this.#round) all += counts.get(who) ?? 0;
    return all;
  }

  add(who: string, n: number): void {
    const own = (this.#own.get(who) ?? 0) + n;
    if (own === 0) this.#own.delete(who);
    else this.#own.set(who, own);
    if (isSibling) this.#change(who);
  }

  /** Rounds are numbered alike in all processes. A new one counts from nothing. */
  begin(round: number): void {
    if (round === this.#round) return;
    this.#round = round;
    this.#own.clear();
    this.#changed.clear();
  }

  #change(who: string): void {
    if (this.#changed.size === 0) setTimeout(() => this.#send(), gatherMs).unref();
    this.#changed.add(who);
  }

  #send(): void {
    const counts = [...this.#changed].map((who) => [who, this.#own.get(who) ?? 0] as const);
    this.#changed = new Set();
    if (counts.length > 0) void sendToParent({ kind: 'counted', of: this.#name, round: this.#round, counts });
  }
}
