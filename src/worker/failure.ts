// worker/failure.ts · what may be said of a failure. The database's own words can repeat a row, a sealed move for one: they go nowhere.
import pg from 'pg';
import type { Logger } from '../process/log.ts';
import { messageOf } from '../process/start-error.ts';

/** Fit for logs and for the queue's tables, which keep the message of a failed job. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';
}

/** The hill's own refusals carry no value of a request; of any other error of the database only its kind is told. */
export function withoutValues(error: unknown): TaskFailure {
  if (!(error instanceof pg.DatabaseError)) return new TaskFailure(messageOf(error));
  if (isRefusal(error)) return new TaskFailure(error.message);
  if (isWaiting(error)) return new TaskFailure('somebody else held a lock for too long');
  return new TaskFailure(['SQLSTATE', error.code, error.constraint && `(${error.constraint})`].filter(Boolean).join(' '));
}

/** A lock was not free in time. Nothing is wrong with the night. */
export const isWaiting = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '55P03';

const isRefusal = ({ code }: pg.DatabaseError): boolean => code?.startsWith('ZH') ?? false;

/** What somebody has to look into. The first: the night was undone, and will be each time. The second: it is published, and is not what its moves come to. */
const alarms: Readonly<Record<string, string>> = { ZHCON: 'NIGHT_DOES_NOT_BALANCE', ZHVER: 'VERIFICATION_FAILED' };

export const isUnbalanced = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && (error.code ?? '') in alarms;

/** Logs what went wrong with `task` and returns what to throw instead. */
export function reported(log: Logger, task: string, error: unknown): TaskFailure {
  const failure = withoutValues(error);
  if (isUnbalanced(error)) {
    const { detail, hint, code } = error;
    log.error({ code: alarms[code as string], detail }, `THE BELL FAILED: ${failure.message}. ${hint} Found: ${detail}`);
  } else {
    log.warn(`${task} failed and will be tried again: ${failure.message}`);
  }
  return failure;
}
