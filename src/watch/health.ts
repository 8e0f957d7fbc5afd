// What has to be well for this process to be ready, looked at by timers: asking for the answer costs nothing and shows
// nothing of the calls being served. Decisions 118, 119.
import { setTimeout as sleep } from 'node:timers/promises';
import { isNoRoom, lackedRoom } from '../db/client.ts';
import type { Metrics } from '../process/metrics.ts';
import type { Checks } from '../process/siblings.ts';
import { messageOf, StartError } from '../process/start-error.ts';

/** What is wrong, in words for the operator; null if nothing is. */
export type Verdict = string | null;

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

/** What the clocks of two machines may differ by: proofs hold for as long. NTP keeps them within milliseconds. */
export const mostApartMs = 60_000;

/** By how much the database's clock is apart from this machine's. It was read at some moment since `asked`. */
export const apartMs = (at: string, asked: number, now = Date.now()): number =>
  Math.max(0, asked - Date.parse(at), Date.parse(at) - now);

/** The words of engine.bell_state, engine.seal_gaps and engine.bell_reserve; of the web's, also about the server. */
export interface HillWords {
  readonly worker: string;
  readonly bell: string;
  readonly books: string;
  /** The worker's alone: a web has nothing to do with it. */
  readonly log?: string;
  readonly seal: readonly string[];
  readonly reserve: string;
  /** The real clock of the database. */
  readonly at: string;
  readonly server?: string;
}

const gaps: Readonly<Record<string, string>> = {
  statistics: "PostgreSQL's statistics tell every login when moves are deposited",
  statements: 'an extension shows every login how often each statement ran',
};

/** A sentence for each that is open, of engine.seal_gaps; null if none is. */
export const sealVerdict = (seal: readonly string[]): Verdict => {
  const settings = seal.filter((gap) => !(gap in gaps));
  const said = [
    ...seal.flatMap((gap) => gaps[gap] ?? []),
    ...(settings.length > 0 ? [`statements may come into PostgreSQL's log, which wants ${settings.join(', ')}`] : []),
  ];
  return said.length === 0 ? null : `The seal is not tight: ${said.join('; ')}. npm run doctor says what to type.`;
};

export const reserveVerdict = (reserve: string): Verdict =>
  reserve === 'ok'
    ? null
    : `${reserve === 'none' ? 'PostgreSQL reserves no connections' : "The worker's login may not use reserved connections"}: others can take all of them, and no bell rings. npm run doctor says what to type.`;

export const clockVerdict = (apart: number): Verdict =>
  apart > mostApartMs
    ? `The clock of the database is ${Math.round(apart / 1_000)} seconds apart from that of this machine: no bell rings, and nobody signs in. See docs/runbook.md#clock-stepped.`
    : null;

/** For the operator. `asked`: when this machine asked. */
export const hillVerdicts = (
  { worker, bell, books, log = 'ok', seal, reserve, at, server = 'ok' }: HillWords,
  asked: number,
): Record<string, Verdict> => ({
  worker:
    worker === 'ok'
      ? null
      : worker === 'silent'
        ? 'No worker has been heard of for 30 seconds. Start one, or look into its log.'
        : 'No worker has ever run on this database. Start one: npm run worker.',
  bell:
    bell === 'ok'
      ? null
      : bell === 'unsettled'
        ? 'The last night is published, and for more than two minutes wallets have been left that do not show it. Nobody can spend what it took. The log of the worker says why.'
        : 'The bell is overdue by more than two minutes. The log of the worker says why.',
  books:
    books === 'ok'
      ? null
      : 'Something does not hold that must: the books do not balance, or what is published does not follow from its moves. The console names it. See docs/runbook.md#what-must-hold.',
  log:
    log === 'ok'
      ? null
      : 'What is due of the public log has not been signed for half an hour: the next night may be UNSEALED. See docs/runbook.md#log-not-signed.',
  seal: sealVerdict(seal),
  reserve: reserveVerdict(reserve),
  clock: clockVerdict(apartMs(at, asked)),
  server:
    server === 'ok'
      ? null
      : "PostgreSQL's queue of notifications is filling: a session holds it back. See docs/runbook.md#server-filled.",
});
