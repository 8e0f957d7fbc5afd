// Where metrics and traces go: to whoever asks this process (Prometheus), and to a collector (OTLP) if one is set.
import type http from 'node:http';
import * as otel from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { emptyResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Config } from './config.ts';
import type { Collected, Labels, Metrics } from './metrics.ts';
import { traceWith } from './tracing.ts';

export interface Telemetry {
  /** Answers in Prometheus' text format. */
  show(req: http.IncomingMessage, res: http.ServerResponse): void;
  stop(): Promise<void>;
}

/** `part` is what runs in this process. Whoever asks it sees others as well; to a collector each sends its own. */
export function startTelemetry(
  { otlp }: Pick<Config, 'otlp'>,
  part: string,
  metrics: Metrics,
  others: () => Promise<readonly { readonly name: string; readonly metrics: readonly Collected[] }[]>,
): Telemetry {
  const metricProducers = [producerOf(async () => metrics.collect())];
  const ofAll = producerOf(async () => together(metrics.collect(), await others()));
  const resource = resourceFromAttributes({
    'service.name': otlp.serviceName,
    'service.instance.id': `${part}-${process.pid}`,
  });
  const prometheus = new PrometheusExporter({
    preventServerStart: true,
    metricProducers: [ofAll],
    withoutScopeInfo: true,
    withoutTargetInfo: true,
  });
  const url = (signal: string) => `${otlp.endpoint}/v1/${signal}`;
  const pushed = otlp.endpoint
    ? [
        new PeriodicExportingMetricReader({
          exporter: new OTLPMetricExporter({ url: url('metrics') }),
          metricProducers,
        }),
      ]
    : [];
  const meters = new MeterProvider({ resource, readers: [prometheus, ...pushed] });
  const spans = otlp.endpoint
    ? new TracerProvider({
        resource,
        // not by the client's flag: anybody could have everything recorded
        sampler: new TraceIdRatioBasedSampler(otlp.ratio),
        spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: url('traces') }) })],
      })
    : undefined;
  if (spans) {
    otel.trace.setGlobalTracerProvider(spans);
    traceWith(otel);
  }
  return {
    show: (req, res) => prometheus.getMetricsRequestHandler(req, res),
    async stop() {
      // a collector that is away must not hold up the end
      await Promise.allSettled([spans?.shutdown(), meters.shutdown({ timeoutMillis: 2_000 })]);
      traceWith(undefined);
      otel.trace.disable();
    },
  };
}

/**
 * What several processes have counted: each metric once, with the points of all that have it, and on those of others
 * the label `process`.
 */
function together(
  own: readonly Collected[],
  others: readonly { readonly name: string; readonly metrics: readonly Collected[] }[],
): Collected[] {
  const all = new Map(own.map((metric) => [metric.name, metric]));
  for (const { name, metrics } of others)
    for (const metric of metrics) {
      const points = metric.points.map(([labels, value]) => [{ ...labels, process: name }, value]);
      all.set(metric.name, { ...metric, points: [...(all.get(metric.name)?.points ?? []), ...points] } as Collected);
    }
  return [...all.values()];
}

/** What was counted, in the form of OpenTelemetry's own instruments. */
function producerOf(collect: () => Promise<Collected[]>): MetricProducer {
  const began = instant();
  return {
    collect: async () => ({
      errors: [],
      resourceMetrics: {
        resource: emptyResource(), // the reader puts its own in its place
        scopeMetrics: [{ scope: { name: 'hill' }, metrics: (await collect()).map((metric) => dataOf(metric, began)) }],
      },
    }),
  };
}

function dataOf({ name, description, unit, ...read }: Collected, startTime: otel.HrTime): MetricData {
  const endTime = instant();
  const about = {
    descriptor: { name, description, unit, valueType: otel.ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const point = <T>([attributes, value]: readonly [Labels, T]) => ({ startTime, endTime, attributes, value });
  switch (read.kind) {
    case 'histogram':
      return { ...about, dataPointType: DataPointType.HISTOGRAM, dataPoints: read.points.map(point) };
    case 'sum':
      return { ...about, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: read.points.map(point) };
    case 'gauge':
      return { ...about, dataPointType: DataPointType.GAUGE, dataPoints: read.points.map(point) };
  }
}

function instant(): otel.HrTime {
  const ms = Date.now();
  return [Math.trunc(ms / 1_000), (ms % 1_000) * 1_000_000];
}
