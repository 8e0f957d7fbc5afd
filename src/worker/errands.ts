// Work that leads outside, deliveries to subscribers, mail and checks of accounts' sites, files of nights, and hourly
// deletions. They are jobs of graphile-worker on connections of their own, so that slow receivers never delay a bell.
// What is to be done stands in the hill's tables; jobs only say when to look there.
import { setTimeout as sleep } from 'node:timers/promises';
import { type JobHelpers, makeWorkerUtils, run, type TaskList, type WorkerUtilsOptions } from 'graphile-worker';
import type pg from 'pg';
import { type GuardedFetch, guardedFetcher } from '../outside/fetcher/index.ts';
import { fetcherSettings } from '../outside/fetcher/settings.ts';
import { iconOf } from '../outside/sites/icon.ts';
import { lookAt } from '../outside/sites/look.ts';
import { openPayments } from '../outside/stripe.ts';
import { post } from '../outside/webhooks.ts';
import type { Config } from '../process/config.ts';
import type { Stoppable } from '../process/listen.ts';
import type { Logger } from '../process/log.ts';
import type { Histogram, Metrics } from '../process/metrics.ts';
import { prover } from '../process/proofs.ts';
import { signingSecret, webhookSealer } from '../process/secret.ts';
import { recordSpan } from '../process/tracing.ts';
import { linksOf } from '../records/links.ts';
import { archiveNight } from './archives.ts';
import {
  endDelivery,
  endSiteCheck,
  forgetDeliveries,
  forgetMails,
  keepIcon,
  takeDelivery,
  takeSiteCheck,
} from './calls.ts';
import { reported, withoutValues } from './failure.ts';
import { mailer } from './mails.ts';
import { askStripe } from './payments.ts';
import { type PublishSettings, publisher, type SharedByLog } from './publish.ts';
import { keepRunning, queueLogger, withoutListening } from './queue.ts';
import { forget, keepSmall } from './tasks.ts';
import { witnessesOf, witnessFetcher } from './witnesses.ts';

export type ErrandSettings = PublishSettings &
  Pick<Config, 'clock' | 'authUrl' | 'stripe' | 'witnesses' | 'mailFrom' | 'smtp' | 'practice'>;

/**
 * How many at once. A job does one errand after the other until none is due. Whenever it finds one, it adds another job
 * to work beside it.
 */
const most = { deliver: 10, look: 3, archive: 1, mail: 4 };
/** Seconds until work that failed, because the database was busy for example, is tried again. */
const afterFailure = 5;
const againMs = 1_000;
/** So often it is no news that the log could not be signed. */
const patience = 2;
type Errand = keyof typeof most;
const errandsOf = ({ smtp }: ErrandSettings): readonly Errand[] =>
  smtp ? ['deliver', 'look', 'archive', 'mail'] : ['deliver', 'look', 'archive'];

export interface Errands extends Stoppable {
  /** Something is due: of one errand, or whatever is without a name. Other names are nobody's. */
  wake(what?: string): void;
}

/** The cron follows this machine's clock. A simulated clock may be faster, so expired rows are deleted more often. */
const crontab = ({ clock, stripe, smtp, practice }: ErrandSettings) => `
  * * * * * deliver ?id=deliver&max=1
  * * * * * look ?id=look&max=1
  * * * * * archive ?id=archive&max=1
  ${clock === 'real' ? '*/15' : '*'} * * * * log ?id=log&max=1
  ${clock === 'real' ? '7' : '*/7'} * * * * forget ?id=forget&max=1
  17 * * * * forget_deliveries ?id=forget_deliveries&max=1
  ${practice ? '* * * * * practice ?id=practice&max=1' : ''}
  ${smtp ? '* * * * * mail ?id=mail&max=1' : ''}
  ${stripe ? '*/5 * * * * payments ?id=payments&max=1' : ''}`;

/** What all errands work with. */
interface Means {
  readonly config: ErrandSettings;
  readonly db: pg.Pool;
  readonly log: Logger;
  readonly fetch: GuardedFetch;
  readonly add: AddErrand;
  readonly stopping: AbortSignal;
}

