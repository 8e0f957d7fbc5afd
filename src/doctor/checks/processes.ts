// Each process, as it tells its own health.
import { messageOf } from '../../process/start-error.ts';
import { type Check, type Finding, fail, none, ok } from '../check.ts';
import type { Sight } from '../sight.ts';
import { start } from '../ways.ts';

const timeoutMs = 5_000;

interface Answer {
  readonly status: number;
  readonly body: {
    readonly failed?: readonly string[];
    readonly checks?: Record<string, { ok: boolean; reason?: string }>;
  };
}

/** Throws an error whose message says who does not answer. */
async function ask(address: string): Promise<Answer> {
  try {
    const answer = await fetch(address, {
      headers: { 'Cache-Control': 'no-cache' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : {} };
  } catch (error) {
    throw new Error(
      `${address} does not answer (${(error as { cause?: { code?: string } }).cause?.code ?? messageOf(error)})`,
    );
  }
}

function told(address: string, { status, body }: Answer): Finding {
  if (status === 200) return ok(`${address} is ready`);
  const reasons = Object.entries(body.checks ?? {}).flatMap(([check, { ok, reason }]) =>
    ok ? [] : [reason ? `${check} (${reason.split('. ')[0]})` : check],
  );
  const named = body.failed ?? reasons;
  return fail(`${address} answers with ${status}${named.length > 0 ? `: not well: ${named.join(', ')}` : ''}`);
}

const asked = async (address: string, type: string): Promise<Finding> =>
  ask(address).then(
    (answer) => told(address, answer),
    (error: Error) => fail(error.message, type),
  );

const watched = ({ config, asked }: Sight): string[] => [
  ...(config.metrics ? [`${config.metrics.host}:${config.metrics.port}`] : []),
  ...asked,
];

export const processes: readonly Check[] = [
  {
    code: 'processes.web',
    look: (sight) =>
      asked(`${sight.config.baseUrl}/readyz`, `${start(sight, 'web')}; then the proxy, and docs/runbook.md#site-down`),
    type: 'the lines above; what /readyz names is in docs/observability.md#health',
  },
  {
    code: 'processes.watched',
    async look(sight) {
      const addresses = watched(sight);
      if (addresses.length === 0) return none('no METRICS_PORT is named (--ask 127.0.0.1:9465 asks one)');
      const found = await Promise.all(
        addresses.map((address) =>
          asked(`http://${address}/readyz`, `is that its METRICS_PORT? ${start(sight, 'worker')}`),
        ),
      );
      const bad = found.filter((one) => one.state !== 'ok');
      return bad[0]
        ? fail(bad.map(({ says }) => says).join('; '), bad.find(({ type }) => type)?.type)
        : ok(`${addresses.join(', ')} ${addresses.length > 1 ? 'are' : 'is'} ready`);
    },
    type: 'the lines above; what /readyz names is in docs/observability.md#health',
  },
  {
    code: 'processes.console',
    async look(sight) {
      const address = `http://127.0.0.1:${sight.config.consolePort}/`;
      try {
        const { status } = await ask(address);
        return status < 500
          ? ok('the console answers')
          : fail(`the console answers with ${status}`, start(sight, 'console'));
      } catch (error) {
        return sight.setting === 'production'
          ? none('no console runs on this machine')
          : fail((error as Error).message, start(sight, 'console'));
      }
    },
    type: 'npm run console',
  },
];
