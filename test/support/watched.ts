// What operators see of a process: its metrics, and a collector that its traces are sent to.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/** Sample to value, as in `hill_check_ok{check="bell"}`. */
export type Samples = ReadonlyMap<string, number>;

export async function samplesOf(port: string | number): Promise<Samples> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

/** The names of metrics, as their own headers say them: without _bucket, _sum and _count. */
export async function metricsOf(port: string | number): Promise<Set<string>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string));
}

interface SeenSpan {
  readonly name: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

interface Sent {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly SeenSpan[] }[] }[];
}

export interface Collector {
  readonly url: string;
  readonly spans: SeenSpan[];
  /** All that was sent, as it came. */
  text(): string;
}

/** An OTLP receiver (HTTP, JSON). Call it at the top of a test file. */
export function useCollector(): Collector {
  const bodies: string[] = [];
  const spans: SeenSpan[] = [];
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    for (const { scopeSpans } of (JSON.parse(body) as Sent).resourceSpans ?? [])
      for (const scope of scopeSpans) spans.push(...scope.spans);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  const collector = { url: '', spans, text: () => bodies.join('\n') };
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());
  return collector;
}
