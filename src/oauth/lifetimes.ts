// oauth/lifetimes.ts · how long what is issued lives: read from sql/rules/constants.sql, where each number is written once. Specification 8.
import type pg from 'pg';
import { call } from '../db/call.ts';

export interface Lifetimes {
  readonly access_token_seconds: number;
  readonly identity_assertion_seconds: number;
  readonly assertion_renewal_seconds: number;
  readonly claim_token_seconds: number;
  readonly claim_code_seconds: number;
  readonly claim_poll_seconds: number;
  readonly authorization_code_seconds: number;
  readonly refresh_token_days: number;
  readonly grant_lapse_days: number;
}

/** Asked of the database once: they change with its functions, and so with this code. What failed is asked again. */
export function lifetimesOf(db: pg.Pool): () => Promise<Lifetimes> {
  let read: Promise<Lifetimes> | undefined;
  return () => {
    read ??= call<Lifetimes>(db, 'api_oauth.lifetimes').catch((error: unknown) => {
      read = undefined;
      throw error;
    });
    return read;
  };
}
