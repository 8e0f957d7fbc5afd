// process/telemetry.ts · where metrics and traces go: to whoever asks this process (Prometheus), and to a collector (OTLP) if one is set.
import type http from 'node:http';
import { trace } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Config } from './config.ts';
import type { Metrics } from './metrics.ts';

export interface Telemetry {
  /** Answers in Prometheus' text format. */
  show(req: http.IncomingMessage, res: http.ServerResponse): void;
  stop(): Promise<void>;
}

/** `part` is what runs in this process. */
export function startTelemetry({ otlp }: Pick<Config, 'otlp'>, part: string, metrics: Metrics): Telemetry {
  const metricProducers = [metrics.producer];
  const resource = resourceFromAttributes({ 'service.name': otlp.serviceName, 'service.instance.id': `${part}-${process.pid}` });
  const prometheus = new PrometheusExporter({ preventServerStart: true, metricProducers, withoutScopeInfo: true, withoutTargetInfo: true });
  const url = (signal: string) => `${otlp.endpoint}/v1/${signal}`;
  const pushed = otlp.endpoint
    ? [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter({ url: url('metrics') }), metricProducers })]
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
  if (spans) trace.setGlobalTracerProvider(spans);
  return {
    show: (req, res) => prometheus.getMetricsRequestHandler(req, res),
    async stop() {
      // a collector that is away must not hold up the end
      await Promise.allSettled([spans?.shutdown(), meters.shutdown({ timeoutMillis: 2_000 })]);
      if (spans) trace.disable();
    },
  };
}
