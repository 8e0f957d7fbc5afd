// What may be said of a failure. The database's own words can repeat a row, such as a sealed move: they must not reach
// a log or the queue.
import pg from 'pg';
import { Failure, Refusal } from '../db/errors.ts';
import type { Logger } from '../process/log.ts';
import { messageOf } from '../process/start-error.ts';

/** Fit for logs and for the queue's tables, which keep the message of a failed job. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';
}

/** A refusal carries no value of a request; of any other error of the database only its kind is logged. */
export function withoutValues(error: unknown): TaskFailure {
  const cause = causeOf(error);
  if (!(cause instanceof pg.DatabaseError)) return new TaskFailure(messageOf(cause));
  if (isWaiting(error)) return new TaskFailure('somebody else held a lock for too long');
  return new TaskFailure(
    ['SQLSTATE', cause.code, cause.constraint && `(${cause.constraint})`].filter(Boolean).join(' '),
  );
}

/** A lock was not free in time. Nothing is wrong with the night. */
const isWaiting = (error: unknown): boolean => sqlState(error) === '55P03';

export const sqlState = (error: unknown): string | undefined => (causeOf(error) as { code?: string } | undefined)?.code;

const causeOf = (error: unknown): unknown => (error instanceof Failure ? (error.cause ?? error) : error);

/**
 * What somebody has to look into. NIGHT_DOES_NOT_BALANCE: the night was undone, and will be each time.
 * VERIFICATION_FAILED: it is published, and is not what its moves come to.
 */
const alarms: ReadonlySet<string> = new Set(['NIGHT_DOES_NOT_BALANCE', 'VERIFICATION_FAILED']);

export const isUnbalanced = (error: unknown): error is Refusal => error instanceof Refusal && alarms.has(error.code);

/** An alarm in one line, with what was found. */
export const alarmText = ({ message, hint, detail }: Refusal): string =>
  `${message}. ${hint} Found: ${JSON.stringify(detail)}`;

/** Logs what went wrong with `task`, and returns what to throw instead. */
export function reported(log: Logger, task: string, error: unknown): TaskFailure {
  const failure = withoutValues(error);
  if (isUnbalanced(error)) {
    const { code, detail } = error;
    log.error({ code, detail: JSON.stringify(detail) }, `THE BELL FAILED: ${alarmText(error)}`);
  } else {
    log.warn(`${task} failed and will be tried again: ${failure.message}`);
  }
  return failure;
}
