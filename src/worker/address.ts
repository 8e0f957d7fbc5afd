// Asks the hill's own addresses, as anybody would: through DNS, TLS and the proxy, whether a web process serves there.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../process/config.ts';
import type { Stoppable } from '../process/listen.ts';
import type { Logger } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { messageOf } from '../process/start-error.ts';

const everyMs = 30_000;
const timeoutMs = 5_000;
/** So often in a row it is no news: when all of a hill starts, its worker is sooner there than its doors. */
const patience = 2;

/** Why no web process serves there; null if one does. Whether it reaches the database is asked elsewhere. */
async function whyNotServed(address: string): Promise<string | null> {
  try {
    const answer = await fetch(`${address}/livez`, {
      headers: { 'Cache-Control': 'no-cache', 'User-Agent': `Hill (${address})` },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body?.cancel();
    return answer.status === 200 ? null : `${address}/livez answers with ${answer.status}.`;
  } catch (error) {
    return `${address} does not answer (${(error as { cause?: { code?: string } }).cause?.code ?? messageOf(error)}).`;
  }
}

export function watchAddresses(
  { baseUrl, authUrl }: Pick<Config, 'baseUrl' | 'authUrl'>,
  metrics: Metrics,
  log: Logger,
  intervalMs = everyMs,
): Stoppable {
  const stopping = new AbortController();
  const addresses = new Map(
    authUrl === baseUrl
      ? [['BASE_URL', baseUrl]]
      : [
          ['BASE_URL', baseUrl],
          ['AUTH_URL', authUrl],
        ],
  );
  const failures = new Map<string, number>();
  metrics.gauge(
    'hill_address_ok',
    'Whether a web process serves at an address of this hill, asked as anybody would (1), or not (0).',
    '1',
    () => [...failures].map(([address, times]) => [{ address }, Number(times === 0)]),
  );
  const done = (async () => {
    while (!stopping.signal.aborted) {
      for (const [setting, address] of addresses) {
        const wrong = await whyNotServed(address);
        const before = failures.get(setting) ?? 0;
        failures.set(setting, wrong === null ? 0 : before + 1);
        if (wrong !== null && before === patience)
          log.warn(`nobody is served: ${wrong} See docs/runbook.md, site-down.`);
        if (wrong === null && before > patience) log.info(`${address} answers again`);
      }
      await sleep(intervalMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await Promise.race([done, sleep(100, undefined, { ref: false })]); // it writes nothing
    },
  };
}
