// http/rate-limit.ts · how often something may be asked for by one address, account or token. Counted in the database, over all processes.
import type pg from 'pg';
import { call } from '../db/call.ts';

export interface Limit {
  readonly atMost: number;
  readonly seconds: number;
}

export interface Admission {
  /** 0: go on. */
  readonly retry_after_seconds: number;
  /** The present by the hill's clock, in seconds since 1970. */
  readonly now: number;
}

/** `times`: how many requests are counted at once. All of them are, or none. */
export const admit = (db: pg.Pool, what: string, who: string, { atMost, seconds }: Limit, times?: number): Promise<Admission> =>
  call(db, 'api_oauth.admit', { what, who, at_most: atMost, seconds, times });
