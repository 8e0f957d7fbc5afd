// What a refusal of the database means at the doors. Of anything else that went wrong nothing is shown.
//
// The registry is sql/rules/errors.sql, and its page for people is sql/errors.md.
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { wasUnreached } from './client.ts';
import { sqlFolder } from './sql-folder.ts';

export interface Meaning {
  readonly code: string;
  /** HTTP status of public answers and pages. */
  readonly status: number;
  /** A few words, the same for every occurrence (RFC 9457). */
  readonly title: string;
  /** Where a human lifts it, if a human can: a path of the site. Rules 14.4. */
  readonly liftedAt?: string;
  /** The error of RFC 6750: a door that takes tokens answers it with a challenge instead of a result. */
  readonly oauth?: 'invalid_token' | 'insufficient_scope';
}

/**
 * By SQLSTATE. An MCP tool answers each with `isError: true` and its code, except those with `oauth`, which the door
 * challenges.
 */
export const refusals: Readonly<Record<string, Meaning>> = Object.fromEntries(
  [
    ...fs
      .readFileSync(path.join(sqlFolder, 'rules', 'errors.sql'), 'utf8')
      .matchAll(/^ {4}\('(ZH\w{3})', '(\w+)', (\d{3}), '((?:[^']|'')+)', (?:null|'([^']+)'), (?:null|'(\w+)'),$/gm),
  ].map(([, state, code = '', status, title = '', liftedAt, oauth]) => [
    state,
    {
      code,
      status: Number(status),
      title: title.replaceAll("''", "'"),
      ...(liftedAt && { liftedAt }),
      ...(oauth && { oauth: oauth as Meaning['oauth'] }),
    } as Meaning,
  ]),
);

/** Errors that the doors find without the database. */
export const failures = {
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'The method is not served here',
    hint: 'Use one of the methods that Allow names.',
  },
  MALFORMED_REQUEST: {
    status: 400,
    title: 'The request is not HTTP',
    hint: 'Send it with a client that speaks HTTP/1.1, by one of the methods GET, HEAD, OPTIONS and POST.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'The request was not complete in time',
    hint: 'Send it again, its header within 15 seconds and the whole within 30.',
  },
  REQUEST_BROKEN_OFF: {
    status: 400,
    title: 'The request was broken off',
    hint: 'Nothing was done. Send it again, whole.',
  },
  BODY_TOO_LONG: { status: 413, title: 'The body is too long', hint: 'Send less at a time.' },
  REQUEST_TOO_LONG: {
    status: 431,
    title: 'The address or the header is too long',
    hint: 'Shorten the address and the header fields, and call again.',
  },
  NO_PICTURES: {
    status: 501,
    title: 'This hill draws no pictures',
    hint: 'The page of the same address, without .png, has what the picture would show.',
  },
  UNAVAILABLE: {
    status: 503,
    title: 'The database does not answer',
    hint: 'Call again after Retry-After seconds. If the call was to change something, look first whether it did: only its answer may have been lost.',
  },
  INTERNAL_ERROR: { status: 500, title: 'Something went wrong here', hint: 'It is not your request. Try again later.' },
} as const;

export type FailureCode = keyof typeof failures;

/** Something that the hill refused, with all that its caller may know. None of it repeats the request. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly oauth: Meaning['oauth'];
  readonly hint: string;
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(meaning: Meaning, message: string, hint: string, detail: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = meaning.code;
    this.status = meaning.status;
    this.title = meaning.title;
    this.oauth = meaning.oauth;
    this.hint = hint;
    this.detail = detail;
  }
}

/**
 * Something that went wrong. Its cause is for debugging, never for the caller or the log: it may repeat a sealed move.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly status: number;
  readonly title: string;
  readonly hint: string;
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(code: FailureCode, cause?: unknown, detail: Readonly<Record<string, unknown>> = {}) {
    super(`${failures[code].title}.`, { cause });
    this.code = code;
    this.status = failures[code].status;
    this.title = failures[code].title;
    this.hint = failures[code].hint;
    this.detail = detail;
  }

  /** What may be logged: the kind of the cause, without its message. */
  get kind(): string {
    const { name, code, constraint } = (this.cause ?? {}) as { name?: string; code?: string; constraint?: string };
    return [name, code, constraint].filter(Boolean).join(' ') || this.code;
  }
}

