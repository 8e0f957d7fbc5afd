// How often one address, account or token may ask for something. Counted in the database, over all processes.
import type pg from 'pg';
import { call, callEach } from '../db/call.ts';

export interface Limit {
  readonly atMost: number;
  readonly seconds: number;
}

export interface Admission {
  /** 0: admitted. */
  readonly retry_after_seconds: number;
  /** The time by the hill's clock, in seconds since 1970. */
  readonly now: number;
}

/** `times`: how many requests to count at once. All of them are counted, or none. */
export const admit = (
  db: pg.Pool,
  what: string,
  who: string,
  { atMost, seconds }: Limit,
  times?: number,
): Promise<Admission> => call(db, 'api_oauth.admit', { what, who, at_most: atMost, seconds, times });

/**
 * The same for several callers at once, each by itself: the seconds that each has to wait. They are counted in order,
 * or two processes could wait for each other.
 */
export async function admitEach(
  db: pg.Pool,
  what: string,
  callers: readonly string[],
  { atMost, seconds }: Limit,
  times: number,
): Promise<Map<string, number>> {
  const ordered = [...callers].sort();
  const admissions = await callEach<Admission>(db, 'api_oauth.admit', ['who', ordered], {
    what,
    at_most: atMost,
    seconds,
    times,
  });
  return new Map(ordered.map((who, i) => [who, (admissions[i] as Admission).retry_after_seconds]));
}
