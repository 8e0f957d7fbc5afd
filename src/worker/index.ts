// Starts the work that the hill does by itself, at the bell and between bells. Several workers on one database do no
// harm.

import { budget } from '../db/budget.ts';
import { lookOut } from '../db/lookout.ts';
import { makePool } from '../db/pool.ts';
import type { Config } from '../process/config.ts';
import type { Stoppable } from '../process/listen.ts';
import type { Logger } from '../process/log.ts';
import { signingSecret } from '../process/secret.ts';
import { aWatch } from '../watch/index.ts';
import { watchAddresses } from './address.ts';
import { lockTimeoutMs } from './calls.ts';
import { catchUp } from './catch-up.ts';
import { clockGuard } from './clock-guard.ts';
import { startClockwork } from './clockwork.ts';
import { signerOf } from './closing.ts';
import type { ErrandSettings, Errands } from './errands.ts';
import { startGuard } from './guard.ts';
import { startHeartbeat } from './heartbeat.ts';
import { followLog } from './look-outside.ts';
import { checkpointFile, followSettings, sharedByLog } from './publish.ts';

export type WorkerSettings = ErrandSettings &
  Pick<Config, 'connections'> & {
    /** See adoptLog. */
    readonly adopt?: boolean;
  };

/** No attempt may hang for long on a database that is away, so that the bell is tried again soon after it is back. */
const waitMs = 3_000;

export interface BellRinger extends Stoppable {
  /** Begins the errands. What they need takes long to load, and no door waits for them. */
  doErrands(): Promise<void>;
}

/** All of the worker. */
export async function startWorker(...all: Parameters<typeof startBells>): Promise<Stoppable> {
  const worker = await startBells(...all);
  try {
    await worker.doErrands();
    return worker;
  } catch (error) {
    await worker.stop();
    throw error;
  }
}

/**
 * Resolves when no bell is overdue and the house has played. `url` is the worker's login; the signal ends a long
 * catch-up early.
 */
export async function startBells(
  config: WorkerSettings,
  url: string,
  log: Logger,
  signal?: AbortSignal,
  connections = budget(config.connections, ['worker']).worker,
  watch = aWatch(),
): Promise<BellRinger> {
  if (config.env === 'production') signingSecret(config); // one that is missing stops the start
  checkpointFile(config);
  // A night is resolved a fifth sooner, if it is small, by a connection that has resolved one before: what the
  // functions are compiled to is there.
  const keeps = { max: connections.clockwork, keepsIdle: true };
  const pool = makePool({ url, name: 'hill worker', log, ...keeps, statementTimeoutMs: 0, lockTimeoutMs, waitMs });
  const errandPool = makePool({ url, name: 'hill errands', log, max: connections.errands });
  const started: Stoppable[] = [];
  let errands: Errands | undefined;
  const shared = sharedByLog(watch.metrics, log);
  const guard = clockGuard(pool, watch.metrics);
  const stop = async () => {
    await Promise.all(started.map((part) => part.stop()));
    await Promise.all([pool.end(), errandPool.end()]);
  };
  try {
    if (config.adopt) await (await import('./adopt.ts')).adoptLog(config, errandPool, log, shared);
    const sign = signerOf(config, pool, log, shared);
    started.push(startGuard(pool, log, watch));
    await catchUp(pool, sign, guard, log, signal);
    let hearing = false;
    const follow = () =>
      void followLog(errandPool, followSettings(config, shared)).catch(() =>
        log.debug('what was signed of the log could not be followed'),
      );
    const heartbeat = startHeartbeat(config, errandPool, log, watch, () => hearing);
    started.push(heartbeat);
    started.push(watchAddresses(config, watch.metrics, log));
    watch.health.watch({
      checks: ['copy'],
      everyMs: 5_000,
      look: async () => ({ copy: shared.places.wrong?.('database') ?? null }),
    });
    const clockwork = startClockwork(pool, sign, guard, log, heartbeat.rung);
    started.push(clockwork);
    started.push(
      lookOut(
        url,
        'api_worker.changes',
        {
          up() {
            hearing = true;
            // something may have been missed
            clockwork.wake();
            errands?.wake();
            follow();
          },
          lost() {
            hearing = false;
          },
          changed(what) {
            if (what.startsWith('work:')) errands?.wake(what.slice('work:'.length));
            else if (what === 'night')
              errands?.wake('mail'); // of its digests
            else if (what === 'log') {
              clockwork.wake(); // a bell may have waited for it
              follow();
            } else if (what === 'clock') {
              clockwork.wake();
              errands?.wake('log');
            }
          },
        },
        log,
      ),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stop,
    async doErrands() {
      const { startErrands } = await import('./errands.ts');
      errands = await startErrands(config, errandPool, log, watch.metrics, shared);
      started.push(errands);
      errands.wake(); // something may have been missed
    },
  };
}
