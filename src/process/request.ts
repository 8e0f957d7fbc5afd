// The request that is being answered, for whatever is logged or traced on its behalf. Decisions 115.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type http from 'node:http';
import type { Span } from '@opentelemetry/api';

export interface Answering {
  /** Random, unless the client gave one: a number that counted requests would count deposits, too. */
  readonly id: string;
  /** May be a deposit or a withdrawal: nothing that is logged or traced may lead to it. */
  sealed: boolean;
  /** What its statements are traced under. */
  span?: Span | undefined;
}

const answering = new AsyncLocalStorage<Answering>();

const wellFormed = /^[A-Za-z0-9][\w.:-]{7,63}$/;
/** Version 00 of W3C Trace Context. */
const traceparent = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

/** A client's own id, if it is well-formed, so that both sides' logs name the request alike. */
export function idOf({ 'x-request-id': given, traceparent: trace }: http.IncomingHttpHeaders): string {
  if (typeof given === 'string' && wellFormed.test(given)) return given;
  return parentOf(trace)?.traceId ?? randomUUID();
}

/** The trace that a client continues here. */
export function parentOf(header: unknown): { readonly traceId: string; readonly spanId: string } | undefined {
  const [, traceId, spanId] = (typeof header === 'string' && traceparent.exec(header)) || [];
  return traceId && spanId ? { traceId, spanId } : undefined;
}

export const answer = <T>(request: Answering, work: () => T): T => answering.run(request, work);

export const answered = (): Answering | undefined => answering.getStore();

/** The id for the caller's own answer: it may be told what is sealed from others. */
export const ownId = (): string | undefined => answering.getStore()?.id;

/**
 * What outlives the request that began it, such as a timer or a connection. Its log lines must not name that request.
 */
export const outsideRequests = <T>(work: () => T): T => answering.exit(work);
