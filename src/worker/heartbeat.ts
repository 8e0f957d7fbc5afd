// Says that this worker lives, counts the books between bells, and reads the figures that operators see. Decisions 116,
// 118.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { contractProblem } from '../db/contract.ts';
import { secretFits } from '../db/kept-settings.ts';
import type { Config } from '../process/config.ts';
import type { Stoppable } from '../process/listen.ts';
import type { Logger } from '../process/log.ts';
import { longTimes, type Metrics, type Readings } from '../process/metrics.ts';
import { signingSecret, wrongSecret } from '../process/secret.ts';
import { recordSpan } from '../process/tracing.ts';
import { hillVerdicts, type Watch } from '../watch/index.ts';
import {
  beat,
  bookParts,
  checkBooks,
  countBooks,
  type Figures,
  probeWrites,
  type Queued,
  type RungNight,
  readFigures,
  readQueue,
} from './calls.ts';
import { sqlState, withoutValues } from './failure.ts';

const beatMs = 5_000;
const booksMs = 60_000;
const checksMs = 3_600_000;
/** After a bell: by then wallets show the night, its boards are built, and the log is signed. */
const nightlyMs = 1_200_000;
const seldomMs = 60_000;
const writesMs = 30_000;
/** A full disk, a limit of temporary files, a disk that fails, and a database that is read-only. */
const cannotWrite: ReadonlySet<string> = new Set(['53100', '53400', '58030', '25006']);

export interface Heartbeat extends Stoppable {
  /** Counts the books soon: a bell has changed them. */
  rung(night: RungNight): void;
}

