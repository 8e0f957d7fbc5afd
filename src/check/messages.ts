// What the page and its worker tell each other.
import type { KnownLogs } from '../verify/known-logs.ts';

/** What PGlite is made of, as bytes. */
export interface Parts {
  readonly pglite: ArrayBuffer;
  readonly initdb: ArrayBuffer;
  readonly data: ArrayBuffer;
}

export interface Task {
  /** An address, or an archive as a tar. */
  readonly of: string | ArrayBuffer;
  /** None for all nights. */
  readonly days: readonly number[];
  /** Receipts, and what else was told of deposits. */
  readonly held: readonly string[];
  /** Verifier keys, a line each: of a log that is pinned, or of a witness that must have signed. */
  readonly keys: string;
  /** What this browser saw before, by the address of the hill. */
  readonly seen: Readonly<Record<string, KnownLogs>>;
}

export type ToWorker = { readonly parts: Parts } | { readonly task: Task };

export type FromWorker =
  | { readonly ready: true }
  | { readonly said: string; readonly holds: boolean | null }
  | { readonly doing: string; readonly done: number; readonly of: number }
  | { readonly ended: string; readonly wrong: number; readonly url: string; readonly seen: KnownLogs | null }
  /** Nothing could be checked. */
  | { readonly failed: string };
