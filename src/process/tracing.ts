// process/tracing.ts · spans of what may be seen. Nothing under a request that may be a deposit has one. Decisions 117.
import { context, ROOT_CONTEXT, type Span, type SpanContext, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { answered } from './request.ts';

const tracer = trace.getTracer('hill');

const under = (parent: SpanContext | undefined) => (parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT);

/** A request to a door, or a job. `parent`: the client's own span, of which only the ids are believed, not whether to record. */
export const beginSpan = (name: string, kind: SpanKind, parent?: { readonly traceId: string; readonly spanId: string }): Span =>
  tracer.startSpan(name, { kind }, under(parent && { ...parent, traceFlags: TraceFlags.SAMPLED, isRemote: true }));

/** Ends a span that began before it was known whether there would be one. */
export function recordSpan(name: string, began: number, attributes: Readonly<Record<string, string | number>> = {}): void {
  const request = answered();
  if (request?.sealed) return;
  const startTime = performance.timeOrigin + began;
  tracer.startSpan(name, { kind: SpanKind.INTERNAL, startTime, attributes }, under(request?.span?.spanContext())).end();
}

/** Runs what turned out to be no deposit: from here on the request may be named in logs, and is traced. */
export async function unsealed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const request = answered();
  if (!request) return work();
  request.sealed = false;
  const span = beginSpan(name, SpanKind.SERVER);
  request.span = span.setAttribute('hill.request_id', request.id);
  try {
    return await work();
  } finally {
    span.end();
  }
}

/** A statement, under the span of its request. Without one there is no span: what runs by itself may be sealed. */
export async function tracedCall<T>(name: string, run: () => Promise<T>): Promise<T> {
  const request = answered();
  if (!request?.span || request.sealed) return run();
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT }, trace.setSpan(context.active(), request.span));
  try {
    return await run();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
