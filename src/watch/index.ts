// What operators see of a process: /metrics, /healthz and /readyz on METRICS_PORT. Decisions 116, 119.
import type http from 'node:http';
import type { Config } from '../process/config.ts';
import { listen, type Stoppable } from '../process/listen.ts';
import { Metrics } from '../process/metrics.ts';
import { isSibling, onMessage, sendToParent, type Watched } from '../process/siblings.ts';
import { Health, room } from './health.ts';

export {
  apartMs,
  clockVerdict,
  type HillWords,
  hillVerdicts,
  mostApartMs,
  openInWords,
  reserveVerdict,
  type Verdict,
} from './verdicts.ts';

export interface Watch {
  readonly metrics: Metrics;
  readonly health: Health;
  /** How the processes are that this one has started. */
  others?: () => Promise<readonly (Watched & { readonly name: string })[]>;
}

export const aWatch = (): Watch => {
  const metrics = new Metrics();
  const health = new Health(metrics);
  health.watch(room);
  return { metrics, health };
};

export type WatchSettings = Pick<Config, 'metrics' | 'otlp' | 'dataDir'>;

/**
 * Shows what is watched, where the settings say. `part` is what runs in this process. Of several that share a port,
 * each shows it to their parent.
 */
export async function showWatch(config: WatchSettings, part: string, watch: Watch): Promise<Stoppable> {
  const { metrics, health } = watch;
  const others = async () => (await watch.others?.()) ?? [];
  if (!config.metrics && !config.otlp.endpoint) return { stop: () => health.stop() };
  // loaded only where it is used
  const [{ startTelemetry }, { watchProcess }] = await Promise.all([
    import('../process/telemetry.ts'),
    import('../process/basics.ts'),
  ]);
  const basics = watchProcess(metrics, part, config.dataDir);
  onMessage(
    'watch',
    ({ ask }) =>
      void sendToParent({ kind: 'watched', ask, metrics: metrics.collect(), checks: health.report().checks }),
  );
  const telemetry = startTelemetry(config, part, metrics, others);
  const stopAll = async () => {
    basics.stop();
    await health.stop();
    await telemetry.stop();
  };
  const handler: http.RequestListener = async (req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost');
    const tell = (status: number, body: object) =>
      res
        .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
        .end(`${JSON.stringify(body)}\n`);
    if (req.method !== 'GET' && req.method !== 'HEAD') return void tell(405, { status: 'only GET' });
    if (pathname === '/metrics') return telemetry.show(req, res);
    if (pathname === '/healthz') return void tell(200, { status: 'ok' });
    if (pathname !== '/readyz')
      return void tell(404, { status: 'nothing here', see: ['/metrics', '/healthz', '/readyz'] });
    const checks = { ...health.report().checks };
    // one that is not well in any process is not well
    for (const { name, checks: its } of await others())
      for (const [check, state] of Object.entries(its))
        if (checks[check]?.ok ?? true)
          checks[check] = state.ok ? state : { ...state, reason: `${name}: ${state.reason}` };
    const ready = Object.values(checks).every(({ ok }) => ok);
    tell(ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', checks });
  };
  try {
    const server =
      config.metrics && !isSibling ? await listen(handler, { setting: 'METRICS_PORT', ...config.metrics }) : undefined;
    return {
      async stop() {
        await server?.stop();
        await stopAll();
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}
