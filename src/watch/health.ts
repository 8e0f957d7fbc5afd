// What has to be well for this process to be ready, looked at by timers: asking for the answer costs nothing and shows
// nothing of the calls being served. Decisions 118, 119.
import { setTimeout as sleep } from 'node:timers/promises';
import { isNoRoom, lackedRoom } from '../db/client.ts';
import type { Metrics } from '../process/metrics.ts';
import type { Checks } from '../process/siblings.ts';
import { messageOf, StartError } from '../process/start-error.ts';
import type { Verdict } from './verdicts.ts';

export interface Look {
  /** The checks that it answers for. */
  readonly checks: readonly string[];
  readonly everyMs: number;
  /** A check that it leaves out is well. If it fails, none of them is, and only of the database that is known. */
  look(): Promise<Readonly<Record<string, Verdict>>>;
}

export interface Report {
  readonly ready: boolean;
  /** The checks that are not well. */
  readonly failed: readonly string[];
  readonly checks: Checks;
}

/** The check that says whether anybody can look. */
const reach = 'database';
/** A look that takes longer has failed. */
const patienceMs = 4_000;

interface State {
  readonly verdict: Verdict;
  /**
   * Nobody could look. That is not well, and says nothing of what was to be looked at: whoever is woken by it should be
   * told of the database alone.
   */
  readonly unknown: boolean;
  readonly since: string;
}

export class Health {
  readonly #states = new Map<string, State>();
  readonly #stopping = new AbortController();
  readonly #loops: Promise<void>[] = [];

  constructor(metrics: Metrics) {
    metrics.gauge('hill_ready', 'Whether every check of this process is well (1) or not (0).', '1', () =>
      Number(this.report().ready),
    );
    metrics.gauge('hill_check_ok', 'Whether one check is well (1) or not (0); none while nobody can look.', '1', () =>
      [...this.#states]
        .filter(([, { unknown }]) => !unknown)
        .map(([check, { verdict }]) => [{ check }, Number(verdict === null)]),
    );
  }

  /** Where several parts of one process look at the same, the first one tells. */
  watch({ checks: all, everyMs, look }: Look): void {
    const checks = all.filter((check) => !this.#states.has(check));
    for (const check of checks) this.#set(check, 'not looked at yet', check !== reach);
    const once = async () => {
      const given = new AbortController();
      try {
        const late = sleep(patienceMs, undefined, { signal: given.signal, ref: false }).then(() =>
          Promise.reject(new Error('no answer in time')),
        );
        const verdicts = await Promise.race([look(), late]);
        for (const check of checks) this.#set(check, verdicts[check] ?? null);
      } catch (error) {
        // What was found wrong with a setting is known. A database that has no connection left answers.
        const known = (check: string) =>
          error instanceof StartError || (check === reach && ![error, (error as Error).cause].some(isNoRoom));
        for (const check of checks) this.#set(check, messageOf(error), !known(check));
      } finally {
        given.abort();
      }
    };
    this.#loops.push(
      (async () => {
        while (!this.#stopping.signal.aborted) {
          await once();
          await sleep(everyMs, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => {});
        }
      })(),
    );
  }

  report(): Report {
    const failed = [...this.#states].filter(([, { verdict }]) => verdict !== null).map(([check]) => check);
    return {
      ready: failed.length === 0,
      failed,
      checks: Object.fromEntries(
        [...this.#states].map(([check, { verdict, since }]) => [
          check,
          { ok: verdict === null, ...(verdict === null ? {} : { reason: verdict }), since },
        ]),
      ),
    };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#loops);
  }

  #set(check: string, verdict: Verdict, unknown = false): void {
    const before = this.#states.get(check);
    if (before?.verdict !== verdict || before.unknown !== unknown)
      this.#states.set(check, {
        verdict,
        unknown,
        since: before?.verdict === verdict ? before.since : new Date().toISOString(),
      });
  }
}

/** For a minute, since the next call may find a connection that stands. */
const roomMs = 60_000;

export const room: Look = {
  checks: ['connections'],
  everyMs: 5_000,
  look: async () => ({
    connections: lackedRoom(roomMs)
      ? 'This process lacks connections: PostgreSQL has none left, or calls hold all of its own. See docs/runbook.md#connections-exhausted.'
      : null,
  }),
};
