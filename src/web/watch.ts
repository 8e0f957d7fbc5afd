// What the public server shows to operators. The pool that serves calls is asked by a timer only: its own figures would
// move with each deposit. Decisions 116.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { call } from '../db/call.ts';
import { noRoom } from '../db/client.ts';
import { contractProblem } from '../db/contract.ts';
import type { Reading } from '../http/reading.ts';
import type { KeyRing } from '../oauth/keys.ts';
import { type HillWords, hillVerdicts, type Watch } from '../watch/index.ts';

const oftenMs = 5_000;
const seldomMs = 60_000;
/** Less than a look may take. */
const waitMs = 3_000;
/** The time of one call cannot be seen in it. */
const stepSeconds = 0.05;

interface Parts {
  readonly pool: pg.Pool;
  readonly reading: Reading;
  readonly keys: KeyRing;
}

export function watchWeb({ metrics, health }: Watch, { pool, reading, keys }: Parts): void {
  let probe: number | undefined;
  health.watch({
    checks: ['database', 'worker', 'bell', 'books', 'seal', 'reserve', 'clock', 'server'],
    everyMs: oftenMs,
    async look() {
      const [began, sent] = [performance.now(), Date.now()];
      const asked = call<HillWords>(pool, 'api_public.readiness');
      const late = sleep(waitMs, undefined, { ref: false }).then(() =>
        pool.waitingCount > 0 ? Promise.reject(noRoom()) : asked,
      );
      const verdicts = await Promise.race([asked, late]).catch((error) => {
        probe = undefined;
        throw error;
      });
      probe = Math.ceil((performance.now() - began) / 1_000 / stepSeconds) * stepSeconds;
      return hillVerdicts(verdicts, sent);
    },
  });
  health.watch({
    checks: ['schema'],
    everyMs: seldomMs,
    look: async () => ({ schema: await contractProblem(pool, 'web') }),
  });
  health.watch({
    checks: ['keys'],
    everyMs: seldomMs,
    async look() {
      await keys.open();
      return {};
    },
  });

  metrics.gauge(
    'hill_database_probe_seconds',
    'Time of a look at the database every 5 s, in steps of 50 ms, waiting for a connection included.',
    's',
    () => [[{ pool: 'calls' }, probe]],
  );
  metrics.gauge(
    'hill_database_connections',
    'Connections of pools that no deposit uses, by state; waiting: calls without one.',
    '1',
    () => Object.entries(reading.source.connections).map(([state, n]) => [{ pool: 'reading', state }, n]),
  );
  metrics.gauge('hill_listening', 'Whether this process hears of changes (LISTEN): 1 or 0.', '1', () => [
    [{ part: 'web' }, Number(reading.memory.figures.hearing)],
  ]);
  metrics.gauge(
    'hill_replica',
    'The state of the replica: 1 for the one that it is in; all 0 without a replica.',
    '1',
    () => {
      const { replica } = reading.source;
      return (['ok', 'behind', 'away'] as const).map((state) => [{ state }, Number(replica === state)]);
    },
  );
  metrics.gauge('hill_memory_bytes', "Size of readers' memory.", 'By', () => reading.memory.figures.bytes);
  metrics.gauge('hill_memory_entries', 'Answers in it.', '1', () => reading.memory.figures.entries);
  metrics.gauge(
    'hill_memory_hits_total',
    'Reads that were answered from it.',
    '1',
    () => reading.memory.figures.hits,
    true,
  );
  metrics.gauge(
    'hill_memory_misses_total',
    'Answers that had to be built.',
    '1',
    () => reading.memory.figures.misses,
    true,
  );
}
