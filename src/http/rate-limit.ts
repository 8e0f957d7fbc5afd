// http/rate-limit.ts · how often one address, account or token may ask for something. Counted in the database, over all processes.
import type pg from 'pg';
import { call } from '../db/call.ts';

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
export const admit = (db: pg.Pool, what: string, who: string, { atMost, seconds }: Limit, times?: number): Promise<Admission> =>
  call(db, 'api_oauth.admit', { what, who, at_most: atMost, seconds, times });
