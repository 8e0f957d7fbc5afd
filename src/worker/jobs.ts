// worker/jobs.ts · when the tasks run: graphile-worker's cron and queue, in the hill's own database. Decisions 1.
import { type JobHelpers, makeWorkerUtils, type Logger as QueueLogger, run } from 'graphile-worker';
import type pg from 'pg';
import type { Stoppable } from '../listen.ts';
import type { Logger } from '../log.ts';
import { refreshSealedCount } from './calls.ts';
import { reported } from './failure.ts';
import { queueLogger, stopRunner, watch } from './queue.ts';
import { bringUpToDate, forget, inWords } from './tasks.ts';

/** The cron follows this machine's clock. Once a minute it also rings what is overdue for any reason; that is cheap when nothing is. */
const crontabs = {
  real: `
    0 0 * * * ring ?id=bell
    * * * * * ring ?id=overdue&max=1
    */15 * * * * count ?id=count&max=1
    7 * * * * forget ?id=forget&max=1`,
  simulated: `
    * * * * * ring ?id=overdue&max=1
    */7 * * * * forget ?id=forget&max=1`,
};

export async function startJobs(pool: pg.Pool, clock: 'real' | 'simulated', log: Logger): Promise<Stoppable> {
  const stopping = new AbortController();
  const task = (name: string, work: () => Promise<unknown>) => async (_payload: unknown, _helpers: JobHelpers) => {
    try {
      await work();
    } catch (error) {
      throw reported(log, name, error);
    }
  };
  const queue = { pgPool: pool, logger: queueLogger(log) };
  await sweep(queue);
  const runner = await run({
    ...queue,
    noHandleSignals: true,
    // The second is for the count, while a large night is being resolved.
    concurrency: 2,
    // How late a job may be that was set for an instant. A simulated day may take seconds.
    pollInterval: clock === 'real' ? 1_000 : 100,
    crontab: crontabs[clock],
    taskList: {
      ring: task('the bell', async () => {
        await bringUpToDate(pool, (night) => log.info(inWords(night)), stopping.signal);
        if (!stopping.signal.aborted) await setNext(pool);
      }),
      count: task('the count of sealed moves', () => refreshSealedCount(pool)),
      forget: task('forgetting what has ended', async () => {
        const rows = await forget(pool, stopping.signal);
        if (rows > 0) log.debug(`${rows} rows of tokens, sessions and limits were deleted: they had ended`);
      }),
    },
  });
  void watch(runner, stopping.signal);
  await setNext(pool);
  return {
    async stop() {
      stopping.abort();
      await stopRunner(runner, pool);
    },
  };
}

/**
 * Sets both tasks for the next quarter hour or bell of the hill's clock, if that is less than a minute away; else the cron comes by first.
 * So the bell is rung at the database's midnight even if this machine's clock is ahead of it, and a simulated clock may run at any pace.
 */
export async function setNext(pool: pg.Pool): Promise<void> {
  // With one key for each task, whoever sets it last has the latest news of the clock.
  await pool.query(`
    select graphile_worker.add_job(t.task, run_at => clock_timestamp() + make_interval(secs => c.seconds), job_key => t.task || ' next')
      from (select (api_worker.read_clock() ->> 'seconds_to_next')::double precision as seconds) c, unnest(array['ring', 'count']) t (task)
     where c.seconds < 60`);
}

/** Jobs that have failed for good were done by a later one, or will be. */
async function sweep(queue: { pgPool: pg.Pool; logger: QueueLogger }): Promise<void> {
  const utils = await makeWorkerUtils(queue);
  await utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] });
  await utils.release();
}