/** `db` is not the pool that rings bells: a large night must not make the worker look dead. */
export function startHeartbeat(
  config: Pick<Config, 'env' | 'signingSecret' | 'dataDir'>,
  db: pg.Pool,
  log: Logger,
  { metrics, health }: Watch,
  hearing: () => boolean,
): Heartbeat {
  const stopping = new AbortController();
  const bells = metrics
    .histogram(
      'hill_bell_duration_seconds',
      'Time of the transaction of a night, from the first lock to the last figure.',
      longTimes,
    )
    .of({});
  let figures: Figures | undefined;
  let queue: readonly Queued[] = [];
  const books = countsOf(db);
  const checks = checksOf(db, log, stopping.signal);

  const turn = async () => {
    await beat(db);
    await books.count().catch((error) => log.warn(`the books could not be counted: ${withoutValues(error).message}`));
    [figures, queue] = [await readFigures(db), await readQueue(db)];
    const wrong = figures.checks.flatMap(({ part = 'balances', wrong }) => (wrong > 0 ? [part] : []));
    // why a bell failed should not be known a minute later
    if (figures.failure !== null) books.countSoon();
    if (figures.failure !== null || figures.delta_cents !== 0) wrong.push('balances');
    checks.again(new Set(wrong));
  };
  const done = (async () => {
    while (!stopping.signal.aborted) {
      await turn().catch((error) => {
        figures = undefined;
        queue = [];
        log.debug(`the heartbeat failed: ${withoutValues(error).message}`);
      });
      await sleep(beatMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();

  watchHill(config, db, health);
  showFigures(metrics, () => figures);
  showJobs(metrics, () => queue);
  metrics.gauge('hill_listening', 'Whether this process hears of changes (LISTEN): 1 or 0.', '1', () => [
    [{ part: 'worker' }, Number(hearing())],
  ]);

  return {
    rung({ day, milliseconds }) {
      books.countSoon();
      checks.rung();
      bells.observe(milliseconds / 1_000);
      recordSpan('bell', performance.now() - milliseconds, { 'hill.day': day });
    },
    async stop() {
      stopping.abort();
      await health.stop();
      await Promise.all([done, checks.done]);
    },
  };
}

/** Counts the books each minute. */
function countsOf(db: pg.Pool) {
  let countAt = 0;
  return {
    async count(): Promise<void> {
      if (performance.now() < countAt) return;
      countAt = performance.now() + booksMs;
      await countBooks(db);
    },
    countSoon() {
      countAt = 0;
    },
  };
}

/**
 * Checks what must hold, part by part, beside the heartbeat: it takes as long as the hill is old. What was wrong is
 * looked at again after a minute.
 */
function checksOf(db: pg.Pool, log: Logger, signal: AbortSignal) {
  let [hourlyAt, nightlyAt, againAt] = [0, 0, 0];
  let wrong: ReadonlySet<string> = new Set();
  const check = async (parts: readonly string[]) => {
    for (const part of parts)
      if (!signal.aborted)
        await checkBooks(db, part, signal).catch((error) => {
          if (!signal.aborted) log.warn(`${part} could not be checked: ${withoutValues(error).message}`);
        });
  };
  const turn = async () => {
    const now = performance.now();
    const [hourIsDue, nightIsDue] = [now >= hourlyAt, now >= nightlyAt];
    if (hourIsDue || nightIsDue) {
      const parts = await bookParts(db);
      if (hourIsDue) hourlyAt = now + checksMs;
      if (nightIsDue) nightlyAt = Number.POSITIVE_INFINITY;
      await check([...(hourIsDue ? parts.hourly : []), ...(nightIsDue ? parts.nightly : [])]);
    }
    if (wrong.size > 0 && now >= againAt) {
      againAt = now + booksMs;
      await check([...wrong]);
    }
  };
  const done = (async () => {
    while (!signal.aborted) {
      await turn().catch((error) => log.debug(`nothing could be checked: ${withoutValues(error).message}`));
      await sleep(beatMs, undefined, { signal }).catch(() => {});
    }
  })();
  return {
    done,
    rung() {
      hourlyAt = 0;
      nightlyAt = Math.min(nightlyAt, performance.now() + nightlyMs);
    },
    again(parts: ReadonlySet<string>) {
      wrong = parts;
    },
  };
}

function watchHill(
  config: Pick<Config, 'env' | 'signingSecret' | 'dataDir'>,
  db: pg.Pool,
  health: Watch['health'],
): void {
  health.watch({
    checks: ['database', 'worker', 'bell', 'books', 'log', 'seal', 'reserve', 'clock'],
    everyMs: beatMs,
    async look() {
      const asked = Date.now();
      return hillVerdicts(await readFigures(db), asked);
    },
  });
  health.watch({
    checks: ['writes'],
    everyMs: writesMs,
    async look() {
      try {
        await probeWrites(db);
        return {};
      } catch (error) {
        const state = sqlState(error);
        if (state === undefined || !cannotWrite.has(state)) throw error;
        return {
          writes: `The database cannot write (SQLSTATE ${state}): is the disk that it is on full, or is it a standby?`,
        };
      }
    },
  });
  health.watch({
    checks: ['schema'],
    everyMs: seldomMs,
    look: async () => ({ schema: await contractProblem(db, 'worker') }),
  });
  health.watch({
    checks: ['keys'],
    everyMs: seldomMs,
    look: async () => ({
      keys: (await secretFits(db, signingSecret(config), 'api_worker')) === false ? wrongSecret : null,
    }),
  });
}

type Gauge = readonly [name: string, about: string, unit: '1' | 's', of: (now: Figures) => Readings];

/** Nothing here is younger than the last bell, or finer than the public count. Rules 9.2. */
const gauges: readonly Gauge[] = [
  ['hill_worker_silent_seconds', 'Since any worker was heard of.', 's', (now) => now.silent_seconds],
  ['hill_last_night', 'The last night that was published.', '1', (now) => now.last_night],
  [
    'hill_bell_overdue_seconds',
    'Real seconds since a bell was due that has not rung.',
    's',
    (now) => now.overdue_seconds,
  ],
  [
    'hill_bell_lag_seconds',
    'How late the last bell was published, by the clock of the hill.',
    's',
    (now) => now.lag_seconds,
  ],
  [
    'hill_bell_failing',
    'Whether a bell fails or has failed its checks and no good night followed: 1 or 0, by code.',
    '1',
    (now) =>
      ['NIGHT_DOES_NOT_BALANCE', 'VERIFICATION_FAILED'].map(
        (code) => [{ code }, Number(now.failure === code)] as const,
      ),
  ],
  [
    'hill_log_unsigned_seconds',
    'Since all that was due of the public log was signed.',
    's',
    (now) => now.unsigned_seconds,
  ],
  [
    'hill_night_unsealed',
    'Whether the last night was resolved without a signed closing (1) or not (0).',
    '1',
    (now) => Number(now.unsealed),
  ],
  [
    'hill_night_unsettled_seconds',
    'Since the last night was published, while wallets are left that do not show it; else 0.',
    's',
    (now) => now.unsettled_seconds,
  ],
  ['hill_night_accounts', 'Accounts that played in the last night.', '1', (now) => now.accounts],
  ['hill_night_moves', 'Live moves of the last night.', '1', (now) => now.moves],
  ['hill_night_charged_cents', 'What the last night took of all reservations.', '1', (now) => now.charged_cents],
  ['hill_night_burned_cents', 'What burned in it.', '1', (now) => now.burned_cents],
  [
    'hill_sealed_moves',
    'Live moves of tonight as of the last quarter hour: the public count.',
    '1',
    (now) => now.sealed_moves,
  ],
  [
    'hill_conservation_delta_cents',
    'What all balances add up to. Anything but 0 is an error.',
    '1',
    (now) => now.delta_cents,
  ],
  ['hill_conservation_age_seconds', 'Since it was added up.', 's', (now) => now.counted_seconds],
  [
    'hill_books_wrong',
    'How many entries of the books are wrong, by check (engine.check_balances).',
    '1',
    (now) => now.checks.map(({ name, wrong }) => [{ check: name }, wrong] as const),
  ],
  ['hill_books_age_seconds', 'Since the books were last checked.', 's', (now) => now.checked_seconds],
  ['hill_webhooks_due', 'Deliveries to subscribers that are due.', '1', (now) => now.deliveries],
  [
    'hill_webhooks_oldest_seconds',
    'For how long the oldest of them has been due.',
    's',
    (now) => now.delivery_seconds ?? 0,
  ],
  ['hill_webhooks_failing', 'Subscriptions whose last delivery failed.', '1', (now) => now.failing_subscriptions],
  [
    'hill_payments_waiting',
    'Payments that wait for a person, by why (engine.waiting_payments).',
    '1',
    (now) => Object.entries(now.waiting_payments).map(([why, n]) => [{ why }, n] as const),
  ],
];

function showFigures(metrics: Metrics, figures: () => Figures | undefined): void {
  for (const [name, about, unit, of] of gauges)
    metrics.gauge(name, about, unit, () => {
      const now = figures();
      return now && of(now);
    });
}

function showJobs(metrics: Metrics, queue: () => readonly Queued[]): void {
  const show = (name: string, about: string, unit: string, of: (queued: Queued) => number) =>
    metrics.gauge(name, about, unit, () => queue().map((queued) => [{ task: queued.task }, of(queued)] as const));
  show('hill_jobs_due', 'Jobs that are due and not taken, by task.', '1', ({ due }) => due);
  show(
    'hill_jobs_oldest_seconds',
    'For how long the oldest of them has been due.',
    's',
    ({ oldest_seconds }) => oldest_seconds,
  );
  show('hill_jobs_failed', 'Jobs that have failed and are not tried again.', '1', ({ failed }) => failed);
}