export async function startErrands(
  config: ErrandSettings,
  db: pg.Pool,
  log: Logger,
  metrics: Metrics,
  shared: SharedByLog,
): Promise<Errands> {
  const stopping = new AbortController();
  const { pool, nudge } = withoutListening(db);
  const add: AddErrand = async (errand) => {
    await addErrand(db, errand);
    nudge();
  };
  const fetch = guardedFetcher(fetcherSettings(config));
  const means = { config, db, log, fetch, add, stopping: stopping.signal };
  const taskList = tasks(means, untilNoneIsDue(means, metrics), publication(means, metrics, shared));
  const queue = { logger: queueLogger(log) };
  await sweep(db, { ...queue, pgPool: db });
  const start = () =>
    run({
      ...queue,
      pgPool: pool,
      noHandleSignals: true,
      concurrency: Object.values(most).reduce((all, n) => all + n, 1), // the log, too
      pollInterval: 1_000,
      crontab: crontab(config),
      taskList,
    });
  const runner = await keepRunning(start, db, log);
  return {
    wake(what) {
      for (const errand of [...errandsOf(config), 'log'] as const)
        if (what === undefined || what === errand)
          add(errand)
            // once more, since what it is told of would otherwise wait for the cron
            .catch(() => sleep(againMs, undefined, { signal: stopping.signal }).then(() => add(errand)))
            .catch(() => log.debug('a call to work was lost: the cron comes by within a minute'));
    },
    async stop() {
      stopping.abort();
      await runner.stop();
    },
  };
}

function tasks(
  { config, db, log, stopping }: Means,
  doAll: (errand: Errand) => Promise<void>,
  publish: () => Promise<void>,
): TaskList {
  const task =
    (what: string, work: () => Promise<unknown>) =>
    async (_payload: unknown, { job }: JobHelpers) => {
      try {
        await work();
      } catch (error) {
        throw reported(log, what, error);
      }
      await forgetFailed(db, job.task_identifier);
    };
  const taskList: TaskList = {
    deliver: task('delivering events', () => doAll('deliver')),
    look: task('looking at sites', () => doAll('look')),
    archive: task('making nights into files', () => doAll('archive')),
    log: task('the log', publish),
    forget_deliveries: task('forgetting old deliveries', async () => {
      while (!stopping.aborted && (await forgetDeliveries(db)) > 0);
      while (!stopping.aborted && (await forgetMails(db)) > 0);
    }),
    forget: task('forgetting what has ended', async () => {
      const rows = await forget(db, stopping);
      if (rows > 0) log.debug(`${rows} rows of tokens, sessions and limits were deleted: they had ended`);
    }),
  };
  const { stripe, smtp, practice } = config;
  if (practice) taskList.practice = task('keeping practice small', () => keepSmall(db, practice, log));
  if (smtp) taskList.mail = task('sending mail', () => doAll('mail'));
  if (stripe) {
    const payments = openPayments(stripe, config.baseUrl);
    const prove = prover(() => signingSecret(config));
    taskList.payments = task('asking Stripe', () => askStripe(db, payments, prove, log));
  }
  return taskList;
}

/** Does one errand after the other until none is due, and sets when to look again. */
function untilNoneIsDue(means: Means, metrics: Metrics): (errand: Errand) => Promise<void> {
  const { db, stopping } = means;
  const posts = metrics.histogram('hill_webhook_duration_seconds', 'Time of a post to a subscriber, by outcome.');
  posts.of({ outcome: 'delivered' }); // shown from the start
  const unmade = new Set<number>();
  const work: Readonly<Record<Errand, () => Promise<boolean>>> = {
    deliver: deliveries(means, posts),
    look: looks(means),
    archive: () => archiveNight(db, unmade, stopping),
    mail: mailer(means.config, db, means.log, metrics, () => means.add('mail')) ?? (async () => false),
  };
  const busy: Record<Errand, number> = { deliver: 0, look: 0, archive: 0, mail: 0 };
  return async (errand) => {
    if (busy[errand] >= most[errand]) return; // one of the running jobs finds it
    busy[errand] += 1;
    let soonest = 0.5;
    try {
      while (!stopping.aborted && (await work[errand]()));
    } catch (error) {
      soonest = afterFailure;
      throw error;
    } finally {
      busy[errand] -= 1;
      if (!stopping.aborted) await setNextErrands(db, errandsOf(means.config), soonest);
    }
  };
}

/** Signs the log, and sets when to sign it again. */
function publication({ config, db, log, stopping }: Means, metrics: Metrics, shared: SharedByLog): () => Promise<void> {
  const witnesses = witnessesOf(config, db, witnessFetcher(config), log);
  metrics.gauge(
    'hill_log_witness',
    'Whether a witness has signed the last checkpoint that was offered to it (1) or not (0).',
    '1',
    () => witnesses.state().map(([witness, signed]) => [{ witness }, Number(signed)]),
  );
  const { publish, failures, next } = publisher(config, db, log, shared, witnesses);
  return async () => {
    try {
      await publish();
    } catch (error) {
      // When all of a hill starts, its worker is sooner there than its doors.
      if (failures() > patience) throw error;
      log.debug(`the log is not signed yet: ${withoutValues(error).message}`);
    } finally {
      if (!stopping.aborted) await setNextLog(db, await next());
    }
  };
}

