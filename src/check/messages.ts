// What the page, its worker and the databases' workers tell each other.
import type { Limits } from '../verify/engine.ts';
import type { KnownLogs } from '../verify/known-logs.ts';

/** What a database is made with. A blob is sent without a copy. */
export interface Parts {
  /** The script of its worker, or where it is: of a file, Chromium starts none by an address that another made. */
  readonly database: string | Blob;
  readonly pglite: Blob;
  readonly initdb: Blob;
  readonly data: Blob;
  /** The sources of this release, as the log has those of an engine. */
  readonly release: Blob;
}

export interface Task {
  readonly parts: Parts;
  /** An address, or an archive as a tar. */
  readonly of: string | Blob;
  /** None for all nights. */
  readonly days: readonly number[];
  /** Receipts, and what else was told of deposits. */
  readonly held: readonly string[];
  /** Verifier keys, a line each: of a log that is pinned, or of a witness that must have signed. */
  readonly keys: string;
  readonly limits: Limits;
  /** What this browser saw before, by the address of the hill. */
  readonly seen: Readonly<Record<string, KnownLogs>>;
}

export type FromWorker =
  | { readonly said: string; readonly holds: boolean | null }
  | { readonly doing: string; readonly done: number; readonly of: number }
  | { readonly ended: string; readonly wrong: number; readonly url: string; readonly seen: KnownLogs | null }
  /** Nothing could be checked. */
  | { readonly failed: string };

/** What a database is made of, first; then what it is asked. Each is answered on the port that comes with it. */
export type ToDatabase =
  | { readonly parts: Parts; readonly statements: readonly string[] }
  | { readonly text: string; readonly values: unknown[] | undefined };

export type FromDatabase = { readonly rows: readonly unknown[] } | { readonly failed: string };
