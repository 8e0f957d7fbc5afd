// worker/errands.ts · what leads outside: deliveries to subscribers, looks at accounts' sites. Jobs of graphile-worker, in a runner and on connections of their
// own, so that slow receivers never keep a bell waiting. What is to be done stands in the hill's tables; jobs only say when to look there.
import { run } from 'graphile-worker';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { type GuardedFetch, guardedFetcher } from '../fetcher/index.ts';
import { fetcherSettings } from '../fetcher/settings.ts';
import { linksOf } from '../links.ts';
import type { Stoppable } from '../listen.ts';
import type { Logger } from '../log.ts';
import { lookAt } from '../sites/look.ts';
import { post, webhookSealer } from '../webhooks.ts';
import { endDelivery, endSiteCheck, forgetDeliveries, takeDelivery, takeSiteCheck } from './calls.ts';
import { reported } from './failure.ts';
import { queueLogger, stopRunner, watch } from './queue.ts';
import { wakeUps } from './wake-ups.ts';

/** Enough for every job at once, for the queue and for the wake-ups. */
export const errandConnections = 16;

export type ErrandSettings = Pick<Config, 'env' | 'baseUrl' | 'authUrl' | 'signingSecret' | 'dataDir'>;

/** How many at once. A job does one errand after the other until none is due; whenever it finds one, it calls for another job to work beside it. */
const most = { deliver: 10, look: 3 };
type Errand = keyof typeof most;

const crontab = `
  * * * * * deliver ?id=deliver&max=1
  * * * * * look ?id=look&max=1
  17 * * * * forget_deliveries ?id=forget_deliveries&max=1`;

export async function startErrands(config: ErrandSettings, db: pg.Pool, log: Logger): Promise<Stoppable> {
  const stopping = new AbortController();
  const fetch = guardedFetcher(fetcherSettings(config));
  const work: Readonly<Record<Errand, () => Promise<boolean>>> = {
    deliver: deliveries(config, db, fetch, log),
    look: looks(config, db, fetch, log),
  };
  const busy: Record<Errand, number> = { deliver: 0, look: 0 };
  const doAll = async (errand: Errand): Promise<void> => {
    if (busy[errand] >= most[errand]) return; // one of those finds it
    busy[errand] += 1;
    try {
      while (!stopping.signal.aborted && (await work[errand]()));
    } finally {
      busy[errand] -= 1;
    }
    if (!stopping.signal.aborted) await setNextErrands(db);
  };
  const task = (what: string, work: () => Promise<unknown>) => async () => {
    try {
      await work();
    } catch (error) {
      throw reported(log, what, error);
    }
  };
  const runner = await run({
    pgPool: db,
    logger: queueLogger(log),
    noHandleSignals: true,
    concurrency: most.deliver + most.look,
    pollInterval: 1_000,
    crontab,
    taskList: {
      deliver: task('delivering events', () => doAll('deliver')),
      look: task('looking at sites', () => doAll('look')),
      forget_deliveries: task('forgetting old deliveries', () => forgetDeliveries(db)),
    },
  });
  void watch(runner, stopping.signal);
  const wake = wakeUps(db, (errand) => addErrand(db, errand), log);
  return {
    async stop() {
      stopping.abort();
      await wake.stop();
      await stopRunner(runner, db);
    },
  };
}

/** Does one, and says whether there was one. */
function deliveries(config: ErrandSettings, db: pg.Pool, fetch: GuardedFetch, log: Logger): () => Promise<boolean> {
  const seal = webhookSealer(config);
  return async () => {
    const delivery = await takeDelivery(db);
    if (!delivery) return false;
    await addErrand(db, 'deliver');
    const outcome = await post(fetch, seal, delivery);
    const { state } = await endDelivery(db, delivery, outcome);
    const { id, event, attempt } = delivery;
    log.debug({ webhook: id, event, attempt, ...outcome, state }, 'an event was posted');
    if (outcome.outcome === 'secret_lost')
      log.error({ webhook: id }, 'A webhook cannot be signed: HILL_SIGNING_SECRET is not the one with which its secret was sealed.');
    return true;
  };
}

function looks(config: ErrandSettings, db: pg.Pool, fetch: GuardedFetch, log: Logger): () => Promise<boolean> {
  const links = linksOf(config);
  return async () => {
    const site = await takeSiteCheck(db);
    if (!site) return false;
    await addErrand(db, 'look');
    const finding = await lookAt(fetch, site, links.badges);
    const { state } = await endSiteCheck(db, site, finding);
    log.debug({ account: site.account_id, ...finding, state }, 'a site was looked at');
    return true;
  };
}

/** As soon as may be. */
const addErrand = (db: pg.Pool, errand: Errand): Promise<unknown> =>
  db.query("select graphile_worker.add_job($1, job_key => $1 || ' now', max_attempts => 1)", [errand]);

/** For what is due within the minute: else the cron comes by first. Never at once, for what was not taken just now is in somebody's hands. */
const setNextErrands = (db: pg.Pool): Promise<unknown> =>
  db.query(`
    select graphile_worker.add_job(d.key, run_at => clock_timestamp() + make_interval(secs => greatest(d.value::text::double precision, 0.5)),
                                   job_key => d.key || ' next', max_attempts => 1)
      from jsonb_each(api_worker.errands_due()) d where jsonb_typeof(d.value) = 'number' and d.value::text::double precision < 60`);