/** Does one delivery, and returns whether there was one. */
function deliveries({ config, db, add, fetch, log }: Means, latency: Histogram): () => Promise<boolean> {
  const seal = webhookSealer(config);
  return async () => {
    const delivery = await takeDelivery(db);
    if (!delivery) return false;
    await add('deliver');
    const began = performance.now();
    const outcome = await post(fetch, seal, delivery);
    latency.of({ outcome: outcome.outcome }).observe((performance.now() - began) / 1_000);
    recordSpan('webhook', began, { 'hill.event': delivery.event, 'hill.outcome': outcome.outcome });
    const { state } = await endDelivery(db, delivery, outcome);
    const { id, event, attempt } = delivery;
    log.debug({ webhook: id, event, attempt, ...outcome, state }, 'an event was posted');
    if (outcome.outcome === 'secret_lost')
      log.error(
        { webhook: id },
        'A webhook cannot be signed: HILL_SIGNING_SECRET is not the one with which its secret was sealed.',
      );
    return true;
  };
}

function looks({ config, db, add, fetch, stopping, log }: Means): () => Promise<boolean> {
  const links = linksOf(config);
  let drawing = true;
  return async () => {
    const site = await takeSiteCheck(db);
    if (!site) return false;
    await add('look');
    const { page, ...finding } = await lookAt(fetch, site, links.badges);
    const { state, verified } = await endSiteCheck(db, site, finding);
    log.debug({ account: site.account_id, ...finding, state }, 'a site was looked at');
    // After the check has ended, so that nobody waits for a slow picture to be verified.
    if (!drawing || !verified || !page || stopping.aborted) return true;
    const icon = await iconOf(fetch, page.url, page.icons);
    if (icon.result === 'not_installed') {
      if (drawing)
        log.warn(
          'No icons: sharp has no image library for this machine. Run "npm ci --include=optional". All else works.',
        );
      drawing = false;
      return true;
    }
    const { state: kept } = await keepIcon(db, site, icon);
    log.debug({ account: site.account_id, result: icon.result, state: kept }, 'an icon was fetched');
    return true;
  };
}

type AddErrand = (errand: Errand | 'log') => Promise<void>;

/** To be done as soon as possible. */
const addErrand = (db: pg.Pool, errand: Errand | 'log'): Promise<unknown> =>
  db.query("select graphile_worker.add_job($1, job_key => $1 || ' now', max_attempts => 1)", [errand]);

/**
 * For what is due within a minute; the cron finds the rest. Never at once: what was not taken just now is being done by
 * another job. A look that is set for sooner stays: whoever set it may have seen what is not known here.
 */
const setNextErrands = (db: pg.Pool, ours: readonly Errand[], soonest: number): Promise<unknown> =>
  db.query(
    `select graphile_worker.add_job(n.errand, run_at => n.at, job_key => n.errand || ' next', max_attempts => 1)
       from (select d.key as errand, clock_timestamp() + make_interval(secs => greatest(d.value::text::double precision, $1)) as at
               from jsonb_each(api_worker.errands_due()) d
              where d.key = any ($2) and jsonb_typeof(d.value) = 'number' and d.value::text::double precision < 60) n
      where not exists (select from graphile_worker.jobs j where j.key = n.errand || ' next' and j.locked_at is null
                           and j.attempts < j.max_attempts and j.run_at <= n.at)`,
    [soonest, ours],
  );

/** Takes the place of what was set before: only this task sets it. */
const setNextLog = (db: pg.Pool, seconds: number | null): Promise<unknown> =>
  db.query(
    `select graphile_worker.add_job('log', run_at => clock_timestamp() + make_interval(secs => $1), job_key => 'log next', max_attempts => 1)
      where $1 is not null`,
    [seconds],
  );

/** What a job that failed for good had to do was done by a later one. Until then operators see it. */
const forgetFailed = (db: pg.Pool, task: string): Promise<unknown> =>
  db.query(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = $1 and j.attempts >= j.max_attempts and j.locked_at is null`,
    [task],
  );

/**
 * The work of jobs that failed for good will be done by a later one. Bells have not been jobs since an older version.
 */
async function sweep(db: pg.Pool, queue: WorkerUtilsOptions): Promise<void> {
  const utils = await makeWorkerUtils(queue);
  await utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] });
  await utils.release();
  await db.query(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier in ('ring', 'count') and j.locked_at is null`,
  );
}
