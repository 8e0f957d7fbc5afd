// An answer for whoever wants to know soon whether there is one. Rules 10.18.
import { setTimeout as sleep } from 'node:timers/promises';
import { typed } from '../db/errors.ts';

const longestMs = 2_000;

/** Undefined if the database does not answer, or not in time. */
export const inTime = <T>(asked: Promise<T>): Promise<T | undefined> =>
  Promise.race([asked, sleep(longestMs, undefined, { ref: false })]).catch((thrown) => {
    if (typed(thrown).code === 'UNAVAILABLE') return undefined;
    throw thrown;
  });