/** The refusal of a registered code, for a door that finds by itself what the database would refuse. */
export function refusal(
  code: string,
  message: string,
  hint: string,
  detail?: Readonly<Record<string, unknown>>,
): Refusal {
  const meaning = Object.values(refusals).find((known) => known.code === code);
  if (!meaning) throw new Error(`${code} is not registered`);
  return new Refusal(meaning, message, hint, detail);
}

/** Too many requests: the one code of every rate limit. Protocol 10.2. */
export const rateLimited = (seconds: number, message = 'Too many requests.'): Refusal =>
  refusal(
    'rate_limited',
    message,
    'Call again after retry_after_seconds (also in Retry-After). Refused calls are not counted.',
    {
      retry_after_seconds: seconds,
    },
  );

/** Types what a query threw. An error without a SQLSTATE is the driver's: the database was not reached, or was lost. */
export function fromDatabase(error: unknown): Refusal | Failure {
  if (error instanceof Refusal || error instanceof Failure) return error;
  if (!(error instanceof pg.DatabaseError) || wasUnreached(error)) return new Failure('UNAVAILABLE', error);
  const state = error.code ?? '';
  // call.ts looks for such characters before; this is for what comes another way.
  if (unfit.test(state)) return noText();
  const meaning = refusals[state];
  if (meaning) return new Refusal(meaning, error.message, error.hint ?? '', parseDetail(error.detail));
  return new Failure(passing.test(state) || replaced.test(state) ? 'UNAVAILABLE' : 'INTERNAL_ERROR', error);
}

/**
 * Whether the database was not reached, was lost on the way or had no room, so that the statement itself is not at
 * fault.
 */
export function isLost(error: unknown): boolean {
  const cause = error instanceof Failure ? error.cause : error;
  return cause instanceof pg.DatabaseError
    ? wasUnreached(cause) || /^(08|53|57P)/.test(cause.code ?? '')
    : cause instanceof Error && !(error instanceof Refusal);
}

// A character that PostgreSQL cannot store, such as the null character; in JSON, one written as \\u0000.
const unfit = /^(22021|22P05)$/;

/** For text that PostgreSQL cannot store. */
export const noText = (): Refusal =>
  refusal(
    'INVALID_ARGUMENT',
    'A text contains a character that cannot be stored.',
    'Leave the null character out and call again.',
  );

/** A refusal that a function returned instead of raising, so that what led to it is recorded: see engine.refused. */
export function returnedRefusal(result: unknown): Refusal | undefined {
  const { refused } = (result ?? {}) as {
    refused?: { state: string; message: string; hint: string; detail: Record<string, unknown> };
  };
  const meaning = refused && refusals[refused.state];
  return meaning && new Refusal(meaning, refused.message, refused.hint, refused.detail);
}

/** Types anything that was thrown. */
export const typed = (error: unknown): Refusal | Failure =>
  error instanceof Refusal || error instanceof Failure ? error : new Failure('INTERNAL_ERROR', error);

// Lost connections, serialization failures and deadlocks, no resources, a lock or a statement that took too long, a
// server that starts or stops.
const passing = /^(08...|40001|40P01|53...|55P03|57014|57P0.)$/;
// Functions were replaced, or tables changed, in the middle of a call (a deploy, a bell).
const replaced = /^(XX000|0A000|3F000|42883|42P01|42704|42703)$/;

/**
 * Whether the server undid the transaction for a reason that has passed by now: the same call may be made once more,
 * whatever it does.
 */
export const wasUndone = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (replaced.test(error.code ?? '') || error.code === '40001' || error.code === '40P01');

function parseDetail(detail: string | undefined): Record<string, unknown> {
  if (!detail) return {};
  const value: unknown = JSON.parse(detail); // engine.refuse writes an object, always
  return value as Record<string, unknown>;
}
