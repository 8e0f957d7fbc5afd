// Looks every few seconds at what any login can fill or hold of the server, and ends who does. Decisions 481, 482.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { rule } from '../db/rules.ts';
import type { Stoppable } from '../process/listen.ts';
import type { Logger } from '../process/log.ts';
import type { Verdict, Watch } from '../watch/index.ts';
import { type Freed, freeServer } from './calls.ts';
import { withoutValues } from './failure.ts';

const everyMs = 5_000;
/** In_the_way ends who takes the rest from here on. */
const mostLocks = 0.5;

/** `db` keeps its connections: where nobody gets a lock any more, nobody connects. */
export function startGuard(db: pg.Pool, log: Logger, { metrics, health }: Watch): Stoppable {
  const stopping = new AbortController();
  let last: Freed | undefined;
  const endings = new Map(['notifications', 'locks', 'bell', 'connections'].map((why) => [why, 0]));
  const turn = async () => {
    last = await freeServer(db);
    for (const { why, ...session } of last.ended) {
      endings.set(why, (endings.get(why) ?? 0) + 1);
      log.warn({ ...session, why }, 'a session was in the way and was ended: see docs/runbook.md#server-filled');
    }
  };
  const done = (async () => {
    while (!stopping.signal.aborted) {
      await turn().catch((error) => {
        last = undefined;
        log.debug(`the server could not be looked at: ${withoutValues(error).message}`);
      });
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();

  health.watch({ checks: ['server'], everyMs, look: async () => ({ server: last ? verdict(last) : null }) });
  // Of the room for locks there is no metric: deposits take some, and a metric that moves with them would betray them.
  metrics.gauge(
    'hill_notify_queue_ratio',
    "Share of PostgreSQL's queue of notifications that is taken.",
    '1',
    () => last?.queue,
  );
  metrics.gauge(
    'hill_sessions_ended_total',
    'Sessions that this worker has ended, since they filled or held what the bell needs of the server, by reason.',
    '1',
    () => [...endings].map(([why, n]) => [{ why }, n]),
    true,
  );
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

function verdict({ queue, locks, may_end }: Freed): Verdict {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const filled = [
    ...(queue > rule('notify_limit') ? [`${percent(queue)} of its queue of notifications`] : []),
    ...(locks > mostLocks ? [`${percent(locks)} of its room for locks`] : []),
  ];
  if (filled.length === 0) return null;
  const help = may_end ? '' : ' Hill may not end sessions here: run sql/harden.sql and npm run migrate.';
  return `Somebody fills the server: ${filled.join(' and ')}.${help} See docs/runbook.md#server-filled.`;
}
