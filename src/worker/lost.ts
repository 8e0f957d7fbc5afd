// Which rejections of the queue's library mean only that the database is away.
import { isLost } from '../db/errors.ts';

/**
 * graphile-worker does not wait for the answer when it tells the database that a job is done. If the database is away
 * at that moment, the rejection reaches nobody, and it is no bug: the job is found again.
 */
export const lostByTheQueue = (error: unknown): boolean =>
  isLost(error) && /graphile-worker/.test((error as Error).stack ?? '');
