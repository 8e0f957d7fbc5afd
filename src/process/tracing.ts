// Spans of what may be seen. Nothing under a request that may be a deposit has one. Decisions 117.
import type * as Otel from '@opentelemetry/api';
import { answered } from './request.ts';

/** Loaded only where traces are sent: see process/telemetry.ts. */
let otel: typeof Otel | undefined;

export function traceWith(api: typeof Otel | undefined): void {
  otel = api;
}

type Kind = 'SERVER' | 'CLIENT' | 'INTERNAL';

function span(name: string, kind: Kind, parent?: Otel.SpanContext, startTime?: number): Otel.Span | undefined {
  if (!otel) return undefined;
  const { ROOT_CONTEXT, SpanKind, trace } = otel;
  const under = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
  return trace
    .getTracer('hill')
    .startSpan(name, { kind: SpanKind[kind], ...(startTime === undefined ? {} : { startTime }) }, under);
}

/** A request to a door. `parent`: the client's own span, of which only the ids are believed, not whether to record. */
export const beginSpan = (
  name: string,
  parent?: { readonly traceId: string; readonly spanId: string },
): Otel.Span | undefined =>
  span(name, 'SERVER', otel && parent && { ...parent, traceFlags: otel.TraceFlags.SAMPLED, isRemote: true });

export function failSpan(failed: Otel.Span | undefined): void {
  if (otel) failed?.setStatus({ code: otel.SpanStatusCode.ERROR });
}

/** What is over and may be seen, such as a published night. `began` is by performance.now(). */
export const recordSpan = (name: string, began: number, attributes: Readonly<Record<string, string | number>>): void =>
  span(name, 'INTERNAL', undefined, performance.timeOrigin + began)
    ?.setAttributes(attributes)
    .end();

/** Runs what turned out to be no deposit: from here on the request may be named in logs, and is traced. */
export async function unsealed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const request = answered();
  if (!request) return work();
  request.sealed = false;
  request.span = beginSpan(name)?.setAttribute('hill.request_id', request.id);
  try {
    return await work();
  } finally {
    request.span?.end();
  }
}

/** A statement, under the span of its request. Without one there is no span: what runs by itself may be sealed. */
export async function tracedCall<T>(name: string, run: () => Promise<T>): Promise<T> {
  const request = answered();
  if (!request?.span || request.sealed) return run();
  const traced = span(name, 'CLIENT', request.span.spanContext());
  try {
    return await run();
  } catch (error) {
    failSpan(traced);
    throw error;
  } finally {
    traced?.end();
  }
}
